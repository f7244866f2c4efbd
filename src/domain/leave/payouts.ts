import Type from 'typebox'
import { holdsFor } from '../../engine/access-scope/reader-access.ts'
import { countDays } from '../../engine/day.ts'
import { operation } from '../../engine/operation.ts'
import { malformed, wrong } from '../../engine/problem.ts'
import { wrappedList } from '../../engine/schema.ts'
import { chunks } from '../../records/chunks.ts'
import type { Reader } from '../../records/reader.ts'
import { linesOf, movementsOf, STILL } from './balances.ts'
import { allAssignments } from './entitlement.ts'
import { postingsUntil } from './postings.ts'

/** Leave that is to be paid out because somebody has left: lines for payroll. */

const PAYOUT = Type.Object(
  {
    employee_id: Type.Integer(),
    leave_type_id: Type.Integer(),
    leave_policy_id: Type.Integer({ description: 'Policy on the last day of employment' }),
    date: Type.String({ format: 'date', description: 'First day after the employment' }),
    amount: Type.Number({ description: 'Leave that was left, in `unit`', examples: [4.5] }),
    unit: Type.Unsafe<string>({ type: 'string', enum: ['days', 'hours'], description: 'Unit of `amount`' }),
  },
  { title: 'LeavePayout' },
)

const LONGEST = 366
const PEOPLE_AT_ONCE = 100

/** The people one of whose employments ended between two days: its first day after lies there. */
async function leaversBetween(db: Reader, from: string, to: string): Promise<number[]> {
  const current = await db
    .from('employees')
    .select('id')
    .where('termination_effective_on', '>=', from)
    .where('termination_effective_on', '<=', to)
    .execute()
  const former = await db
    .from('former_employments')
    .select('employee_id as id')
    .where('termination_effective_on', '>=', from)
    .where('termination_effective_on', '<=', to)
    .execute()
  const ids = new Set([...current, ...former].map(({ id }) => id as number))
  return [...ids].filter((id) => holdsFor(db, 'leave:read', 'employees', id)).sort((a, b) => a - b)
}

export const leavePayouts = operation(
  {
    id: 'listLeavePayouts',
    takesLong: true,
    method: 'GET',
    path: '/leave_payouts',
    summary: 'List leave payouts',
    note: `Lists leave that is to be paid out because an employment has ended or is going to end: what is left under policies with \`on_leaving: paid_out\`. Without dates, it covers the current month. Payouts follow from balances: if leave or the last day changes, so does the amount. Pending requests count as taken, so decide them first. A planned termination that is not announced appears only for callers who may see planned changes. The range can have at most ${LONGEST} days.`,
    area: 'leave',
    query: Type.Object({
      starts_on: Type.Optional(
        Type.String({
          format: 'date',
          description: 'First day to show; by default the first of the current month',
          examples: ['2030-01-01'],
        }),
      ),
      ends_on: Type.Optional(
        Type.String({
          format: 'date',
          description: 'Last day to show; by default the last of the month of `starts_on`',
          examples: ['2030-01-31'],
        }),
      ),
    }),
    answer: wrappedList(PAYOUT),
    indexedColumns: ['employees.termination_effective_on'],
  },
  async ({ db, query }) => {
    const from = query.starts_on ?? `${(query.ends_on ?? db.today).slice(0, 7)}-01`
    const to = query.ends_on ?? lastOfMonth(from)
    if (to < from || countDays(from, to) > LONGEST)
      throw malformed(
        wrong('ends_on', 'out_of_range', `must be on or after starts_on, in a range of at most ${LONGEST} days`),
      )
    const data = []
    for (const some of chunks(await leaversBetween(db, from, to), PEOPLE_AT_ONCE)) {
      const movements = await movementsOf(db, some)
      for (const [key, line] of await linesOf(db, some)) {
        const [employee_id, leave_type_id] = key.split(' ').map(Number)
        for (const { day, reason, amount, policyId } of postingsUntil(to, line, (movements.get(key) ?? STILL).balance))
          if (reason === 'paid_out' && day >= from)
            data.push({
              ...{ employee_id, leave_type_id, leave_policy_id: policyId, date: day, amount: -amount / 10_000 },
              unit: allAssignments(line).find((one) => one.policyId === policyId)?.unit,
            })
      }
    }
    return { body: { data: data.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0)) } }
  },
)

const lastOfMonth = (day: string) =>
  new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0)).toISOString().slice(0, 10)
