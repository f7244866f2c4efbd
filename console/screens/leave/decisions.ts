import { useRef, useState } from 'react'
import { notifyDone, notifyFailed, notifyRefused, type UndoTarget } from '../../client/notices.ts'
import { nameOf } from '../../parts/person.tsx'
import { useStableList } from '../../parts/stable-list.ts'
import { useFailureText } from '../../parts/states.tsx'
import { useTexts } from '../../texts/i18n.ts'
import { type InboxItem, type InboxKind, decide as send, type useInbox, type Verdict } from './inbox.ts'
import { useItemText } from './item-text.ts'
import { leaveTexts } from './texts.ts'

/** The lines of the inbox, the current line, and the decisions. */

/**
 * The decision about a line, and how to undo it. No verdict: somebody else decided, or the answer to our own decision
 * was lost. It then counts as decided once the line is gone.
 */
export type Decision = { verdict?: Verdict; at: number; undoing?: UndoTarget }
const ELSEWHERE: Decision = { at: 0 }
const NONE: InboxItem[] = []
/** Within this time after moving on, a key press was meant for the previous line. */
const SECOND_PRESS = 600

export type InboxLineState = { item: InboxItem; decision: Decision | undefined }
export type Refusal = { item: InboxItem; error: unknown }

/** The pending lines and those decided since. Lines keep their places. */
export function useLines(inbox: ReturnType<typeof useInbox>, kind: InboxKind | null) {
  const [decided, setDecided] = useState<ReadonlyMap<string, Decision>>(new Map())
  const lines: InboxLineState[] = useStableList(inbox.isPending ? NONE : inbox.items, ({ key }) => key, kind ?? '').map(
    (one) => {
      const decision = decided.get(one.item.key)
      // An item that is back after its decision, for example after an undo, is pending again. An item outside the
      // loaded pages may still be pending.
      const waits = decision ? one.isThere && inbox.readAt > decision.at : one.isThere || inbox.hasMore
      return { ...one, decision: waits ? undefined : (decision ?? ELSEWHERE) }
    },
  )
  const setDecision = (keys: ReadonlySet<string>, decision: Decision | undefined) =>
    setDecided((now) => {
      const others = [...now].filter(([key]) => !keys.has(key))
      return new Map(decision ? [...others, ...[...keys].map((key) => [key, decision] as const)] : others)
    })
  return { lines, setDecision }
}

/** The line that the keys act on. */
export function useCursor(lines: readonly InboxLineState[]) {
  const [current, setCurrent] = useState<string>()
  const list = useRef<HTMLUListElement>(null)
  const at = Math.max(
    0,
    lines.findIndex(({ item: { key } }) => key === current),
  )
  /** When a decision by key last moved on to the next line. */
  const wentOnAt = useRef(0)
  const go = (index: number, isLedOn = false) => {
    const next = lines[Math.max(0, Math.min(lines.length - 1, index))]?.item
    if (!next) return
    // Users who choose the next request know which one it is; users who are taken there see it only once it is loaded.
    wentOnAt.current = isLedOn ? Number.POSITIVE_INFINITY : 0
    setCurrent(next.key)
    requestAnimationFrame(() => {
      list.current?.querySelector<HTMLElement>(`[data-key="${next.key}"]`)?.focus()
      if (isLedOn) wentOnAt.current = performance.now()
    })
  }
  /** Moves to the next matching line, or else to the last one. */
  const goOn = (isMeant: (line: InboxLineState) => boolean) => {
    const next = lines.slice(at).find(isMeant) ?? lines.findLast(isMeant)
    if (next) go(lines.indexOf(next), true)
  }
  // A second press was meant for the previous line and must not decide this one.
  const hasJustGoneOn = () => performance.now() - wentOnAt.current < SECOND_PRESS
  return { at, list, setCurrent, go, goNext: () => go(current === undefined ? 0 : at + 1), goOn, hasJustGoneOn }
}

/** Approves and rejects. Keeps the decisions that failed, and why. */
export function useDecide(
  cursor: ReturnType<typeof useCursor>,
  setDecision: ReturnType<typeof useLines>['setDecision'],
) {
  const t = useTexts(leaveTexts)
  const what = useItemText()
  const failure = useFailureText()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [refused, setRefused] = useState<readonly Refusal[]>([])
  const inWords = ({ item: one, error }: Refusal) => `${nameOf(one.person)}, ${what(one)}: ${failure(error)}`
  const decide = async (verdict: Verdict, about: readonly InboxItem[], isByKey = false, reason = '') => {
    const [only] = about
    if (!only) return
    const keys = new Set(about.map(({ key }) => key))
    setDecision(keys, { verdict, at: Number.POSITIVE_INFINITY })
    setSelected(new Set())
    setRefused([])
    // Nothing moves under a mouse pointer.
    if (isByKey) cursor.goOn(({ item: { key }, decision }) => !decision && !keys.has(key))
    const { undoing, done, failed } = await send(about, verdict, reason)
    const still = new Set(failed.map(({ item: { key } }) => key))
    setDecision(still, undefined)
    for (const { item, perhaps } of failed)
      if (perhaps) setDecision(new Set([item.key]), { ...ELSEWHERE, undoing: perhaps })
    // Each line undoes only itself, and the message undoes all of them.
    for (const [key, own] of done) setDecision(new Set([key]), { verdict, at: Date.now(), undoing: own })
    const isOne = about.length === 1
    if (done.size > 0)
      notifyDone(
        isOne
          ? t(verdict === 'approve' ? 'approvedOne' : 'rejectedOne', { what: `${nameOf(only.person)}, ${what(only)}` })
          : t(verdict === 'approve' ? 'approvedMany' : 'rejectedMany', { count: done.size }),
        undoing,
      )
    if (failed.length === 0) return
    if (isOne) return notifyFailed(failed[0]?.error)
    // If the user has opened another page meanwhile, the message appears there.
    if (!cursor.list.current) return notifyRefused(t('notDecided', { count: failed.length }), failed.map(inWords))
    setRefused(failed)
    setSelected(still)
  }
  return { selected, setSelected, refused, setRefused, inWords, decide }
}
