import Type from 'typebox'
import { operation } from '../../engine/operation.ts'
import { wrappedList } from '../../engine/schema.ts'
import { allRegions, countryOf, regionsOf } from './public-holidays.ts'

/** What is wrong with a region of something that is in a country: a code and a message. `of` says what has the country. */
export function regionProblem(
  region: string,
  country: string | null,
  of: string,
): [code: string, message: string] | undefined {
  if (country !== null && countryOf(region) !== country)
    return ['mismatch', `must be a region of ${country}, ${of}. ${choicesIn(country)}`]
  const all = regionsOf(countryOf(region))
  if (all.some(({ code }) => code === region)) return undefined
  return ['not_found', `is not a known region. ${choicesIn(countryOf(region))}`]
}

function choicesIn(country: string): string {
  const codes = regionsOf(country).map(({ code }) => code)
  if (codes.length === 0) return `${country} has no regions with public holidays of their own: send null`
  return `Send null, or one of ${codes.join(', ')}. GET /holiday_regions?country_code=${country} returns their names`
}

const HOLIDAY_REGION = Type.Object(
  {
    code: Type.String({ description: 'Region code (ISO 3166-2)', examples: ['DE-BY'] }),
    name: Type.String({ description: 'Name of the region in its own country', examples: ['Bayern'] }),
    country_code: Type.String({ format: 'country', examples: ['DE'] }),
  },
  { title: 'HolidayRegion' },
)

export const holidayRegionOperations = [
  operation(
    {
      id: 'listHolidayRegions',
      method: 'GET',
      path: '/holiday_regions',
      summary: 'List holiday regions',
      note: 'Returns the regions of a country, or of all countries, that have public holidays of their own, for `region_code` of holiday policies, locations and holidays. The list is empty if all public holidays of the country apply everywhere.',
      area: 'organisation',
      query: Type.Object({
        country_code: Type.Optional(
          Type.String({ format: 'country', description: 'Country; all countries by default', examples: ['DE'] }),
        ),
      }),
      answer: wrappedList(HOLIDAY_REGION),
    },
    async ({ query }) => ({ body: { data: query.country_code ? regionsOf(query.country_code) : allRegions() } }),
  ),
]
