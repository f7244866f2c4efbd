import Type from 'typebox'
import type { Row } from '../../engine/declaration.ts'
import {
  boolean,
  country,
  date,
  derived,
  hidden,
  integer,
  notInFeed,
  readOnly,
  reference,
  region,
  text,
} from '../../engine/field.ts'
import { resource } from '../../engine/resource.ts'

export const holidayPolicies = resource(
  { table: 'holiday_policies', one: 'holiday policy', area: 'organisation' },
  {
    name: text({ required: true, unique: true, searched: true, example: 'Germany' }),
    country_code: country({ required: true }),
    region_code: region({
      note: 'Region whose public holidays people have too, if their location has no region of its own; null: only those of the whole country. `GET /holiday_regions` lists the regions of a country',
    }),
    // The years of which it has records.
    filled_from: hidden(integer(), notInFeed('Its holidays have entries of their own')),
    filled_until: hidden(integer(), notInFeed('Its holidays have entries of their own')),
    earlier_country_code: hidden(country(), notInFeed('The previous country is in the entry that changed it')),
  },
)

/** The longest holiday in days. */
export const LONGEST = 31
export const EXAMPLE = '2030-05-02'

export const holidays = resource(
  { table: 'holidays', one: 'holiday', area: 'organisation' },
  {
    holiday_policy_id: reference('holiday_policies', { required: true, owner: true }),
    region_code: region({
      note: 'Region whose people have the holiday; null: everybody under the holiday policy. A person’s region is that of their location, or else that of the policy',
    }),
    name: text({ required: true, example: 'Founders’ Day' }),
    occurs_on: date({ required: true, note: 'First day of the holiday', example: EXAMPLE }),
    starts_on: derived(Type.String({ format: 'date' }), ['occurs_on'], (row) => row.occurs_on),
    ends_on: date({
      supplied: true,
      note: `Last day of the holiday; null: the same as the first day. A holiday lasts at most ${LONGEST} days`,
      example: EXAMPLE,
    }),
    half_day: boolean({ default: false, note: 'Whether only half of the day is free' }),
    working: boolean({
      default: false,
      note: 'Whether people work on the holiday. `compensated_on` can give them another day off',
    }),
    observed_on: date({
      note: 'Date that is free instead of the holiday itself, for example because the holiday falls on a weekend; only for holidays of one day',
      example: '2030-05-03',
    }),
    compensated_on: date({
      note: 'Date that is free as compensation if people work on the holiday (`working`)',
      example: '2030-05-06',
    }),
    generated: readOnly(
      boolean({
        default: false,
        note: 'Whether Cadre created the holiday from the country of the policy, and nobody has changed it since. Such holidays are replaced if the country changes',
      }),
    ),
    // What follows from all of these for those who have the holiday.
    free_from: hidden(date(), notInFeed('Follows from the days above')),
    free_until: hidden(date(), notInFeed('Follows from the days above')),
  },
)

export type Holiday = Row<typeof holidays>

/** The days that are free because of a holiday: its own, or the one that stands in for them. */
export function freeRange({ occurs_on, ends_on, working, observed_on, compensated_on }: Omit<Holiday, 'id'>) {
  if (working) return { free_from: compensated_on, free_until: compensated_on }
  return { free_from: observed_on ?? occurs_on, free_until: observed_on ?? ends_on }
}
