import Type from 'typebox'
import type { Resource } from '../engine/declaration.ts'
import { requirePermission } from '../engine/permission.ts'
import { forbidden, malformed, wrong } from '../engine/problem.ts'
import { maySee } from '../engine/trace.ts'
import type { Query, Reader } from '../ledger/reader.ts'

/** What lists of changes and of reads can be asked by. */

/** Ways to act that have no id. */
const NAMELESS = ['command_line', 'anybody', 'system']

export const ACTED_BY = Type.Optional(
  Type.String({
    maxLength: 40,
    description: `Who it was: \`key:7\`, \`person:5\` (needs \`employees:read\`), ${NAMELESS.map((one) => `\`${one}\``).join(', ')}`,
    examples: ['key:1'],
  }),
)

export function actedBy(db: Reader, query: Query, actor: string): Query {
  if (NAMELESS.includes(actor)) return query.where('actor_kind', '=', actor).where('actor_id', 'is', null)
  const [, kind, id] = /^(key|person):(\d{1,15})$/.exec(actor) ?? []
  if (!kind) throw malformed(wrong('actor', 'not_allowed', `must be key:<id>, person:<id>, ${NAMELESS.join(', ')}`))
  // Who may not read about people cannot ask which of them it was.
  if (kind === 'person') requirePermission(db.caller, 'employees:read')
  return query.where('actor_kind', '=', kind).where('actor_id', '=', Number(id))
}

/** The kind of record that was asked for, by its title or its table. */
export function kindAsked(db: Reader, kinds: readonly Resource[], parameter: string, name: string): Resource {
  const of = kinds.find(({ title, table }) => title === name || table === name)
  if (!of) {
    const known = kinds.filter((one) => maySee(one, db)).map(({ title }) => title)
    throw malformed(wrong(parameter, 'not_allowed', `must be one of ${known.join(', ')}, or the table of one`))
  }
  requirePermission(db.caller, of.readWith)
  if (!maySee(of, db)) throw forbidden(`This key may not ask by ${parameter}: it does not see all of ${of.table}`)
  return of
}
