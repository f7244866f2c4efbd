import Type, { type TSchema } from 'typebox'
import {
  datedFields,
  FOREVER,
  inForce,
  isEqual,
  mendEntries,
  ownFieldsAfter,
  ownFieldsColumn,
  ownFieldsFor,
  ownFieldsSent,
} from '../../engine/dated.ts'
import type { Field, Row, Sent } from '../../engine/declaration.ts'
import { type Body, get, list, listAll, post, put, remove } from '../../engine/derive.ts'
import {
  asNumber,
  boolean,
  choice,
  date,
  decimal,
  integer,
  loadedTogether,
  objectList,
  reference,
  text,
} from '../../engine/field.ts'
import { isRecord } from '../../engine/filter.ts'
import { FIRST_DAY, isDate } from '../../engine/format.ts'
import { conflict, type FieldProblem, refuse, wrong } from '../../engine/problem.ts'
import {
  type Attempt,
  amend,
  attempt,
  checkAll,
  create,
  erase,
  find,
  holdTo,
  insertAll,
  type Rule,
  rowsOf,
  storeChanges,
} from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import type { AgeStep, TenureStep } from './entitlement.ts'
import { isNamedIn } from './leave-types.ts'
import { PAY_PERIODS } from './pay-periods.ts'

/** The policies by which leave is granted, and their terms, which change from a day on. */

const area = 'leave'

const ACTIVITIES = ['not_working_paid', 'not_working_unpaid', 'working_paid'] as const

/** What a policy says from a day on. */
const termFields = {
  activity_type: choice(ACTIVITIES, { default: 'not_working_paid' }),
  counted_as: choice(['working_days', 'calendar_days'], { default: 'working_days' }),
  yearly_amount: asNumber(
    decimal({
      min: 0,
      max: 10_000,
      note: 'Leave per year for full time, in days or hours (the unit of the leave type); required for the type `accrual`, unless `credit` is `hours_worked`: then it is the most that a calendar year gives, and null means no limit. With monthly or yearly credit, each month gives one twelfth of the amount that applies on its first day',
      example: '24',
    }),
  ),
  part_time: choice(['same', 'by_hours', 'by_days'], {
    default: 'same',
    note: 'Leave of people who work part-time: the same as for full time, by their weekly hours (`full_time_hours`), or by their working days per week (`full_time_days`). Follows the working pattern day by day; people without a pattern count as full-time',
    example: 'by_days',
  }),
  full_time_hours: asNumber(
    decimal({
      min: 0.5,
      max: 168,
      default: 40,
      note: 'Weekly hours to which `yearly_amount` applies, for `part_time: by_hours`',
      example: '40',
    }),
  ),
  full_time_days: asNumber(
    decimal({
      min: 0.5,
      max: 7,
      default: 5,
      note: 'Working days per week to which `yearly_amount` applies, for `part_time: by_days`',
      example: '5',
    }),
  ),
  tenure_steps: objectList<TenureStep>(
    {
      years: integer({ required: true, min: 1, max: 80, note: 'Whole years of service', example: 5 }),
      yearly_amount: asNumber(
        decimal({ required: true, min: 0, max: 10_000, note: '`yearly_amount` from then on', example: '28' }),
      ),
    },
    {
      maxItems: 20,
      note: 'Other yearly amounts from a number of years of service on, counted from `hired_on`',
      example: [{ years: 5, yearly_amount: '28' }],
    },
  ),
  tenure_steps_from: choice(['anniversary', 'start_of_month', 'start_of_year'], {
    default: 'anniversary',
    note: 'When a tenure step begins to apply: on the anniversary of `hired_on`, or already on the first day of its month or year',
    example: 'anniversary',
  }),
  age_steps: objectList<AgeStep>(
    {
      age: integer({ required: true, min: 1, max: 120, note: 'Age in whole years', example: 50 }),
      yearly_amount: asNumber(
        decimal({ required: true, min: 0, max: 10_000, note: '`yearly_amount` from then on', example: '30' }),
      ),
    },
    {
      maxItems: 20,
      note: 'Other yearly amounts from an age on, counted from `date_of_birth`. If somebody has reached a tenure step too, the higher amount applies. People without a date of birth have no such steps. Only callers who can see `personal` can set them. Balances and statements still follow from them: they show everybody who may read them the month or year in which somebody reaches a step, but no date of birth',
      example: [{ age: 50, yearly_amount: '30' }],
    },
  ),
  age_steps_from: choice(['start_of_month', 'start_of_next_month', 'start_of_year'], {
    default: 'start_of_month',
    note: 'When an age step begins to apply: on the first day of the month or year of the birthday, or of the month after it. Choose the month after it for steps that give less than before. Never on the birthday itself, because statements would show it',
    example: 'start_of_month',
  }),
  credit: choice(['monthly', 'yearly', ...PAY_PERIODS, 'hours_worked'], {
    note: 'When the leave of the year is added to the balance; required for the type `accrual`. A pay period (`weekly`, `every_two_weeks`, or `twice_a_month`: from the 1st and from the 16th) gives the yearly amount ÷ the number of pay periods that start in the calendar year, or that end in it with `credit_at: end_of_period`. `hours_worked` adds leave for approved working time at the end of each month. If it changes, the terms of the first day of a month decide whether the month gives a twelfth or its pay periods count, and a pay period counts only with its days in months with pay periods. Hours worked count by the terms of their day',
    example: 'monthly',
  }),
  pay_period_starts_on: date({
    note: 'First day of any pay period; required if `credit` is `weekly` or `every_two_weeks`, otherwise it has no effect',
    example: '2030-01-07',
  }),
  hours_worked_percentage: asNumber(
    decimal({
      min: 0.0001,
      max: 100,
      note: 'Leave in percent of the hours worked; required if `credit` is `hours_worked`, otherwise it has no effect. Approved time entries of the type `working` count, without missing breaks, as on timesheets. For leave in days, a day has `full_time_hours` ÷ `full_time_days` hours. `credit_at`, `proration` and `part_time` have no effect then',
      example: '12.07',
    }),
  ),
  credit_at: choice(['start_of_period', 'end_of_period'], {
    default: 'start_of_period',
    note: 'Whether the leave of a month, year or pay period is added at its start (on the first day of employment in it) or at its end. No effect if `credit` is `hours_worked`',
    example: 'start_of_period',
  }),
  proration: choice(['started_months', 'full_months', 'half_months', 'fifteen_days', 'by_day'], {
    default: 'started_months',
    note: 'What the month gives in which the employment or assignment starts or ends: the whole twelfth (`started_months`), nothing (`full_months`), half of it for each complete half, until the 15th and from the 16th on (`half_months`), the whole twelfth for at least 15 days (`fifteen_days`), or a part for each day (`by_day`). `started_months`, `full_months` and `by_day` apply to pay periods in the same way; the others are not possible with pay periods. No effect if `credit` is `hours_worked`',
    example: 'started_months',
  }),
  rounding: choice(['none', 'up', 'down', 'nearest'], {
    default: 'none',
    note: 'How the leave of the year so far is rounded to a multiple of `rounding_step`; a half is rounded up by `nearest`',
    example: 'nearest',
  }),
  rounding_step: asNumber(
    decimal({ min: 0.01, max: 100, default: 1, note: 'For example 0.25, 0.5 or 1', example: '0.5' }),
  ),
  carry_over_until: text({
    max: 5,
    note: 'Last day, as `MM-DD`, on which leave of the year before can be taken; null: it does not expire. What expires first is taken first, then the oldest',
    example: '03-31',
  }),
  carry_over_months: integer({
    min: 1,
    max: 120,
    note: 'Number of months after the end of the year in which its leave can still be taken. With `carry_over_until` too, the earlier day counts',
    example: 15,
  }),
  maximum_balance: asNumber(
    decimal({
      min: 0,
      max: 10_000,
      note: 'Highest balance to which credits may lead; the rest of a credit is lost. Null: no maximum',
      example: '45',
    }),
  ),
  carry_over_limit: asNumber(
    decimal({
      min: 0,
      max: 10_000,
      note: 'Maximum balance carried over into the next year, in days or hours; the rest expires at the end of the year. The limit that applies on 31 December decides. Null: no limit',
      example: '5',
    }),
  ),
  floor: asNumber(
    decimal({
      min: -10_000,
      max: 0,
      default: 0,
      note: 'Lowest balance to which a leave request may lead, in days or hours; -3 allows three days of debt. Adjustments and recalculated leave days can lead to a lower balance',
      example: '0',
    }),
  ),
  overtime_factor: asNumber(
    decimal({
      min: 0.01,
      max: 10,
      note: 'Approved overtime is added to the balance as time off in lieu, multiplied by this factor; null: it is not. For leave in days, a day has `full_time_hours` ÷ `full_time_days` hours. Each policy with a factor credits the same overtime, so give people one such policy',
      example: '1.5',
    }),
  ),
  overtime_months: integer({
    min: 1,
    max: 120,
    note: 'Number of months after the day of the overtime in which it can be taken; null: as long as other leave of the year. `carry_over_limit` does not apply to it. What expires first is taken first',
    example: 6,
  }),
  on_leaving: choice(['paid_out'], {
    note: 'What becomes of leave that is left when somebody leaves, if the policy applies on the last day of employment. `paid_out`: `GET /leave_payouts` lists it for payroll, and the balance is 0 from then on; null: it stays in the balance',
    example: 'paid_out',
  }),
  paid_percentage: asNumber(
    decimal({
      min: 0,
      max: 100,
      note: 'Part of pay during the leave, for payroll; null: all of it, or nothing if `activity_type` is `not_working_unpaid`',
      example: '80',
    }),
  ),
  waiting_period: integer({
    min: 1,
    max: 3650,
    note: 'Time after `hired_on` before which the leave cannot be taken, in `waiting_period_unit`; null: none',
    example: 6,
  }),
  waiting_period_unit: choice(['days', 'weeks', 'months'], {
    default: 'months',
    note: 'Unit of `waiting_period`',
    example: 'months',
  }),
  allowed_in_probation: boolean({
    default: true,
    note: 'Whether the leave can be taken until `probation_ends_on`',
  }),
  notice_days: integer({
    min: 1,
    max: 730,
    note: 'Days between the request and the first day of leave; null: leave can be requested at short notice and afterwards',
    example: 14,
  }),
  day_amounts: choice(['any', 'half_days', 'whole_days'], {
    default: 'any',
    note: 'Which parts of a day can be taken',
    example: 'half_days',
  }),
  minimum_amount: asNumber(
    decimal({
      min: 0,
      max: 10_000,
      note: 'Least leave in a row, in days or hours. Requests without a working day between them count as one; null: no minimum',
      example: '1',
    }),
  ),
  maximum_amount: asNumber(
    decimal({
      min: 0,
      max: 10_000,
      note: 'Most leave in a row, in days or hours, counted like `minimum_amount`; null: no maximum',
      example: '15',
    }),
  ),
  monthly_maximum: asNumber(
    decimal({
      min: 0,
      max: 10_000,
      note: 'Most leave in a calendar month, in days or hours; null: no maximum',
      example: '2',
    }),
  ),
  yearly_maximum: asNumber(
    decimal({
      min: 0,
      max: 10_000,
      note: 'Most leave in a calendar year, in days or hours; null: no maximum',
      example: '10',
    }),
  ),
  attachment_from_day: integer({
    min: 1,
    max: 366,
    note: 'Leave of at least so many calendar days in a row is approved only with an attachment, such as a certificate; 1: always, null: never',
    example: 4,
  }),
}

/** Only callers who can see dates of birth can send these: a dry run with many steps would show the age of everybody. */
for (const name of ['age_steps', 'age_steps_from'] as const) {
  const field: Field = termFields[name]
  Object.assign(field, { input: { ...field.input, 'x-group': 'personal' } })
}

export const TERM_NAMES = Object.keys(termFields)

export const leavePolicyTerms = resource(
  {
    table: 'leave_policy_terms',
    one: 'leave policy term',
    area,
    path: '/leave_policies/{leave_policy_id}/terms',
    inherits: TERM_NAMES,
  },
  {
    leave_policy_id: reference('leave_policies', { required: true, owner: true }),
    ...datedFields,
    effective_from: date({
      required: true,
      note: `First day on which the terms apply. The first terms of a policy have always applied: they have the date ${FIRST_DAY}`,
      example: '2030-01-01',
    }),
    ...ownFieldsColumn,
    ...termFields,
  },
)

type StoredTerms = Row<typeof leavePolicyTerms>

/** The terms in force as fields of the policy: not kept with it, but shown and sent as if they were. */
function termsInForce(): Record<keyof typeof termFields, Field<never>> {
  const outputs = Object.fromEntries(
    Object.entries<Field>(termFields).map(([name, { output }]) => [name, () => output as TSchema]),
  ) as Record<keyof typeof termFields, () => TSchema>
  const fields = loadedTogether(outputs, loadTerms)
  // The ledger tells of the time when they were columns of the policy.
  for (const name of Object.keys(termFields) as (keyof typeof termFields)[])
    fields[name] = { ...fields[name], show: termFields[name].show as Field['show'] }
  return fields
}

async function loadTerms(db: Reader, ids: number[]): Promise<Map<number, Record<string, unknown>>> {
  const all = db.from('leave_policy_terms').where('leave_policy_id', 'in', ids)
  const rows = await rowsOf(leavePolicyTerms, inForce(all, 'leave_policy_terms', db.view.day))
  const shown = (row: StoredTerms) =>
    Object.fromEntries(
      Object.entries<Field>(termFields).map(([name, field]) => [name, field.show(row[name as keyof StoredTerms])]),
    )
  return new Map(rows.map((row) => [row.leave_policy_id, shown(row)]))
}

export const leavePolicies = resource(
  { table: 'leave_policies', one: 'leave policy', area },
  {
    name: text({ required: true, unique: true, searched: true, example: '24 days a year' }),
    leave_type_id: reference('leave_types', { required: true }),
    type: choice(['accrual', 'manual', 'external'], { default: 'manual', example: 'accrual' }),
    visibility: boolean({
      default: true,
      note: 'Whether colleagues can see the leave type. If false, they see only that the person is away',
    }),
    ...termsInForce(),
  },
)

/** The terms as a body sends them beside the fields of the policy. */
const sentTerms = Object.fromEntries(
  Object.entries<Field>(termFields).map(([name, { input }]) => [name, input as TSchema]),
) as Record<keyof typeof termFields, TSchema>

const sentFrom = Type.String({
  format: 'date',
  description: 'First day on which the changed terms apply; today by default',
  examples: ['2030-01-01'],
})

type LeavePolicy = Row<typeof leavePolicies>
type PolicyBody = Body<typeof leavePolicies, typeof sentTerms>

const termsIn = (body: PolicyBody): Sent<typeof leavePolicyTerms> =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name in termFields))

/** As `MM-DD`, in every year. */
const isDayOfYear = (text: string) => /^\d\d-\d\d$/.test(text) && isDate(`2023-${text}`)

/** An accrual says how much and when, and what terms say fits together. */
export function checkWhole(
  type: string,
  { after, fail }: Pick<Attempt<typeof leavePolicyTerms>, 'after' | 'fail'>,
): void {
  const { carry_over_until: lastDay, tenure_steps: steps, age_steps } = after
  if (lastDay !== null && !isDayOfYear(lastDay))
    fail('carry_over_until', 'invalid', 'must be a day of the year as MM-DD, such as 03-31, but not 02-29')
  const { paid_percentage: paid, activity_type, minimum_amount: least, maximum_amount: most } = after
  if (paid !== null && paid > 0 && activity_type === 'not_working_unpaid')
    fail('paid_percentage', 'mismatch', 'must be 0 or null when activity_type is not_working_unpaid')
  if (least !== null && most !== null && least > most)
    fail('maximum_amount', 'too_small', 'cannot be lower than minimum_amount')
  if (new Set(steps.map(({ years }) => years)).size < steps.length)
    fail('tenure_steps', 'repeated', 'must not contain the same number of years twice')
  if (new Set(age_steps.map(({ age }) => age)).size < age_steps.length)
    fail('age_steps', 'repeated', 'must not contain the same age twice')
  if (type === 'external' && after.overtime_factor !== null)
    fail('overtime_factor', 'mismatch', 'must be null when type is external, because Cadre keeps no balance then')
  if (type === 'external' && after.on_leaving !== null)
    fail('on_leaving', 'mismatch', 'must be null when type is external, because Cadre keeps no balance then')
  if (type === 'accrual') checkAccrual(after, fail)
}

function checkAccrual(
  { credit, yearly_amount, pay_period_starts_on, hours_worked_percentage, proration }: StoredTerms,
  fail: Attempt<typeof leavePolicyTerms>['fail'],
): void {
  if (credit === null) fail('credit', 'required', 'is required when type is accrual')
  if (yearly_amount === null && credit !== 'hours_worked')
    fail('yearly_amount', 'required', 'is required when type is accrual, unless credit is hours_worked')
  if ((credit === 'weekly' || credit === 'every_two_weeks') && pay_period_starts_on === null)
    fail('pay_period_starts_on', 'required', `is required when credit is ${credit}: the first day of any pay period`)
  if (credit === 'hours_worked' && hours_worked_percentage === null)
    fail('hours_worked_percentage', 'required', 'is required when credit is hours_worked')
  const isByPayPeriod = (PAY_PERIODS as readonly (string | null)[]).includes(credit)
  if (isByPayPeriod && (proration === 'half_months' || proration === 'fifteen_days'))
    fail('proration', 'mismatch', `must be started_months, full_months or by_day when credit is ${credit}`)
}

/** Names the terms that are meant, where they are not those that were sent. */
const ofTerms = ({ after, fail }: Attempt<typeof leavePolicyTerms>): Parameters<typeof checkWhole>[1] => ({
  after,
  fail: (field, code, message) =>
    fail(
      field,
      code,
      `${message}, also in the ${after.effective_from === FIRST_DAY ? 'first terms' : `terms from ${after.effective_from}`}`,
    ),
})

const isWhole: Rule<typeof leavePolicyTerms> = async (one) => {
  // Without a first day it is not known what they go on from.
  if (one.after.effective_from) checkWhole((await find(one.db, leavePolicies, one.after.leave_policy_id)).type, one)
}

const oneADay: Rule<typeof leavePolicyTerms> = async ({ db, after, changes, fail }) => {
  if (!changes.effective_from) return
  const same = db.from('leave_policy_terms').where('effective_from', '=', after.effective_from)
  const [duplicate] = await rowsOf(leavePolicyTerms, same.where('leave_policy_id', '=', after.leave_policy_id))
  if (duplicate && duplicate.id !== after.id)
    fail(
      'effective_from',
      'taken',
      'is already the first day of other terms of this policy. Change those terms, or choose another day',
    )
}
holdTo(leavePolicyTerms, [oneADay, isWhole])

const termsOn = async (db: Reader, policyId: number, day: string): Promise<StoredTerms | undefined> => {
  const all = db.from('leave_policy_terms').where('leave_policy_id', '=', policyId)
  return (await rowsOf(leavePolicyTerms, inForce(all, 'leave_policy_terms', day)))[0]
}

async function createPolicy(db: Writer, body: PolicyBody, problems: FieldProblem[]): Promise<number> {
  const terms = attempt(db, leavePolicyTerms, null, termsIn(body), problems)
  checkWhole(body.type ?? leavePolicies.fields.type.initial, terms)
  const id = await create(db, leavePolicies, body, { problems })
  const always = { leave_policy_id: id, effective_from: FIRST_DAY, effective_until: FOREVER }
  await insertAll(db, leavePolicyTerms, [{ ...terms.after, ...always }])
  return id
}

export const POLICY_USES: [string, string][] = ['employee_leave_types', 'leave_requests', 'leave_entries'].map(
  (table) => [table, 'leave_type_policy_id'],
)

/** By its type and kind balances were counted: a policy in use keeps them. */
async function refuseOtherKind(db: Reader, before: LeavePolicy, after: LeavePolicy): Promise<void> {
  const isOther = after.type !== before.type || after.leave_type_id !== before.leave_type_id
  if (isOther && (await isNamedIn(db, POLICY_USES, before.id)))
    throw conflict(
      'This leave policy is in use, so its type and leave_type_id cannot be changed. Create a new policy instead.',
      'in_use',
    )
}

async function changePolicy(
  db: Writer,
  before: LeavePolicy,
  body: PolicyBody & { effective_from?: string },
  problems: FieldProblem[],
): Promise<void> {
  const { effective_from: from = db.today, ...sent } = body
  const policy = attempt(db, leavePolicies, before, sent, problems)
  await checkAll(db, leavePolicies, [policy])
  await refuseOtherKind(db, before, policy.after)
  const then = await termsOn(db, before.id, from)
  if (!then) throw new Error(`No row of leave_policy_terms applies to leave policy ${before.id} on ${from}`)
  const terms = attempt(db, leavePolicyTerms, then, termsIn(sent), problems)
  checkWhole(policy.after.type, terms)
  // What becomes an accrual must have been whole from the first day on.
  if (policy.after.type !== before.type)
    for (const other of await rowsOf(leavePolicyTerms, termsOfPolicy(db, before.id)))
      if (other.id !== then.id || then.effective_from !== from)
        checkWhole(policy.after.type, ofTerms(attempt(db, leavePolicyTerms, other, {}, problems)))
  refuse(problems)
  await storeChanges(db, leavePolicies, [policy])
  const isChange = Object.entries(terms.changes).some(
    ([name, value]) => !isEqual(then[name as keyof StoredTerms], value),
  )
  if (!isChange) return
  const isSame = then.effective_from === from
  const own = ownFieldsFor(leavePolicyTerms, terms, isSame)
  if (isSame) await storeChanges(db, leavePolicyTerms, [{ ...terms, changes: { ...terms.changes, ...own } }])
  else await insertAll(db, leavePolicyTerms, [{ ...terms.after, ...own, effective_from: from }])
  await settle(db, before.id)
}

const termsOfPolicy = (db: Reader, id: number) => db.from('leave_policy_terms').where('leave_policy_id', '=', id)

/** Mends what follows from a change of terms: later terms inherit it, and must still fit together; the policy has changed. */
async function settle(db: Writer, policyId: number): Promise<void> {
  await mendEntries(db, leavePolicyTerms, 'leave_policy_id', [policyId])
  const { type } = await find(db, leavePolicies, policyId)
  const problems: FieldProblem[] = []
  for (const terms of await rowsOf(leavePolicyTerms, termsOfPolicy(db, policyId)))
    checkWhole(type, ofTerms(attempt(db, leavePolicyTerms, terms, {}, problems)))
  refuse(problems)
  await db.touch('leave_policies', [policyId])
}

const BEGUN = 'The terms are already in effect: only terms that start in the future can be changed or deleted'

function refuseBegun(db: Reader, { effective_from }: StoredTerms): void {
  if (effective_from > db.today) return
  const since = effective_from === FIRST_DAY ? 'from the beginning' : `from ${effective_from}`
  throw conflict(
    `These terms apply ${since}, so they are already in effect and can no longer be changed or deleted. Add new terms from a later day instead.`,
  )
}

/** Every day of leave is counted by the terms of its day. */
const MOST_TERMS = 60

export const leavePolicyOperations = [
  list(leavePolicies, { filters: { leave_type_id: isRecord(leavePolicies, 'leave_type_id') } }),
  get(leavePolicies),
  post(leavePolicies, {
    more: sentTerms,
    note: 'The amounts and rules you send apply to all dates, past and future. To let others apply from a date on, update the policy with `effective_from`.',
    store: ({ db, body, problems }) => createPolicy(db, body, problems),
  }),
  put(leavePolicies, {
    more: { ...sentTerms, effective_from: sentFrom },
    note: 'Omitted fields keep their values. All fields but `name`, `leave_type_id`, `type` and `visibility` are terms. They change from `effective_from` on, until the date of later terms; balances of earlier dates do not change. The response always shows the terms of today. Other fields change for all dates.',
    conflicts: '`type` and `leave_type_id` cannot change once the policy is in use',
    store: ({ db, body, problems }, before) => changePolicy(db, before, body, problems),
  }),
  remove(leavePolicies),
  listAll(leavePolicyTerms),
  get(leavePolicyTerms),
  post(leavePolicyTerms, {
    most: MOST_TERMS,
    note: 'Omitted fields take the values of the previous terms; if those change later, so do they.',
    async store({ db, body, params, problems }) {
      const from = body.effective_from
      const { id: _, ...earlier }: Partial<StoredTerms> =
        (from && (await termsOn(db, params.leave_policy_id, from))) || {}
      const one = attempt(db, leavePolicyTerms, null, body, problems)
      one.after = { ...one.after, ...earlier, ...one.changes, ...ownFieldsSent(leavePolicyTerms, body) }
      await checkAll(db, leavePolicyTerms, [one], [oneADay, isWhole])
      refuse(problems)
      const [id] = await insertAll(db, leavePolicyTerms, [one.after])
      await settle(db, params.leave_policy_id)
      return id as number
    },
  }),
  put(leavePolicyTerms, {
    note: 'Omitted fields keep their values. Only terms that have not started can be updated.',
    conflicts: BEGUN,
    async store({ db, body, params, problems }, before) {
      refuseBegun(db, before)
      if (body.effective_from && body.effective_from < db.today)
        problems.push(
          wrong('effective_from', 'in_the_past', 'cannot be in the past, because past balances do not change'),
        )
      const count = db.changeCount()
      const { changes } = attempt(db, leavePolicyTerms, before, body)
      const sent = { ...body, ...ownFieldsAfter(leavePolicyTerms, before, changes) }
      await amend(db, leavePolicyTerms, before, sent, { rules: [oneADay, isWhole], problems })
      if (db.changeCount() > count) await settle(db, params.leave_policy_id)
    },
  }),
  remove(leavePolicyTerms, {
    note: 'Only terms that have not started can be deleted; the previous terms then continue to apply.',
    conflicts: BEGUN,
    async store({ db, params }, before) {
      refuseBegun(db, before)
      await erase(db, leavePolicyTerms, before)
      await settle(db, params.leave_policy_id)
    },
  }),
]
