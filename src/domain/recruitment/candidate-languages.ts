import Type from 'typebox'
import { choice, reference, text } from '../../engine/field.ts'
import { type FieldProblem, wrong } from '../../engine/problem.ts'
import { amend, erase, insertAll, rowsOf } from '../../engine/records.ts'
import { card, resource } from '../../engine/resource.ts'
import { many } from '../../engine/shape.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'

/** Which languages candidates speak, and how well. */

const CODES = new Set(
  (
    'aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el ' +
    'en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ' +
    'ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na ' +
    'nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so ' +
    'sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu'
  ).split(' '),
)

/** As the Common European Framework of Reference for Languages has them, and one that it does not. */
export const LEVELS = ['a1', 'a2', 'b1', 'b2', 'c1', 'c2', 'native'] as const
type LanguageLevel = (typeof LEVELS)[number]

export const candidateLanguages = resource(
  { table: 'candidate_languages', one: 'candidate language', area: 'recruitment' },
  {
    candidate_id: reference('candidates', { required: true, owner: true, part: true }),
    code: text({ required: true, note: 'Language code (ISO 639-1)', example: 'en' }),
    level: choice(LEVELS, { note: 'Language level (CEFR); null if unknown' }),
  },
)

const languageCard = card(candidateLanguages, 'CandidateLanguage', ['id', 'code', 'level'])

export const languagesField = many(
  () => candidateLanguages,
  'candidate_id',
  () => languageCard,
)

type Language = { code: string; level: LanguageLevel | null }

export const languagesInput = Type.Array(
  Type.Object({
    code: Type.String({ format: 'line', maxLength: 255, description: 'Language code (ISO 639-1)' }),
    level: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        format: 'line',
        maxLength: 255,
        description: `Language level (CEFR), from the lowest to the highest: ${LEVELS.join(', ')} (native speaker)`,
      }),
    ),
  }),
  {
    maxItems: 100,
    description: 'All languages of the candidate. Languages that you do not send are removed',
    examples: [[{ code: 'en', level: 'c1' }]],
  },
)

export type LanguagesInput = readonly { code: string; level?: string | null }[] | null | undefined

/** The languages that were sent, in lower case; undefined when none were. */
export function readLanguages(sent: LanguagesInput, problems: FieldProblem[]): Language[] | undefined {
  const read = sent?.map(({ code, level }) => ({ code: code.toLowerCase(), level: level?.toLowerCase() ?? null }))
  const seen = new Set<string>()
  for (const [index, { code, level }] of (read ?? []).entries()) {
    const at = (name: string) => `languages[${index}].${name}`
    if (!CODES.has(code)) problems.push(wrong(at('code'), 'invalid', 'must be an ISO 639-1 language code like en'))
    else if (seen.has(code)) problems.push(wrong(at('code'), 'repeated', 'occurs more than once'))
    seen.add(code)
    if (level !== null && !LEVELS.includes(level as LanguageLevel))
      problems.push(wrong(at('level'), 'not_allowed', `must be one of ${LEVELS.join(', ')}`))
  }
  return sent === null ? [] : (read as Language[] | undefined)
}

const languagesOf = (db: Reader, id: number) =>
  rowsOf(candidateLanguages, db.from('candidate_languages').where('candidate_id', '=', id))

/** Makes the languages of a candidate those that are wanted; what stays keeps its id. */
export async function storeLanguages(db: Writer, id: number, wanted: readonly Language[] | undefined): Promise<void> {
  if (wanted === undefined) return
  const missing = new Map(wanted.map((one) => [one.code, one]))
  for (const row of await languagesOf(db, id)) {
    const one = missing.get(row.code)
    missing.delete(row.code)
    if (one) await amend(db, candidateLanguages, row, { level: one.level })
    else await erase(db, candidateLanguages, row)
  }
  await insertAll(
    db,
    candidateLanguages,
    [...missing.values()].map((one) => ({ ...one, candidate_id: id })),
  )
}
