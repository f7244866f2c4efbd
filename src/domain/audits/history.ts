import Type, { type TObject } from 'typebox'
import type { Resource } from '../../engine/declaration.ts'
import { article, manyWords } from '../../engine/derive.ts'
import { entriesAbout, partsCut, requirePast } from '../../engine/history.ts'
import { type Operation, operation } from '../../engine/operation.ts'
import { metadata, PAGING, pageIn, sortParameter } from '../../engine/page.ts'
import { calledByName, type PathParameterNames } from '../../engine/path-names.ts'
import { ownerOf } from '../../engine/resource.ts'
import { recordId } from '../../engine/schema.ts'
import { sentencesOf } from '../../engine/sentence.ts'
import { readEntry } from '../../records/entries.ts'
import { customWords } from '../custom/value-descriptions.ts'
import { toldAnswer } from './audit-filters.ts'
import { CHANGE, kindsByTable, recordKnownAs, type ShownChange, showChanges } from './change-responses.ts'

/** What became of each record: who changed it, when, from what and to what, in words as well. */

const HISTORY_ENTRY = Type.Object(
  {
    ...CHANGE.properties,
    sentence: Type.String({
      description: 'The change as a sentence',
      examples: ['salary of Ada Lovelace: amount 4,200 → 4,500 EUR, by the key Payroll'],
    }),
  },
  { title: 'HistoryEntry', description: 'A change to one record, with a readable sentence' },
)

/** One shape for all of them, so that it is made and documented once. */
const ANSWER = toldAnswer(HISTORY_ENTRY)
const QUERY = Type.Object({
  ...PAGING,
  sort: sortParameter(['changed_at'], '-changed_at'),
})

/** `parts`, with the names of the child records. */
const queryOf = (of: Resource, kinds: readonly Resource[]) => {
  const parts = kinds.filter((kind) => kind !== of && ownerOf(kind)?.to === of.table)
  const names = parts.map(manyWords)
  const description =
    parts.length > 0
      ? `Also include changes to the child records: ${names.join(', ')}. \`metadata.omitted\` lists record types that are missing or incomplete because of your permissions`
      : 'Has no effect here: records of this type have no child records'
  return Type.Object({ ...QUERY.properties, parts: Type.Optional(Type.Boolean({ default: false, description })) })
}

export const historyOperations = (kinds: () => readonly Resource[]): Operation[] =>
  calledByName(
    calledAmong(kinds()),
    kinds().map((of) => historyOf(of, kinds)),
    true,
  )

/** The kinds whose records are called by a name beside their id. */
const calledAmong = (kinds: readonly Resource[]): PathParameterNames =>
  Object.fromEntries(
    kinds.flatMap(({ table, fields, parents }) => {
      const name = fields.internal_name
      if (!name) return []
      const [within] = name.unique ? [] : parents.slice(-1)
      return [[table, { by: 'internal_name', ...(within ? { within } : {}) }]]
    }),
  )

const historyOf = (of: Resource, kinds: () => readonly Resource[]): Operation =>
  operation(
    {
      id: `list${of.title}History`,
      method: 'GET',
      path: `${of.path}/{id}/history`,
      summary: `Show the history of ${article(of.one)}`,
      note: `Returns the changes of the record, newest first, also after the record was deleted. Requires the \`audits:read\` and \`${of.readWith}\` permissions.`,
      area: 'audits',
      multiResource: true,
      params: paramsOf(of, kinds()),
      query: queryOf(of, kinds()),
      answer: ANSWER,
      indexedColumns: ['ledger.resource', 'ledger.owner'],
    },
    async ({ db, params, query }) => {
      const page = pageIn(query)
      const byTable = kindsByTable(kinds())
      const id = recordKnownAs(db, of, (params as { id: number }).id)
      await requirePast(db, byTable, of, { ...(params as Record<string, number>), id })
      const entries = await entriesAbout(db, byTable, of, id, query.parts ?? false)
      const { n } = await entries.select((eb) => eb.fn.countAll().as('n')).executeTakeFirstOrThrow()
      const way = query.sort === 'changed_at' ? 'asc' : 'desc'
      const rows = await entries.selectAll().orderBy('no', way).limit(page.size).offset(page.skipped).execute()
      const changes = await showChanges(db, byTable, rows.map(readEntry))
      const ids = new Map(rows.map((row) => [row.no, row.record_id]))
      const told = changes.map((change) => ({ ...change, record_id: ids.get(change.number) }))
      const sentences = await sentencesOf(db, byTable, told, await customWords(db, byTable, told))
      const data = changes.map((change, at) => ({ ...change, sentence: `${sentences[at]}, ${actorInWords(change)}` }))
      const omitted = query.parts ? partsCut(db, byTable, of).map(({ table }) => table) : []
      return { body: { data, metadata: { ...metadata(page, Number(n), data.length), omitted } } }
    },
  )

/** The parameters of its path: each the id of a record that exists, or existed. */
function paramsOf(of: Resource, kinds: readonly Resource[]): TObject {
  const names = [...of.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string)
  const tableOf = (name: string) =>
    of.fields[name]?.reference?.table ??
    (kinds.flatMap((kind) => kind.fields[name]?.reference?.table ?? [])[0] as string)
  return Type.Object({
    ...Object.fromEntries(names.map((name) => [name, recordId(tableOf(name))])),
    id: recordId(of.table),
  })
}

const OTHERS: Record<string, string> = {
  command_line: 'from the command line',
  anybody: 'by an anonymous visitor',
  system: 'by the service',
}

function actorInWords({ actor }: ShownChange): string {
  if (actor.kind === 'key') return actor.name === null ? `by API key #${actor.id}` : `by API key ${actor.name}`
  if (actor.kind === 'person') return `by ${actor.name ?? `employee #${actor.id}`}`
  return OTHERS[actor.kind] ?? `by ${actor.kind}`
}
