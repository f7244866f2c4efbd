import Type from 'typebox'
import { AccessScope } from '../../engine/access-scope/access-scope.ts'
import { holdsFor } from '../../engine/access-scope/reader-access.ts'
import { subjectPathsOf } from '../../engine/access-scope/subjects.ts'
import type { Resource } from '../../engine/declaration.ts'
import { orNull } from '../../engine/field.ts'
import { countHeld, type HeldKind, type Holder, listHeld, readerOf, sightOf } from '../../engine/held.ts'
import { operation } from '../../engine/operation.ts'
import { permits } from '../../engine/permission.ts'
import { notFound } from '../../engine/problem.ts'
import { find } from '../../engine/records.ts'
import { recordId, wrapped } from '../../engine/schema.ts'
import type { Reader } from '../../records/reader.ts'
import { employees } from '../people/employees.ts'
import { handoverCounts } from '../people/handover-counts.ts'
import { refusePlaceholder } from '../people/placeholder.ts'
import { assignmentBody, giveAll, MOST_IDS } from './assignments.ts'

/** What somebody who leaves, or goes away for long, holds; and giving it to others in one request. */

/** So many records of each kind are listed. */
const MOST_LISTED = 100

const params = Type.Object({ id: recordId('employees') })

const RECORD = Type.Object(
  {
    id: Type.Integer({ description: 'ID to send in `ids`; the description of the kind says of which record it is' }),
    name: Type.String({ description: 'Name or title of the record, or name of the person it is about' }),
    role: Type.String({ description: 'What the employee is there, such as `team_lead`', examples: ['team_lead'] }),
    state: orNull(Type.String({ description: 'State of the record; null if it has none' })),
    starts_on: orNull(Type.String({ format: 'date' })),
    ends_on: orNull(Type.String({ format: 'date' })),
  },
  { title: 'HeldRecord' },
)

const kindOf = (held: readonly HeldKind[]) =>
  Type.Unsafe<string>({
    type: 'string',
    enum: held.map(({ kind }) => kind),
    description: held.map(({ kind, note }) => `\`${kind}\`: ${note}`).join('. '),
  })

const groupOf = (held: readonly HeldKind[]) =>
  Type.Object(
    {
      kind: kindOf(held),
      total: Type.Integer({ description: `Number of records; at most ${MOST_LISTED} of them are in \`records\`` }),
      can_be_given: Type.Boolean({ description: 'Whether you can give the records to another employee' }),
      can_be_collected: Type.Boolean({ description: 'Whether you can ask somebody to collect them (`return_to`)' }),
      is_dated: Type.Boolean({
        description: 'Whether they can be given from a future date on. Records of other kinds change at once',
      }),
      otherwise: Type.Unsafe<string>({
        type: 'string',
        enum: ['stays', 'moves', 'ends'],
        description:
          'What happens if nobody gives them: they stay with the employee (`stays`), move to the next manager (`moves`), or end with the employment (`ends`)',
      }),
      records: Type.Array(RECORD),
    },
    { title: 'HeldRecords' },
  )

const metadata = (held: readonly HeldKind[]) =>
  Type.Object(
    {
      on: Type.String({ format: 'date', description: 'Date of the list' }),
      omitted: Type.Array(kindOf(held), {
        description: 'Kinds that are left out or may be incomplete, because you may not read all of these records',
      }),
    },
    { title: 'HandoverMetadata' },
  )

export const handoverOperations = (held: readonly HeldKind[]) => [
  operation(
    {
      id: 'getHandover',
      method: 'GET',
      path: '/employees/{id}/handover',
      summary: 'List what an employee is responsible for',
      note: `Lists direct reports, teams, tasks, assets and more, by kind: at most ${MOST_LISTED} records of each kind, and their total. Reporting lines, assets and leave are those of the date; all other records are listed as they are today. Each kind needs the permission to read these records: \`metadata.omitted\` names the kinds that are left out or may be incomplete.`,
      area: 'employees',
      multiResource: true,
      params,
      query: Type.Object({
        on: Type.Optional(
          Type.String({ format: 'date', description: 'Date of the list; today by default', examples: ['2030-07-01'] }),
        ),
      }),
      answer: Type.Object({ data: Type.Array(groupOf(held)), metadata: metadata(held) }),
    },
    async ({ db, params, query }) => {
      const { id } = await find(db, employees, params.id)
      const holder: Holder = { table: employees.table, id, day: query.on ?? db.today }
      const data = []
      const omitted = []
      for (const one of held) {
        const sight = sightOf(db, one, holder)
        if (sight !== 'all') omitted.push(one.kind)
        if (sight === 'none') continue
        const { records, total } = await listHeld(readerOf(db, one.of.readWith), one, holder, MOST_LISTED)
        data.push({
          kind: one.kind,
          total,
          can_be_given: one.giving !== undefined && mayWrite(db, one.of, one.giving.permission),
          can_be_collected: one.isCollected === true && permits(db.caller.permissions, 'tasks:write'),
          is_dated: one.giving?.isDated ?? false,
          otherwise: one.otherwise,
          records,
        })
      }
      return { body: { data, metadata: { on: holder.day, omitted } } }
    },
  ),
  operation(
    {
      id: 'handOver',
      method: 'POST',
      path: '/employees/{id}/handover',
      summary: 'Assign what an employee is responsible for to others',
      note: `Gives records of the employee to others; if one of them cannot be given, none is. Reporting lines and assets change on the date \`on\`. Teams, departments, vacancies and tasks have no dates: with a future \`on\` they would change today, so each assignment of them needs \`at_once=true\`. \`applies_from\` of the response says when each assignment applies. In addition to \`employees:write\`, each kind needs the permission that changing such a record needs; \`return_to\` needs \`tasks:write\` and the permission to read assets. Assignees can read their tasks, so before a termination is announced, tasks would reveal it. Up to ${MOST_IDS} records per kind.`,
      area: 'employees',
      multiResource: true,
      checksScopeItself: true,
      params,
      body: assignmentBody(held),
      answer: wrapped(
        Type.Object(
          {
            on: Type.String({ format: 'date', description: 'Date of the handover' }),
            given: Type.Array(
              Type.Object(
                {
                  kind: kindOf(held),
                  ids: Type.Array(Type.Integer(), {
                    description: 'The records that were given or are to be collected',
                  }),
                  to_employee_id: orNull(Type.Integer({ description: 'Employee who has them now' })),
                  return_to: orNull(Type.Integer({ description: 'Employee who collects them' })),
                  applies_from: Type.String({ format: 'date', description: 'Date from which it applies' }),
                  task_ids: Type.Array(Type.Integer(), {
                    description: 'Tasks that were created, in the order of `ids`',
                  }),
                },
                { title: 'GivenRecords' },
              ),
              { description: 'One item per assignment, in the order of the request' },
            ),
            handover: handoverCounts(held),
          },
          { title: 'HandoverResult' },
        ),
      ),
      conflicts: 'The employee is the placeholder for erased people',
      gathers: true,
    },
    async ({ db, params, body, problems }) => {
      const before = await find(db, employees, params.id)
      if (!holdsFor(db, 'employees:write', employees.table, before.id)) throw notFound()
      refusePlaceholder(before)
      const given = await giveAll(db, held, before, body, problems)
      const on = body.on ?? db.today
      const left = await countHeld(db, held, { table: employees.table, id: before.id, day: on })
      return { body: { data: { on, given, handover: left } } }
    },
  ),
]

/** May the caller write some of these records? Records about nobody need a permission for everybody. */
function mayWrite(db: Reader, of: Resource, permission: string): boolean {
  if (!permits(db.caller.permissions, permission)) return false
  if (!(db.visibility instanceof AccessScope) || subjectPathsOf(of)?.length) return true
  return db.visibility.coveredIds(employees.table, [permission]) === 'all'
}
