import type { Sent } from '../../engine/declaration.ts'
import { choice, currency, decimal, integer, neverBlank, text, timeZone } from '../../engine/field.ts'
import { operation } from '../../engine/operation.ts'
import { conflict, refuse } from '../../engine/problem.ts'
import { amend, holdTo, type Rule, rowsOf } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { bodySchema, schemaOf, wrapped } from '../../engine/schema.ts'
import { show } from '../../engine/shape.ts'
import type { UndoGuard } from '../../engine/undo/guards.ts'
import type { Reader } from '../../records/reader.ts'

/**
 * What the whole account has in common. Every account has one such record from its first moment on, which every request
 * reads anew: a change holds from the next one on, in whichever process.
 */
export const companies = resource(
  { table: 'companies', one: 'company', area: 'organisation' },
  {
    name: text({ required: true, note: 'Company name, also shown to applicants', example: 'Acme' }),
    time_zone: timeZone({
      required: true,
      note: 'Time zone of the company, and of people without a location. It decides what date today is. A new time zone applies from now on and does not change stored dates',
    }),
    currency_code: currency({
      required: true,
      note: 'Default currency of new amounts. A new currency does not change stored amounts',
    }),
    tenure_from: neverBlank(
      choice(['last_hire', 'first_hire', 'bridged'], {
        default: 'last_hire',
        note: 'From when tenure counts for people who were employed before: since the last hire, since the first hire, or `bridged`: since the first of the employments with gaps of at most `tenure_gap_months` between them. Work anniversaries, tenure in reports and tenure steps of leave policies follow from it',
      }),
    ),
    full_time_hours: neverBlank(
      decimal({
        default: 40,
        min: 1,
        max: 168,
        note: 'Weekly hours of full time: `full_time_equivalent` of employees and reports is the part of it that somebody works. New hours apply from today on, to everybody; past days keep theirs',
        example: '40.0',
      }),
    ),
    tenure_gap_months: integer({
      min: 0,
      max: 600,
      note: 'Longest gap between two employments that does not interrupt tenure; required if `tenure_from` is `bridged`',
      example: 6,
    }),
  },
)

const gapIsGiven: Rule<typeof companies> = ({ after, fail }) => {
  if (after.tenure_from === 'bridged' && after.tenure_gap_months === null)
    fail('tenure_gap_months', 'required', 'is required if tenure_from is bridged')
}
holdTo(companies, [gapIsGiven])

const stored = async (db: Reader) => {
  const [only] = await rowsOf(companies, db.from('companies'))
  if (!only) throw new Error(`Account ${db.account.id} has no company`)
  return only
}

const answer = async (db: Reader) => {
  const [data] = await show(db, companies.whole, [(await stored(db)).id])
  return { body: { data } }
}

const place = { area: 'organisation', path: '/company', answer: wrapped(schemaOf(companies.whole)) }

export const companyOperations = [
  operation({ ...place, id: 'getCompany', method: 'GET', summary: 'Get the company settings' }, ({ db }) => answer(db)),
  operation(
    {
      ...place,
      id: 'updateCompany',
      method: 'PUT',
      summary: 'Update the company settings',
      note: 'Omitted fields keep their values. Changes apply from the next request on: the new time zone decides what date today is, and new amounts use the new currency. Stored dates and amounts do not change.',
      body: bodySchema(companies, 'update'),
      gathers: true,
    },
    async ({ db, body, problems }) => {
      const before = await stored(db)
      refuse(problems)
      await amend(db, companies, before, body as Sent<typeof companies>, { rules: [gapIsGiven] })
      return answer(db)
    },
  ),
]

/** What an account was made with can be changed, and not be taken from it. */
export const companyStays: UndoGuard = {
  tables: [companies.table],
  async check(_, changes) {
    if (changes.some(({ action }) => action !== 'update'))
      throw conflict('This cannot be undone: an account always has exactly one company. Change the company instead.')
  },
}
