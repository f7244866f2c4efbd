import { plain } from '../engine/derive.ts'
import { longText, reference, text, timeZone } from '../engine/field.ts'
import { resource } from '../engine/resource.ts'

export const locations = resource(
  { table: 'locations', one: 'location', area: 'organisation' },
  {
    name: text({ required: true, unique: true, example: 'Berlin' }),
    address: longText({ nullable: true, example: 'Invalidenstraße 116, 10115 Berlin' }),
    time_zone: timeZone({ default: 'UTC' }),
    holiday_policy_id: reference('holiday_policies'),
  },
)

export const locationOperations = plain(locations)
