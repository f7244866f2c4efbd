import Type from 'typebox'
import type { Row, Sent } from '../../engine/declaration.ts'
import { type Body, get, list, post, put, remove } from '../../engine/derive.ts'
import { hasWords, isAnyOf, isRecord } from '../../engine/filter.ts'
import { canBecome, conflict, type FieldProblem, type Problem, wrong } from '../../engine/problem.ts'
import { amend, create, holdTo, nameable, type Rule, replaceInOrder } from '../../engine/records.ts'
import { inOrder } from '../../engine/rule.ts'
import { recordId } from '../../engine/schema.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { fieldsInput, type NewFieldValue } from '../custom/plain-values.ts'
import { checkEmployees, leaversAmong, stillHere } from '../organisation/staff.ts'
import { hiredFor } from './hires.ts'
import { vacancyFields } from './reference-data.ts'
import { wordsInput } from './skills-and-tags.ts'
import { LARGEST_SALARY, vacancies, vacancyCollaborators, vacancySkills, vacancyTags } from './vacancies.ts'
import { vacancyBoard } from './vacancy-board.ts'
import { MOVES, type VacancyState } from './vacancy-states.ts'

const salariesInOrder: Rule<typeof vacancies> = ({ after, fail }) => {
  if (after.minimum_salary !== null && after.maximum_salary !== null && after.maximum_salary < after.minimum_salary)
    fail('max_salary', 'too_small', 'cannot be less than min_salary')
}

/** A pipeline cannot change under applications, whose stages it has. */
const pipelineStays: Rule<typeof vacancies> = async ({ db, before, changes, fail }) => {
  if (!before || !changes.recruitment_pipeline_id || changes.recruitment_pipeline_id === before.recruitment_pipeline_id)
    return
  const used = await db
    .from('applications')
    .select('id')
    .where('vacancy_id', '=', before.id)
    .limit(1)
    .executeTakeFirst()
  if (used) fail('recruitment_pipeline_id', 'in_use', 'cannot be changed while the vacancy has applications')
}

/** Who was hired stays hired: there are places for all of them. */
const placesForAll: Rule<typeof vacancies> = async ({ db, before, changes, fail }) => {
  if (!before || changes.positions === undefined || changes.positions === before.positions) return
  const hired = await hiredFor(db, before.id)
  if (changes.positions < hired)
    fail('positions', 'too_small', `cannot be less than the number of people already hired, ${hired}`)
}

const rules = [
  inOrder('starts_on', 'ends_on'),
  salariesInOrder,
  pipelineStays,
  placesForAll,
  stillHere('hiring_lead_user_id'),
]
holdTo(vacancies, rules)

const salary = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  minimum: 0,
  maximum: LARGEST_SALARY,
  'x-group': 'compensation',
  examples: [50_000],
})

const more = {
  min_salary: salary,
  max_salary: salary,
  collaborator_ids: Type.Array(recordId('employees'), { maxItems: 100 }),
  tags: wordsInput,
  skills: wordsInput,
  fields: fieldsInput,
}

type VacancyBody = Body<typeof vacancies, typeof more>

/** A body's own names as the record's. */
function columnsOf({ min_salary, max_salary, ...rest }: VacancyBody): Sent<typeof vacancies> {
  return { ...rest, minimum_salary: min_salary, maximum_salary: max_salary }
}

/** Everything of a vacancy that is kept in tables of its own. */
async function storeLists(db: Writer, id: number, body: VacancyBody, values: NewFieldValue[]): Promise<void> {
  await vacancyTags.set(db, id, body.tags)
  await vacancySkills.set(db, id, body.skills)
  await vacancyFields.store(db, id, values)
  if (body.collaborator_ids === undefined) return
  const wanted = [...new Set(body.collaborator_ids)].map((user_id) => ({ user_id }))
  await replaceInOrder(db, vacancyCollaborators, { vacancy_id: id }, wanted, 'user_id')
}

/** The state that a change leads to, or why it cannot: a vacancy whose places are all filled is not open. */
async function nextState(
  db: Reader,
  before: Row<typeof vacancies>,
  sent: VacancyBody,
): Promise<{ state: VacancyState; refusal?: Problem }> {
  const state = sent.state ?? before.state
  if (state !== before.state && !MOVES[before.state].includes(state))
    return {
      state,
      refusal: conflict(
        `Vacancy ${before.id} is ${before.state} and cannot become ${state}. ${canBecome(MOVES[before.state])}`,
      ),
    }
  const positions = sent.positions ?? before.positions
  const isSame = state === before.state && positions === before.positions
  if (state !== 'opened' || isSame || (await hiredFor(db, before.id)) < positions) return { state }
  if (sent.state !== 'opened') return { state: 'closed' }
  return {
    state,
    refusal: conflict(
      `All positions of this vacancy are filled (${positions}). Increase the positions of the vacancy first.`,
    ),
  }
}

/** Collaborators exist, and those who are new to the vacancy have not left. */
async function checkCollaborators(
  db: Reader,
  vacancyId: number | null,
  ids: readonly number[] | undefined,
  problems: FieldProblem[],
): Promise<void> {
  await checkEmployees(db, 'collaborator_ids', ids, problems)
  const rows = db.from('vacancy_collaborators').select('user_id').where('vacancy_id', '=', vacancyId)
  const known = vacancyId === null ? [] : (await rows.execute()).map((row) => row.user_id)
  const fresh = ids?.filter((id) => !known.includes(id)) ?? []
  // Of those who cannot be named nothing is told, not even that they have left.
  const gone = await leaversAmong(db, [...(await nameable(db, 'employees', fresh))])
  if (gone.length > 0)
    problems.push(wrong('collaborator_ids', 'terminated', `contains employees who have left: ${gone.join(', ')}`))
}

/** Which moment a change of state opens the vacancy for the first time. */
const openedAt = (db: Reader, before: string | null, state: string | null | undefined) =>
  state === 'opened' && before === null ? { opened_at: db.now } : {}

export const vacancyOperations = [
  list(vacancies, {
    filters: {
      status: isAnyOf(vacancies, 'state', { maxItems: 20 }),
      priority: isAnyOf(vacancies, 'priority', { maxItems: 20 }),
      tag_ids: vacancyTags.byId,
      tags: vacancyTags.byName,
      department_id: isRecord(vacancies, 'department_id'),
      location_id: isRecord(vacancies, 'location_id'),
      hiring_lead_user_id: isRecord(vacancies, 'hiring_lead_user_id'),
      q: hasWords(vacancies, 'Words, or beginnings of words, in the title'),
    },
  }),
  get(vacancies),
  post(vacancies, {
    more,
    open: true,
    async store({ db, body, extra, ignored, problems }) {
      await checkCollaborators(db, null, body.collaborator_ids, problems)
      const values = await vacancyFields.read(db, { extra, fields: body.fields, ignored, problems })
      if (body.state && !['drafting', 'opened'].includes(body.state))
        problems.push(wrong('state', 'not_allowed', 'must be drafting or opened for a new vacancy'))
      const currency_code = body.currency_code ?? db.account.currency_code
      const row = { ...columnsOf(body), currency_code, ...openedAt(db, null, body.state) }
      const id = await create(db, vacancies, row, { rules, problems })
      await storeLists(db, id, body, values)
      return id
    },
  }),
  put(vacancies, {
    more,
    open: true,
    note: 'Omitted fields keep their values. An open vacancy closes if you reduce `positions` to the number of people already hired.',
    conflicts:
      'The vacancy cannot change from its current state to the one you sent (see `next_states`), or it cannot open because all positions are filled',
    async store({ db, body, extra, ignored, problems }, before) {
      const earlier = db.changeCount()
      await checkCollaborators(db, before.id, body.collaborator_ids, problems)
      const values = await vacancyFields.read(db, { extra, fields: body.fields, ignored, problems })
      if (body.currency_code === null) body.currency_code = db.account.currency_code
      const { state, refusal } = await nextState(db, before, body)
      // What is wrong with the fields is told first, all of it.
      const reachable: Rule<typeof vacancies> = (attempt) => {
        if (refusal && attempt.problems.length === 0) throw refusal
      }
      await amend(
        db,
        vacancies,
        before,
        { ...columnsOf(body), state, ...openedAt(db, before.opened_at, state) },
        { rules: [...rules, reachable], problems },
      )
      await storeLists(db, before.id, body, values)
      if (db.changeCount() > earlier) await db.touch('vacancies', [before.id])
    },
  }),
  remove(vacancies),
  vacancyBoard,
]
