import type { Columns } from '../records/entries.ts'
import type { Reader } from '../records/reader.ts'
import type { Field, Resource } from './declaration.ts'
import { textOf } from './html.ts'
import { hasName, type Names, namesOf } from './names.ts'
import { type Kinds, rowsThatWere } from './protection.ts'
import { columnsOf, fieldOf, holdsWords, toldName } from './resource.ts'

/** Changes of records in words: which field, from what, to what. */

/** A change as readers see it: only what they may see goes into a sentence. */
export type DescribedChange = {
  number: number
  resource: string
  record_id: number
  action: string
  before: Columns | null
  after: Columns | null
  fields: readonly string[]
  omitted: readonly string[]
  /** The record that it is a part of. */
  owner: { resource: string; id: number } | null
}

/** What other rooms know of values that say nothing by themselves; undefined where they know nothing. */
export type ValueDescriber = (change: DescribedChange, name: string, value: unknown) => string | undefined

/** How much of a text a sentence holds. */
const LONGEST = 80

export const shortened = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  const letters = [...line]
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST).join('').trimEnd()}…` : line
}

/** The sentences of changes, in their order: a few statements for all of them together. */
export async function sentencesOf(
  db: Reader,
  kinds: Kinds,
  changes: readonly DescribedChange[],
  words: ValueDescriber = () => undefined,
): Promise<string[]> {
  const subjects = await subjectsOf(db, kinds, changes)
  const named = changes.flatMap((change) => [
    ...referencesIn(kinds, change),
    ...subjects.referencesOf(change),
    ...(isTold(change) && change.owner ? [[change.owner.resource, change.owner.id] as const] : []),
  ])
  const names = await namesOf(db, kinds, named)
  const currencies = await currenciesOf(db, kinds, changes)
  return changes.map((change) => {
    const of = kinds.get(change.resource) as Resource
    const [about] = subjects.referencesOf(change).flatMap(([table, id]) => names(table, id) ?? [])
    const owner = change.owner ? names(change.owner.resource, change.owner.id) : undefined
    const subject = [about && ` ${shortened(about)}`, owner && ` of ${shortened(owner)}`].filter(Boolean).join('')
    const fields = columnsByShownName(of)
    const say = (name: string, value: unknown, currency: string | null) =>
      words(change, name, value) ?? inWords(fields.get(name), value, currency, names)
    return sentence(of, subject, change, (name, value, at) => say(name, value, currencies(change, at)))
  })
}

type ChangeSide = 'before' | 'after'
type ValueText = (name: string, value: unknown, at: ChangeSide) => string

function sentence(of: Resource, subject: string, change: DescribedChange, say: ValueText): string {
  const { action, before, after, fields, omitted } = change
  const { one } = of
  const label = `${one}${subject}`
  if (action === 'erase') return `${one}: erased`
  const hidden = omitted.length > 0 ? [`fields hidden from you (${omitted.join(', ')})`] : []
  const told = (parts: string[], silence: string) => [...parts, ...hidden].join('; ') || silence
  if (action === 'update') {
    if (before === null && after === null) return `${label}: changed (values erased since)`
    const parts = fields.map((name) => {
      const [from, to] = [say(name, before?.[name], 'before'), say(name, after?.[name], 'after')]
      // What is told as being there only has been replaced when it is there before and after.
      const isReplaced = before?.[name] === true && after?.[name] === true
      return `${spoken(name)} ${withoutRepeated(from, to)} → ${isReplaced ? 'another' : to}`
    })
    return `${label}: ${told(parts, 'fields that are not shown')}`
  }
  const [values, at, done] =
    action === 'create' ? ([after, 'after', 'created'] as const) : ([before, 'before', 'deleted'] as const)
  if (values === null) return `${one} ${done} (values erased since)`
  // An amount has said its currency already.
  const isRepeated = (name: string) => name === currencyOf(of) && hasMoney(of, change, values)
  const held = fields.filter((name) => !isNothing(values[name]) && !isRepeated(name))
  return `${one} ${done} with ${told(
    held.map((name) => `${spoken(name)} ${say(name, values[name], at)}`),
    'no visible fields',
  )}`
}

/** `4,200 EUR → 4,500 EUR` says the currency once. */
function withoutRepeated(from: string, to: string): string {
  const unit = /^-?[\d.,]+( [A-Z]{3})$/.exec(to)?.[1]
  return unit && from.endsWith(unit) ? from.slice(0, -unit.length) : from
}

/** `author_id` → `author` */
export const spoken = (name: string) =>
  name
    .replace(/_ids?$/, '')
    .replaceAll('_', ' ')
    .replace(/\b(api|html|url|kpi)\b/g, (short) => short.toUpperCase())

/** `not_working_paid` → `not working paid`, `ReviewParticipantPeer` → `review participant peer` */
const spokenChoice = (value: string) =>
  value
    .replaceAll('_', ' ')
    .replace(/(?<=[a-z])[A-Z]|^[A-Z](?=.*[a-z][A-Z])/g, (letter, at) => (at ? ' ' : '') + letter.toLowerCase())

const isNothing = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

type Schema = { format?: string; maxCleaned?: number; enum?: unknown[] }

function inWords(field: Field | undefined, value: unknown, currency: string | null, names: Names): string {
  if (isNothing(value)) return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const table = field?.reference?.table ?? field?.former
  if (table && typeof value === 'number') return shortened(names(table, value) ?? `#${value}`)
  const { format, maxCleaned, enum: choices } = ((field?.input ?? field?.output) || {}) as Schema
  if (field?.money || format === 'decimal') {
    const amount = grouped(String(value))
    return field?.money && currency !== null ? `${amount} ${currency}` : amount
  }
  if (typeof value === 'object') return shortened(listed(value))
  if (typeof value !== 'string') return String(value)
  if (choices) return spokenChoice(value)
  if (field?.column?.type === 'timestamptz') return readable(value)
  const text = shortened(maxCleaned === undefined ? value : textOf(value))
  return field && holdsWords(field) ? `“${text}”` : text
}

/** Lists and objects without signs: `status consented, consented at 2030-01-01 09:00 UTC`. */
const listed = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(listed).join(', ')
  if (typeof value !== 'object' || value === null) return readable(String(value))
  const held = Object.entries(value).filter(([, one]) => !isNothing(one))
  return held.map(([name, one]) => `${spoken(name)} ${listed(one)}`).join(', ')
}

/** `2030-01-01T09:00:00.000Z` → `2030-01-01 09:00 UTC` */
const readable = (text: string) =>
  text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::00\.000|(:\d\d)\.\d{3})Z$/, '$1 $2$3 UTC')

/** `-4200.50` → `-4,200.5` */
export function grouped(decimal: string): string {
  const [whole = '', part = ''] = decimal.split('.')
  const fraction = part.replace(/0+$/, '')
  return whole.replace(/\B(?=(\d{3})+$)/g, ',') + (fraction ? `.${fraction}` : '')
}

const byShownName = new WeakMap<Resource, Map<string, Field>>()

/** Fields by the names under which traces show them. */
function columnsByShownName(of: Resource): Map<string, Field> {
  const known =
    byShownName.get(of) ??
    new Map(
      columnsOf(of).flatMap(([name, field]) =>
        toldName(name, field) === null ? [] : [[toldName(name, field) as string, field] as const],
      ),
    )
  byShownName.set(of, known)
  return known
}

function referencesIn(kinds: Kinds, { resource, before, after }: DescribedChange): [string, number][] {
  const of = kinds.get(resource) as Resource
  return [...columnsByShownName(of)].flatMap(([name, { reference, former }]) => {
    const table = reference?.table ?? former
    if (!table) return []
    return [before?.[name], after?.[name]].flatMap((id) => (typeof id === 'number' ? [[table, id] as const] : []))
  }) as [string, number][]
}

/**
 * A record is known by its name, and one that has none by what it is about: the first record that it must name,
 * besides the one that it is a part of. What is created or deleted says so itself.
 */
async function subjectsOf(db: Reader, kinds: Kinds, changes: readonly DescribedChange[]) {
  const found = new Map<string, [string, number]>()
  const updates = changes.filter(isTold)
  for (const [table, own] of Map.groupBy(updates, ({ resource }) => resource)) {
    const of = kinds.get(table) as Resource
    if (hasName(of)) for (const { record_id } of own) found.set(`${table} ${record_id}`, [table, record_id])
    const about = columnsOf(of).find(([name, field]) => isAbout(of, name, field))
    if (!about) continue
    const [column, { reference }] = about
    const rows = await rowsThatWere(
      db,
      of,
      own.map(({ record_id }) => record_id),
      [column],
    )
    for (const [id, row] of rows)
      if (typeof row[column] === 'number') found.set(`${table} ${id}`, [reference?.table as string, row[column]])
  }
  return {
    referencesOf: (change: DescribedChange): [string, number][] => {
      const one = found.get(`${change.resource} ${change.record_id}`)
      return one && isTold(change) ? [one] : []
    },
  }
}

/** Is it a change whose sentence says of which record? */
const isTold = ({ action, before, after }: DescribedChange) => action === 'update' && (before ?? after) !== null

const isAbout = (of: Resource, name: string, { required, reference, group, input, output }: Field) =>
  required &&
  reference !== undefined &&
  !reference.owner &&
  group === undefined &&
  (input !== null || output !== null || reference.shape !== null) &&
  !of.parents.includes(name) &&
  !hasName(of)

type Currencies = (change: DescribedChange, at: ChangeSide) => string | null

/** The currency that a record named when it was changed: what an entry does not say, an earlier one does. */
async function currenciesOf(db: Reader, kinds: Kinds, changes: readonly DescribedChange[]): Promise<Currencies> {
  const said = new Map<string, { no: number; value: string | null }[]>()
  for (const [table, own] of Map.groupBy(changes, ({ resource }) => resource)) {
    const of = kinds.get(table) as Resource
    const column = currencyOf(of)
    if (!column || db.caller.withheld.has(fieldOf(of, column).group ?? '')) continue
    const asking = own.filter((change) => hasMoney(of, change) && !(column in (change.after ?? change.before ?? {})))
    if (asking.length === 0) continue
    const rows = await db
      .from('ledger')
      .select(['no', 'record_id', 'after'])
      .where('resource', '=', table)
      .where('record_id', 'in', [...new Set(asking.map(({ record_id }) => record_id))])
      .where('after', 'like', `%"${column}":%`)
      .orderBy('no')
      .execute()
    for (const { no, record_id, after } of rows) {
      const key = `${table} ${record_id}`
      said.set(key, [...(said.get(key) ?? []), { no, value: JSON.parse(after)[column] ?? null }])
    }
  }
  return ({ resource, record_id, number, before, after }, at) => {
    const column = currencyOf(kinds.get(resource) as Resource)
    if (!column) return null
    const own = (at === 'before' ? before : after)?.[column]
    if (own !== undefined) return own as string | null
    return said.get(`${resource} ${record_id}`)?.findLast(({ no }) => no <= number)?.value ?? null
  }
}

const currencyOf = (of: Resource) =>
  columnsOf(of).find(([, { input, output }]) => ((input ?? output) as Schema | null)?.format === 'currency')?.[0]

const hasMoney = (of: Resource, { fields }: DescribedChange, values?: Columns) => {
  const columns = columnsByShownName(of)
  return fields.some((name) => columns.get(name)?.money && !(values && isNothing(values[name])))
}
