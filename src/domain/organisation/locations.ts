import { plain } from '../../engine/derive.ts'
import { country, longText, reference, text, timeZone } from '../../engine/field.ts'
import { resource } from '../../engine/resource.ts'

export const locations = resource(
  { table: 'locations', one: 'location', area: 'organisation', isLookup: true },
  {
    name: text({ required: true, unique: true, searched: true, example: 'Lisbon' }),
    address: longText({ nullable: true, example: 'Rua Augusta 1, 1100-048 Lisboa' }),
    country_code: country({ example: 'PT' }),
    time_zone: timeZone({ default: 'UTC', example: 'Europe/Lisbon' }),
    holiday_policy_id: reference('holiday_policies'),
  },
)

export const locationOperations = plain(locations)
