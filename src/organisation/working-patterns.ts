import { plain } from '../engine/derive.ts'
import { decimal, text } from '../engine/field.ts'
import { resource } from '../engine/resource.ts'

const hours = () => decimal({ min: 0, max: 24, default: 0, example: '8.0' })

export const workingPatterns = resource(
  { table: 'working_patterns', one: 'working pattern', area: 'organisation', few: true },
  {
    name: text({ required: true, unique: true, searched: true, example: 'Long weekends' }),
    monday_hours: hours(),
    tuesday_hours: hours(),
    wednesday_hours: hours(),
    thursday_hours: hours(),
    friday_hours: hours(),
    saturday_hours: hours(),
    sunday_hours: hours(),
  },
)

export const workingPatternOperations = plain(workingPatterns, { comesWhole: true })
