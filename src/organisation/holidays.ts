import Holidays from 'date-holidays'
import { get, list, plain, post, put, remove } from '../engine/derive.ts'
import { boolean, country, date, reference, text } from '../engine/field.ts'
import { anyRecordOf, type Filter, from, IDS, until } from '../engine/filter.ts'
import { create, insertAll, type Rule } from '../engine/records.ts'
import { resource } from '../engine/resource.ts'
import type { Writer } from '../ledger/write.ts'

export const holidayPolicies = resource(
  { table: 'holiday_policies', one: 'holiday policy', area: 'organisation' },
  {
    name: text({ required: true, unique: true, example: 'Germany' }),
    country_code: country({ required: true }),
  },
)

export const holidays = resource(
  { table: 'holidays', one: 'holiday', area: 'organisation' },
  {
    holiday_policy_id: reference('holiday_policies', { required: true, owner: true }),
    name: text({ required: true, example: 'Founders’ Day' }),
    occurs_on: date({ required: true, example: '2030-05-02' }),
    working: boolean({ default: false, note: 'A day that is worked all the same' }),
  },
)

/** The public holidays of a country in some years, as its people name them. */
export function publicHolidays(countryCode: string, years: number[]): { name: string; occurs_on: string }[] {
  const calendar = new Holidays(countryCode)
  const found = years.flatMap((year) => calendar.getHolidays(year)).filter((holiday) => holiday.type === 'public')
  const days = found.map((holiday) => ({ name: holiday.name, occurs_on: holiday.date.slice(0, 10) }))
  const once = new Map(days.map((day) => [`${day.occurs_on} ${day.name}`, day]))
  return [...once.values()]
}

/** A new policy starts with the public holidays of this year and the next. */
async function fillPolicy(db: Writer, policyId: number, countryCode: string): Promise<void> {
  const year = Number(db.today.slice(0, 4))
  const days = publicHolidays(countryCode, [year, year + 1])
  await insertAll(
    db,
    holidays,
    days.map((day) => ({ ...day, holiday_policy_id: policyId })),
  )
}

/** One policy has a day under one name once. */
const onceInPolicy: Rule<typeof holidays> = async ({ db, before, after, fail }) => {
  const twin = await db
    .from('holidays')
    .select('id')
    .where('holiday_policy_id', '=', after.holiday_policy_id ?? 0)
    .where('occurs_on', '=', after.occurs_on ?? null)
    .where('name', '=', after.name ?? '')
    .executeTakeFirst()
  if (twin && twin.id !== before?.id) fail('occurs_on', 'taken', 'already holds this holiday in the policy')
}

const atLocations: Filter = {
  schema: IDS,
  looksAt: ['holidays.holiday_policy_id'],
  narrow: (query, ids, db) =>
    ids.length
      ? query.where(
          'holidays.holiday_policy_id',
          'in',
          db.from('locations').select('holiday_policy_id').where('id', 'in', ids),
        )
      : query,
}

export const holidayPolicyOperations = [
  list(holidayPolicies),
  get(holidayPolicies),
  post(holidayPolicies, {
    note: 'It starts with the public holidays of its country for this year and the next.',
    async store({ db, body, problems }) {
      const id = await create(db, holidayPolicies, body, { problems })
      await fillPolicy(db, id, body.country_code as string)
      return id
    },
  }),
  put(holidayPolicies),
  remove(holidayPolicies),
]

export const holidayOperations = plain(holidays, {
  rules: [onceInPolicy],
  filters: {
    holiday_policy_ids: anyRecordOf(holidays, 'holiday_policy_id'),
    location_ids: atLocations,
    starts_on: from(holidays, 'occurs_on'),
    ends_on: until(holidays, 'occurs_on'),
  },
})
