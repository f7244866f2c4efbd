import Type from 'typebox'
import { permits } from '../../engine/permission.ts'
import { type FieldProblem, wrong } from '../../engine/problem.ts'
import { nameable } from '../../engine/records.ts'
import { existingOf } from '../../engine/resource.ts'
import { show } from '../../engine/shape.ts'
import type { Reader } from '../../records/reader.ts'
import { personCard } from '../people/person.ts'

/** Whom a task is about. Those who may not read that kind of record are not told, nor can they set or change it. */

type AssociatedPerson = { id: number; full_name: string; email: string | null }

const KINDS = {
  Employee: {
    column: 'associated_employee_id',
    table: 'employees',
    permission: 'employees:read',
    cards: (db: Reader, ids: number[]): Promise<AssociatedPerson[]> => show(db, personCard, ids),
  },
  Candidate: {
    column: 'associated_candidate_id',
    table: 'candidates',
    permission: 'recruitment:read',
    cards: (db: Reader, ids: number[]) =>
      db.from('candidates').select(['id', 'full_name', 'email']).where('id', 'in', ids).execute() as Promise<
        AssociatedPerson[]
      >,
  },
} as const

type AssociatedType = keyof typeof KINDS
const TYPES = Object.keys(KINDS) as AssociatedType[]

/** The columns by which a task names somebody: one of them at most holds something. */
export type Associated = Record<(typeof KINDS)[AssociatedType]['column'], number | null>

const mayRead = ({ caller }: Reader, type: AssociatedType) => permits(caller.permissions, KINDS[type].permission)

const typeSchema = { type: 'string', enum: TYPES, description: 'Whether the person is an employee or a candidate' }

export const ASSOCIATED = Type.Object(
  {
    id: Type.Integer(),
    type: Type.Unsafe<AssociatedType>(typeSchema),
    full_name: Type.String(),
    email: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  },
  {
    title: 'AssociatedTo',
    description: 'The person the task is about; left out if there is none, or if you may not see them',
  },
)

/** Shows whom tasks are about. */
export async function loadAssociated(db: Reader, ids: number[]): Promise<Map<number, unknown>> {
  const found = new Map<number, unknown>()
  const seen = TYPES.filter((type) => mayRead(db, type))
  if (seen.length === 0) return found
  const rows = await db
    .from('tasks')
    .select(['id', ...seen.map((type) => KINDS[type].column)])
    .where('id', 'in', ids)
    .execute()
  for (const type of seen) {
    const { column, cards } = KINDS[type]
    const naming = rows.filter((row) => row[column] !== null)
    if (naming.length === 0) continue
    const known = new Map((await cards(db, [...new Set(naming.map((row) => row[column]))])).map((one) => [one.id, one]))
    // Who is not reached is left out, as where nobody is named.
    for (const row of naming) if (known.has(row[column])) found.set(row.id, { ...known.get(row[column]), type })
  }
  return found
}

const ID = { type: ['integer', 'null'], minimum: 1, maximum: Number.MAX_SAFE_INTEGER }

/** Sent flat or nested; null clears. */
export const associatedInput = {
  associated_to_id: Type.Unsafe<number | null>({
    ...ID,
    description: 'ID of the person the task is about; null: nobody',
  }),
  associated_to_type: Type.Unsafe<AssociatedType | null>({
    type: ['string', 'null'],
    enum: [...TYPES, null],
    description: 'Whether `associated_to_id` is the ID of an employee or of a candidate',
  }),
  associated_to: Type.Unsafe<{ id: number; type: AssociatedType } | null>({
    type: ['object', 'null'],
    description: 'The person the task is about, as `id` and `type`; null: nobody',
    required: ['id', 'type'],
    properties: { id: { ...ID, type: 'integer' }, type: typeSchema },
  }),
}

type AssociationInput = {
  associated_to_id?: number | null
  associated_to_type?: AssociatedType | null
  associated_to?: { id: number; type: AssociatedType } | null
}

const NOBODY: Associated = { associated_employee_id: null, associated_candidate_id: null }

/** What a body says about whom the task is about, as columns; nothing when it says nothing, or something wrong. */
export async function readAssociated(
  db: Reader,
  sent: AssociationInput,
  before: Associated | null,
  problems: FieldProblem[],
): Promise<Partial<Associated>> {
  const told = TYPES.find((type) => before && before[KINDS[type].column] !== null)
  const wanted = wantedBy(sent, told, problems)
  if (wanted === undefined) return {}
  const field = sent.associated_to === undefined ? 'associated_to_id' : 'associated_to'
  const refused = (code: string, message: string) => {
    problems.push(wrong(field, code, message))
    return {}
  }
  if ([told, wanted?.type].some((type) => type && !mayRead(db, type)))
    return refused(
      'forbidden',
      'cannot be set: your role or API key needs read access to employees or candidates, whichever the task is about',
    )
  if (wanted === null) return NOBODY
  const { table, column } = KINDS[wanted.type]
  if ((await nameable(db, table, [wanted.id])).size === 0) return refused('not_found', existingOf(table))
  return { ...NOBODY, [column]: wanted.id }
}

/** Whom a body names: null for nobody, undefined when it says nothing or something wrong. */
function wantedBy(
  { associated_to: nested, associated_to_id: id, associated_to_type: type }: AssociationInput,
  told: AssociatedType | undefined,
  problems: FieldProblem[],
): { id: number; type: AssociatedType } | null | undefined {
  const refused = (field: string, code: string, message: string) => {
    problems.push(wrong(field, code, message))
    return undefined
  }
  // What was sent and could not be read is told already.
  if (problems.some(({ field }) => field.startsWith('associated_to'))) return undefined
  if (nested !== undefined) {
    const isSame = (id ?? nested?.id) === nested?.id && (type ?? nested?.type) === nested?.type
    return isSame
      ? nested
      : refused(
          'associated_to',
          'mismatch',
          'names another record than associated_to_id and associated_to_type. Send either this field or those two',
        )
  }
  // The type stays while it is not sent.
  const known = type === undefined ? told : type
  if (typeof id === 'number')
    return known ? { id, type: known } : refused('associated_to_type', 'required', 'is required with associated_to_id')
  if (id === null || type === null) return null
  return known === told ? undefined : refused('associated_to_id', 'required', 'is required with associated_to_type')
}
