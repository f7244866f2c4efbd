import { get, list, post, put, remove } from '../../engine/derive.ts'
import { choice, integer, longText, neverBlank, reference, text } from '../../engine/field.ts'
import { partsOf, type SentPart } from '../../engine/parts.ts'
import { type FieldProblem, wrong } from '../../engine/problem.ts'
import { amend, create } from '../../engine/records.ts'
import { card, resource } from '../../engine/resource.ts'
import { many } from '../../engine/shape.ts'

const area = 'reviews'

export const competencies = resource(
  { table: 'competencies', one: 'competency', area },
  {
    name: text({ required: true, unique: true, example: 'Clear writing' }),
    description: longText({ example: 'Writes so that readers know what to do' }),
    type: neverBlank(
      choice(['core', 'functional', 'leadership'], {
        default: 'core',
        note: 'Who needs the competency',
      }),
    ),
    levels: many(
      () => competencyLevels,
      'competency_id',
      () => levelCard,
      'level',
    ),
  },
)

export const competencyLevels = resource(
  { table: 'competency_levels', one: 'competency level', area, path: '/competencies/{competency_id}/levels' },
  {
    competency_id: reference('competencies', { required: true, owner: true, part: true }),
    level: integer({
      supplied: true,
      min: 0,
      max: 1000,
      note: 'Number of the level, starting at 1 for the lowest; by default the position in the list',
    }),
    name: text({ required: true, example: 'Proficient' }),
    description: longText(),
  },
)

const levelCard = card(competencyLevels, 'CompetencyLevel', ['id', 'level', 'name', 'description'])

const levels = partsOf(competencyLevels, {
  name: 'levels',
  owner: 'competency_id',
  same: 'name',
  most: 20,
  example: { name: 'Proficient', description: 'Writes clearly and helps others to improve' },
})

/** Levels with their heights, of which no two are the same. */
function ranked(sent: SentPart<typeof competencyLevels>[] | undefined, problems: FieldProblem[]) {
  const all = sent?.map((one, index) => ({ ...one, level: one.level ?? index + 1 }))
  for (const [index, { level }] of all?.entries() ?? [])
    if (all?.findIndex((other) => other.level === level) !== index)
      problems.push(wrong(`levels[${index}].level`, 'taken', 'is already used by another level'))
  return all
}

export const competencyOperations = [
  list(competencies),
  get(competencies),
  post(competencies, {
    more: { levels: levels.input },
    async store({ db, body, problems }) {
      const wanted = ranked(await levels.read(db, null, body.levels, problems), problems)
      const id = await create(db, competencies, body, { problems })
      await levels.store(db, id, wanted)
      return id
    },
  }),
  put(competencies, {
    more: { levels: levels.input },
    async store({ db, body, problems }, before) {
      const wanted = ranked(await levels.read(db, before.id, body.levels, problems), problems)
      await amend(db, competencies, before, body, { problems })
      await levels.store(db, before.id, wanted)
    },
  }),
  remove(competencies),
]
