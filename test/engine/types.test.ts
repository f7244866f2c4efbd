import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stillHere } from '../../src/domain/organisation/staff.ts'
import { salaries } from '../../src/domain/people/salaries.ts'
import { tasks } from '../../src/domain/tasks/tasks.ts'
import type { Made, Row, Sent } from '../../src/engine/declaration.ts'
import { isRecord } from '../../src/engine/filter.ts'
import { amend, create, insertAll, type Rule } from '../../src/engine/records.ts'
import { inOrder } from '../../src/engine/rule.ts'
import type { Writer } from '../../src/records/write.ts'

/**
 * What must not compile. Each line below is wrong in one word; the compiler, which the gate runs over this file, fails
 * when one of them is not refused any more. Nothing here is ever run.
 */
export async function wrongInOneWord(db: Writer, task: Row<typeof tasks>) {
  // @ts-expect-error a misspelt field of a change
  await amend(db, tasks, task, { completd_at: db.now })
  // @ts-expect-error a value of the wrong type
  await amend(db, tasks, task, { completed_at: 7 })
  // @ts-expect-error a misspelt field of a new record
  await create(db, tasks, { name: 'A', employe_id: 1 })
  // @ts-expect-error a value that the field cannot hold
  await insertAll(db, tasks, [{ type: 'urgent' }])
  // @ts-expect-error what is shown but has no column
  await insertAll(db, tasks, [{ title: 'A' }])
  // @ts-expect-error money is sent as text, and kept as ten-thousandths
  await create(db, salaries, { amount: 12 })
  // @ts-expect-error a filter on a field that there is not
  isRecord(tasks, 'employe_id')
  const rule: Rule<typeof tasks> = ({ after, changes }) => {
    // @ts-expect-error a misspelt field in a rule
    assert.ok(after.end_on)
    // @ts-expect-error the same among the changes
    assert.ok(changes.start_on)
  }
  // @ts-expect-error a shared rule about a field that this kind of record does not have
  const shared: Rule<typeof salaries> = inOrder('starts_on', 'ends_on')
  // @ts-expect-error the same for references to employees
  const here: Rule<typeof tasks> = stillHere('owner_id')
  return [rule, shared, here]
}

test('rule types match the values of a record', () => {
  const sent: Sent<typeof salaries> = { amount: '12.5', overtime: null }
  const made: Made<typeof salaries> = { amount: 125_000, overtime: false }
  assert.equal(salaries.fields.amount.parse(sent.amount ?? '0'), made.amount)
  assert.equal(typeof wrongInOneWord, 'function')
})
