import Type from 'typebox'
import type { Resource } from '../../engine/declaration.ts'
import { permits } from '../../engine/permission.ts'
import type { Kinds } from '../../engine/protection.ts'
import { knownAs } from '../../engine/resource.ts'
import { show } from '../../engine/shape.ts'
import { type Trace, tracesOf } from '../../engine/trace.ts'
import type { Columns, Entry } from '../../records/entries.ts'
import type { Reader } from '../../records/reader.ts'
import { withCustomValues } from '../custom/value-descriptions.ts'
import { personShort } from '../people/person.ts'

/** Entries of the ledger as the interface shows them: in the feed, in histories, in answers to undoing and trying. */

const VALUES = Type.Unsafe<Record<string, unknown> | null>({
  type: ['object', 'null'],
  additionalProperties: true,
  description:
    'Values of the changed fields before (`before`) or after (`after`) the change, by field name; references to records as IDs. `before` of a creation and `after` of a deletion are null',
})

export const ACTOR = Type.Object(
  {
    kind: Type.Unsafe<string>({ type: 'string', enum: ['key', 'person', 'command_line', 'anybody', 'system'] }),
    id: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'ID of the API key or the user; null for the other types',
    }),
    name: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Name of the API key or the user; null for the other types',
    }),
    employee_id: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'ID of the employee who made the change, or to whose API key it belongs; null if there is none',
    }),
  },
  { title: 'Actor' },
)

/** What is said where the kinds are named of which a caller may not see all. */
export const OMITTED_KINDS =
  'Record types that are left out because the key may not read them, or because they may contain a hidden field group'

export const CHANGE = Type.Object(
  {
    number: Type.Integer({
      description:
        'Change number. All changes of the account are numbered in the order in which they were stored, without gaps',
    }),
    resource: Type.String({
      description: 'Record type, as in the parameter `resources` of `/changes`',
      examples: ['employees'],
    }),
    record_id: Type.Integer(),
    action: Type.Unsafe<string>({
      type: 'string',
      enum: ['create', 'update', 'delete', 'erase'],
      description: 'What happened to the record',
    }),
    fields: Type.Array(Type.String(), { description: 'Names of the changed fields' }),
    before: VALUES,
    after: VALUES,
    omitted: Type.Array(Type.String(), {
      description:
        'What is missing in this change because the caller may not see it: names of field groups and record types',
    }),
    owner: Type.Unsafe<{ resource: string; id: number } | null>({
      type: ['object', 'null'],
      properties: { resource: { type: 'string' }, id: { type: 'integer' } },
      description: 'The record that this one belongs to, such as the employee of a salary; null if there is none',
    }),
    actor: ACTOR,
    operation: Type.String({
      description: '`operationId` of the operation that made the change',
      examples: ['updateEmployee'],
    }),
    request_id: Type.String(),
    correlation_id: Type.String(),
    changed_at: Type.String({ format: 'date-time', description: 'When the change was made' }),
  },
  { title: 'Change', description: 'A change to one record' },
)

export type ShownChange = ReturnType<typeof shownChange>

/** Kinds of records by the names that the ledger has for them. */
export function kindsByTable(all: readonly Resource[]): Kinds {
  const kinds = byTable.get(all) ?? new Map(all.map((of) => [of.table, of]))
  byTable.set(all, kinds)
  return kinds
}

const byTable = new WeakMap<readonly Resource[], Kinds>()

/** Entries as the caller may see them; those that it may not see at all are left out. */
export async function showChanges(db: Reader, kinds: Kinds, entries: readonly Entry[]) {
  const traces = await withCustomValues(db, kinds, await tracesOf(db, kinds, entries))
  const names = await actorNames(db, traces)
  return traces.map((trace) => shownChange(db, kinds, trace, names))
}

/** The record that is known by a number. */
export const recordKnownAs = ({ account }: Reader, { numbers }: Resource, number: number): number =>
  numbers?.idOf(account, number) ?? number

const shownChange = (db: Reader, kinds: Kinds, trace: Trace, names: ActorNames) => ({
  number: trace.number,
  resource: trace.resource,
  record_id: knownAs(db, kinds.get(trace.resource), trace.record_id),
  action: trace.action,
  fields: trace.fields,
  before: underItsNumber(db, kinds, trace, trace.before),
  after: underItsNumber(db, kinds, trace, trace.after),
  omitted: trace.omitted,
  owner:
    trace.owner === null
      ? null
      : {
          resource: trace.owner,
          id: knownAs(db, kinds.get(trace.owner), trace.owner_id as number),
        },
  actor: shownActor(trace, names),
  operation: trace.operation,
  request_id: trace.request_id,
  correlation_id: trace.correlation_id,
  changed_at: trace.at,
})

const underItsNumber = (db: Reader, kinds: Kinds, { resource }: Trace, values: Columns | null) =>
  typeof values?.id === 'number' ? { ...values, id: knownAs(db, kinds.get(resource), values.id) } : values

type EntryActor = Pick<Entry, 'actor' | 'person_id'>
/** Who acted, in a stored row. */
export const actingIn = ({ actor_kind: kind, actor_id: id, person_id }: Record<string, any>): EntryActor => ({
  actor: id === null ? { kind } : { kind, id },
  person_id,
})

export type ActorNames = (acting: EntryActor) => string | null

export const shownActor = (acting: EntryActor, names: ActorNames) => ({
  kind: acting.actor.kind,
  id: 'id' in acting.actor ? acting.actor.id : null,
  name: names(acting),
  employee_id: acting.person_id,
})

/** What those are called who acted: keys by their names, people to those who may read about them. */
export async function actorNames(db: Reader, acting: readonly EntryActor[]): Promise<ActorNames> {
  const idsOf = (kind: 'key' | 'person') => [
    ...new Set(acting.flatMap(({ actor }) => (actor.kind === kind ? [actor.id] : []))),
  ]
  const keys = idsOf('key')
  const rows = keys.length ? await db.from('api_keys').select(['id', 'name']).where('id', 'in', keys).execute() : []
  const keyNames = new Map<number, string>(rows.map(({ id, name }) => [id, name]))
  const mayKnow = permits(db.caller.permissions, 'employees:read')
  const people = acting.filter(({ actor }) => mayKnow && actor.kind === 'person')
  const employees = [...new Set(people.flatMap(({ person_id }) => person_id ?? []))]
  const cards = await show(db, personShort, employees)
  const names = new Map(employees.map((id, at) => [id, cards[at] && `${cards[at].first_name} ${cards[at].last_name}`]))
  // Who signs in and is nobody's employee has a name of their own.
  const others = people.length ? idsOf('person') : []
  const users = others.length ? await db.from('users').select(['id', 'name']).where('id', 'in', others).execute() : []
  const userNames = new Map<number, string>(users.map(({ id, name }) => [id, name]))
  const nameOf = (id: number, employee: number | null) =>
    (employee === null ? userNames.get(id) : names.get(employee)) ?? null
  return ({ actor, person_id }) => {
    if (actor.kind === 'key') return keyNames.get(actor.id) ?? null
    return actor.kind === 'person' && mayKnow ? nameOf(actor.id, person_id) : null
  }
}
