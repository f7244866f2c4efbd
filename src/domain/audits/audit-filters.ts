import Type, { type TObject, type TSchema } from 'typebox'
import type { Resource } from '../../engine/declaration.ts'
import { METADATA } from '../../engine/page.ts'
import { requirePermission } from '../../engine/permission.ts'
import { type FieldProblem, forbidden, wrong } from '../../engine/problem.ts'
import type { Kinds } from '../../engine/protection.ts'
import { kindsCut, maySee, seesWhole } from '../../engine/trace.ts'
import type { Query, Reader } from '../../records/reader.ts'

/** What lists of changes and of reads can be asked by. */

/** Ways to act that have no id. */
const NAMELESS = ['command_line', 'anybody', 'system']

export const ACTED_BY = Type.Optional(
  Type.String({
    maxLength: 40,
    description: `Who made the change: \`key:7\` (the API key with ID 7), \`person:5\` (the user with ID 5; requires \`employees:read\`), \`command_line\` (the \`cadre\` command), \`anybody\` (a request without a key) or \`system\` (Cadre itself)`,
    examples: ['key:1'],
  }),
)

/** Those who acted, by the words for them; what is wrong with these is added to the problems. */
export function actorIn(words: string | undefined, problems: FieldProblem[]): ActorFilter | undefined {
  if (words === undefined) return undefined
  if (NAMELESS.includes(words)) return { kind: words, id: null }
  const [, kind, id] = /^(key|person):(\d{1,15})$/.exec(words) ?? []
  if (kind) return { kind, id: Number(id) }
  problems.push(wrong('actor', 'not_allowed', `must be key:<id>, person:<id> or one of ${NAMELESS.join(', ')}`))
}

type ActorFilter = { kind: string; id: number | null }

export function actedBy(db: Reader, query: Query, { kind, id }: ActorFilter): Query {
  // Who may not read about people cannot ask which of them it was.
  if (kind === 'person') requirePermission(db.caller, 'employees:read')
  return query.where('actor_kind', '=', kind).where('actor_id', id === null ? 'is' : '=', id)
}

/** The kind of record that is called so, by its title or its table; an unknown one is added to the problems. */
export function kindIn(
  db: Reader,
  kinds: Kinds,
  { parameter, name, as }: { parameter: string; name: string | undefined; as: 'title' | 'table' },
  problems: FieldProblem[],
): Resource | undefined {
  if (name === undefined) return undefined
  const of = kinds.get(name) ?? [...kinds.values()].find(({ title }) => title === name)
  if (of) return of
  const known = [...kinds.values()].filter((one) => seesWhole(one, db, kinds))
  problems.push(wrong(parameter, 'not_allowed', `must be one of ${known.map((one) => one[as]).join(', ')}`))
}

const TOLD = Type.Object(
  {
    ...METADATA.properties,
    omitted: Type.Array(Type.String(), {
      description:
        'Record types that are missing or incomplete in this response, because your permissions do not show all of their records and fields',
    }),
  },
  { title: 'ToldMetadata' },
)

/** Pages of what was done, and what they leave out. */
export const toldAnswer = (record: TSchema) => Type.Object({ data: Type.Array(record), metadata: TOLD }) as TObject

/** Nobody asks about a kind of which something is kept from them: how many there are would tell what is not shown. */
export function requireToldOf(db: Reader, kinds: Kinds, of: Resource, parameter: string): void {
  requirePermission(db.caller, of.readWith)
  if (!seesWhole(of, db, kinds))
    throw forbidden(`You cannot filter by ${parameter}: some records or fields of ${of.table} are hidden from you.`)
}

/**
 * What was done to records of kinds that the caller sees whole, and the kinds that were cut out. Whoever is kept from
 * a group of data is told nothing of what may belong to it, as even a count would tell.
 */
export function onlyTold(db: Reader, kinds: Kinds, query: Query): { matching: Query; omitted: string[] } {
  const { withheld } = db.caller
  const cut = kindsCut(db, kinds)
  for (const of of cut) {
    const groups = maySee(of, db) ? withheld : [of.group ?? ''].filter((group) => withheld.has(group))
    for (const group of groups) db.omitted.add(group)
  }
  const omitted = cut.map(({ table }) => table)
  return { matching: omitted.length > 0 ? query.where('resource', 'not in', omitted) : query, omitted }
}
