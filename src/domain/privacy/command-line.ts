import { Problem } from '../../engine/problem.ts'
import type { Account } from '../../records/caller.ts'
import { type Ledger, readAs, writeAs } from '../../records/ledger.ts'
import { commandLine } from '../access/accounts.ts'
import { dueOf, eraseIfDue, KINDS, type RetentionKind } from './retention.ts'

/** The result of a retention run for one kind of people: how many were erased, or would be, and who could not be. */
export type RetentionResult = { kind: RetentionKind; count: number; refused: { id: number; why: string }[] }

const STRETCH = 100

/**
 * Erases all who are due, one after the other and each at once: whatever ends this in between, they are whole or gone,
 * and the next run goes on with the rest. Names are not told: nothing of those who went is to stay in a log.
 */
export async function eraseAllDue(
  ledger: Ledger,
  account: Account,
  { isTrial, tell }: { isTrial: boolean; tell: (line: string) => void },
): Promise<RetentionResult[]> {
  const caller = commandLine(account)
  const all: RetentionResult[] = []
  for (const kind of KINDS) {
    const kept: RetentionResult = { kind, count: 0, refused: [] }
    all.push(kept)
    const word = kind === 'candidates' ? 'candidate' : 'employee'
    for (;;) {
      // Those who went are not in the list any more; those who stay are passed by.
      const skipped = kept.refused.length + (isTrial ? kept.count : 0)
      const { people } = await readAs(ledger, caller, (db) => dueOf(db, kind, { skipped, size: STRETCH }))
      const before = kept.count + kept.refused.length
      for (const { id, due_on } of people)
        try {
          // Whoever is not due any more, or was erased by somebody else meanwhile, is not spoken of.
          if (!isTrial && !(await writeAs(ledger, caller, 'eraseDue', (db) => eraseIfDue(db, kind, id)))) continue
          kept.count++
          tell(`${word} ${id}, due since ${due_on}: ${isTrial ? 'would be erased' : 'erased'}`)
        } catch (error) {
          if (!(error instanceof Problem)) throw error
          kept.refused.push({ id, why: error.message })
          tell(`${word} ${id}, due since ${due_on}: NOT ERASED: ${error.message}`)
        }
      if (kept.count + kept.refused.length === before) break
    }
  }
  return all
}
