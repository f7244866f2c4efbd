import { plain } from '../../engine/derive.ts'
import { country, longText, reference, region, text, timeZone } from '../../engine/field.ts'
import type { Rule } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { regionProblem } from './holiday-regions.ts'

export const locations = resource(
  { table: 'locations', one: 'location', area: 'organisation', isLookup: true },
  {
    name: text({ required: true, unique: true, searched: true, example: 'Lisbon' }),
    address: longText({ nullable: true, example: 'Rua Augusta 1, 1100-048 Lisboa' }),
    country_code: country({ example: 'PT' }),
    region_code: region({
      note: 'Region whose public holidays people have here, in addition to those of the whole country; null: the region of the holiday policy. `GET /holiday_regions` lists the regions of a country',
      example: null,
    }),
    time_zone: timeZone({ default: 'UTC', example: 'Europe/Lisbon' }),
    holiday_policy_id: reference('holiday_policies'),
  },
)

/** A region is in the country of the holiday policy, as its holidays come from there. */
const regionIsInCountry: Rule<typeof locations> = async ({ db, before, after, fail }) => {
  const { region_code, holiday_policy_id } = after
  if (!region_code) return
  const isSame = (['region_code', 'country_code', 'holiday_policy_id'] as const).every(
    (name) => before?.[name] === after[name],
  )
  if (isSame) return
  const policy =
    holiday_policy_id &&
    (await db.from('holiday_policies').select('country_code').where('id', '=', holiday_policy_id).executeTakeFirst())
  const problem = policy
    ? regionProblem(region_code, policy.country_code, 'the country of the holiday policy')
    : regionProblem(region_code, after.country_code, 'the country of the location')
  if (problem) fail('region_code', ...problem)
}

export const locationOperations = plain(locations, { rules: [regionIsInCountry] })
