import { useRef, useState } from 'react'
import { notifyDone, notifyFailed, notifyRefused, type UndoTarget } from '../../client/notices.ts'
import { nameOf } from '../../parts/person.tsx'
import { useStableList } from '../../parts/stable-list.ts'
import { useFailureText } from '../../parts/states.tsx'
import { useTexts } from '../../texts/i18n.ts'
import { type InboxItem, type InboxKind, decide as send, type useInbox, type Verdict } from './inbox.ts'
import { leaveTexts } from './texts.ts'
import { useWhat } from './what.ts'

/** The lines of the inbox, which of them is current, and what is decided about them. */

/**
 * What was decided about a line, and how it is taken back. Without a verdict it was decided elsewhere, or here, as nobody
 * knows: the answer was lost. Then it is so once the line is gone.
 */
export type Decision = { verdict?: Verdict; at: number; undoing?: UndoTarget }
const ELSEWHERE: Decision = { at: 0 }
const NONE: InboxItem[] = []
/** Within so many milliseconds nobody has seen that it is about the next one. */
const SECOND_PRESS = 600

export type InboxLineState = { item: InboxItem; decision: Decision | undefined }
export type Refusal = { item: InboxItem; error: unknown }

/** What waits, and what was decided since: lines stay where they are. */
export function useLines(inbox: ReturnType<typeof useInbox>, kind: InboxKind | null) {
  const [decided, setDecided] = useState<ReadonlyMap<string, Decision>>(new Map())
  const lines: InboxLineState[] = useStableList(inbox.isPending ? NONE : inbox.items, ({ key }) => key, kind ?? '').map(
    (one) => {
      const decision = decided.get(one.item.key)
      // What is there again since, as after an undo, waits again; of many, what is not read any more may wait still.
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

/** The line that keys are about. */
export function useCursor(lines: readonly InboxLineState[]) {
  const [current, setCurrent] = useState<string>()
  const list = useRef<HTMLUListElement>(null)
  const at = Math.max(
    0,
    lines.findIndex(({ item: { key } }) => key === current),
  )
  /** When a decision by key led on to the next one. */
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
  /** To the next line that is meant, or the last one. */
  const goOn = (isMeant: (line: InboxLineState) => boolean) => {
    const next = lines.slice(at).find(isMeant) ?? lines.findLast(isMeant)
    if (next) go(lines.indexOf(next), true)
  }
  // A second press that was meant for the one before decides nothing.
  const hasJustGoneOn = () => performance.now() - wentOnAt.current < SECOND_PRESS
  return { at, list, setCurrent, go, goNext: () => go(current === undefined ? 0 : at + 1), goOn, hasJustGoneOn }
}

/** Approves and rejects; keeps which of several could not be decided, and why. */
export function useDecide(
  cursor: ReturnType<typeof useCursor>,
  setDecision: ReturnType<typeof useLines>['setDecision'],
) {
  const t = useTexts(leaveTexts)
  const what = useWhat()
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
    // Under a pointer nothing moves.
    if (isByKey) cursor.goOn(({ item: { key }, decision }) => !decision && !keys.has(key))
    const { undoing, done, failed } = await send(about, verdict, reason)
    const still = new Set(failed.map(({ item: { key } }) => key))
    setDecision(still, undefined)
    for (const { item, perhaps } of failed)
      if (perhaps) setDecision(new Set([item.key]), { ...ELSEWHERE, undoing: perhaps })
    // Each line takes itself back, and the notice all of them.
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
