import Type from 'typebox'
import { orNull } from '../../engine/field.ts'
import { operation } from '../../engine/operation.ts'
import { malformed, wrong } from '../../engine/problem.ts'
import { find } from '../../engine/records.ts'
import { recordId, wrapped } from '../../engine/schema.ts'
import { requireEmployee } from '../organisation/staff.ts'
import { lineKey, linesOf, movementsOf, STILL } from './balances.ts'
import { leaveTypes } from './leave-types.ts'
import { POSTING_REASONS, postingsUntil, type YearFigures } from './postings.ts'

/** Where a balance comes from: its figures of a year, and each single movement. */

const amount = (description: string) => Type.Number({ description, examples: [2.5] })

export const THIS_YEAR = Type.Object(
  {
    carried_over: amount('Balance at the start of the year, after what was not carried over'),
    carry_over_expires: Type.Array(
      Type.Object({
        on: Type.String({ format: 'date', description: 'First day on which it can no longer be taken' }),
        amount: amount('What expires on that day if nothing more is taken'),
      }),
    ),
    expired: amount('What was carried over or credited for overtime and has expired in the year so far'),
    paid_out: amount('What was left at the end of the employment and is to be paid out'),
    entitled: amount('What the whole year gives, as far as is known'),
    accrued: amount('What the year has given so far'),
    overtime: amount('Approved overtime credited in the year so far'),
    adjusted: amount('Sum of the adjustments in the year so far'),
    taken: amount('Approved leave in the year so far'),
    planned: amount('Approved leave later in the year'),
    pending: amount('Leave requested in the year that is not yet approved; its past days already reduce the balance'),
    available: orNull(
      amount(
        'How much more can be taken without going below the lowest balance, on this or any later date; null: no limit',
      ),
    ),
  },
  {
    title: 'LeaveFigures',
    description: 'Where the balance comes from: figures of the calendar year, in days or hours',
  },
)

const decimal = (units: number) => units / 10_000

export const shownFigures = ({ carry_over_expires, available, ...figures }: YearFigures) => ({
  ...Object.fromEntries(Object.entries(figures).map(([name, units]) => [name, decimal(units)])),
  carry_over_expires: carry_over_expires.map(({ on, amount }) => ({ on, amount: decimal(amount) })),
  available: available === null ? null : decimal(available),
})

const STATEMENT = Type.Object(
  {
    leave_type_id: Type.Integer(),
    unit: Type.Unsafe<string>({ type: 'string', enum: ['days', 'hours'] }),
    starts_on: Type.String({ format: 'date' }),
    ends_on: Type.String({ format: 'date' }),
    opening_balance: amount('Balance at the end of the day before `starts_on`'),
    closing_balance: amount('Balance at the end of `ends_on`: the opening balance and all movements'),
    movements: Type.Array(
      Type.Object(
        {
          date: Type.String({ format: 'date' }),
          reason: Type.Unsafe<string>({
            type: 'string',
            enum: [...POSTING_REASONS],
            description:
              '`credit`: given by the policy. `recalculation`: added or removed because terms, assignment, working time or employment changed. `above_maximum`: lost, because the maximum balance was reached. `not_carried_over`, `carry_over_expired`: lost at the end of the year or on a later date. `employment_ended`: what was left of a former employment; a new employment starts at 0. `paid_out`: what was left at the end of the employment and is to be paid out. `overtime`: approved overtime credited by the policy. `overtime_expired`: credited overtime that was not taken in time. `adjustment`: entered by hand. `leave`: a day of a leave request',
          }),
          amount: amount('Added to the balance; negative if it was reduced'),
          balance: amount('Balance after the movement'),
          leave_policy_id: orNull(Type.Integer({ description: 'Policy of a credit or of credited overtime' })),
          leave_adjustment_id: orNull(Type.Integer()),
          leave_request_id: orNull(Type.Integer()),
          overtime_request_id: orNull(Type.Integer()),
          state: orNull(Type.Unsafe<string>({ type: 'string', description: 'State of the leave request' })),
        },
        { title: 'LeaveMovement' },
      ),
    ),
  },
  { title: 'LeaveStatement' },
)

export const leaveStatement = operation(
  {
    id: 'getLeaveStatement',
    method: 'GET',
    path: '/employees/{employee_id}/leave_balances/{leave_type_id}/statement',
    summary: 'Get the leave statement of an employee',
    note: 'Lists every movement of a balance with its date and reason. The opening balance and the amounts add up to the closing balance exactly. Without dates, it covers the current year. Leave in advance of an assignment counts from its first day.',
    area: 'leave',
    params: Type.Object({ employee_id: recordId('employees'), leave_type_id: recordId('leave_types') }),
    query: Type.Object({
      starts_on: Type.Optional(
        Type.String({
          format: 'date',
          description: 'First day to show; by default 1 January of the year of `ends_on`',
        }),
      ),
      ends_on: Type.Optional(
        Type.String({
          format: 'date',
          description: 'Last day to show; by default 31 December of the year of `starts_on`',
        }),
      ),
    }),
    answer: wrapped(STATEMENT),
    indexedColumns: ['employee_leave_types.employee_id', 'leave_entries.employee_id'],
  },
  async ({ db, params, query }) => {
    await requireEmployee(db, params.employee_id)
    const { unit } = await find(db, leaveTypes, params.leave_type_id)
    const year = (query.starts_on ?? query.ends_on ?? db.today).slice(0, 4)
    const from = query.starts_on ?? `${year}-01-01`
    const to = query.ends_on ?? `${year}-12-31`
    if (to < from || Number(to.slice(0, 4)) - Number(from.slice(0, 4)) > LONGEST)
      throw malformed(
        wrong('ends_on', 'out_of_range', `must be on or after starts_on, and at most ${LONGEST} calendar years later`),
      )
    const key = lineKey(params)
    const line = (await linesOf(db, [params.employee_id])).get(key)
    const { balance: movements } = (await movementsOf(db, [params.employee_id])).get(key) ?? STILL
    let balance = 0
    let opening = 0
    const shown = (line ? postingsUntil(to, line, movements) : []).flatMap(
      ({ day, reason, amount, policyId, source }) => {
        balance += amount
        if (day < from) opening = balance
        if (day < from) return []
        return {
          date: day,
          reason,
          amount: decimal(amount),
          balance: decimal(balance),
          leave_policy_id: policyId ?? null,
          leave_adjustment_id: source?.kind === 'adjustment' ? source.id : null,
          leave_request_id: source?.kind === 'leave' ? source.id : null,
          overtime_request_id: source?.kind === 'overtime' ? source.id : null,
          state: source?.state ?? null,
        }
      },
    )
    return {
      body: {
        data: {
          leave_type_id: params.leave_type_id,
          unit,
          starts_on: from,
          ends_on: to,
          opening_balance: decimal(opening),
          closing_balance: decimal(balance),
          movements: shown,
        },
      },
    }
  },
)

/** Calendar years after that of the first day. */
const LONGEST = 20
