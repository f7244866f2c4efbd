import { Readable } from 'node:stream'
import Type from 'typebox'
import type { ZipFile } from 'yazl'
import type { Resource } from '../../engine/declaration.ts'
import { holdingsOf } from '../../engine/erasure.ts'
import type { FileSource, RecordFile } from '../../engine/file-source.ts'
import { type Files, operation } from '../../engine/operation.ts'
import { requireWholeSight } from '../../engine/permission.ts'
import { find } from '../../engine/records.ts'
import { resourceOf } from '../../engine/resource.ts'
import { recordId } from '../../engine/schema.ts'
import { fetchShape, show } from '../../engine/shape.ts'
import { chunks } from '../../records/chunks.ts'
import { like, type Reader } from '../../records/reader.ts'
import { employees } from '../people/employees.ts'
import { candidates } from '../recruitment/candidates.ts'
import { requireSightOf } from './erasing.ts'

/** Everything that is kept of a person, as one archive: what erasing them would take, in their own hands. */

type ExportedFile = { table: string; id: number; file: RecordFile }

/** The records of a person by their kinds, and the files that they have. */
async function gather(db: Reader, of: Resource, id: number, sources: readonly FileSource[]) {
  const kinds = new Map<Resource, Set<number>>([[of, new Set([id])]])
  const own = (await holdingsOf(db, of, id)).filter(({ fate }) => fate === 'goes' || fate === 'figure')
  requireSightOf(
    db,
    own.map(({ by }) => by.from),
  )
  for (const { by, ids } of own) {
    const kind = resourceOf(by.from)
    kinds.set(kind, new Set([...(kinds.get(kind) ?? []), ...ids]))
  }
  const records: Record<string, unknown[]> = {}
  const files: ExportedFile[] = []
  for (const [kind, ids] of kinds)
    for (const some of chunks(
      [...ids].sort((a, b) => a - b),
      500,
    )) {
      records[kind.table] = [...(records[kind.table] ?? []), ...(await shownToPerson(db, of, id, kind, some))]
      files.push(...(await filesOf(db, kind.table, some, sources)))
    }
  return { records, files }
}

/**
 * The archive is for the person: where what somebody sees depends on who they are, it holds what they see themselves.
 */
async function shownToPerson(db: Reader, of: Resource, id: number, kind: Resource, ids: number[]): Promise<unknown[]> {
  if (!kind.rowPolicy) return show(db, kind.whole, ids)
  const theirs = like(db, { caller: { ...db.caller, personId: of === employees ? id : null, permissions: [] } })
  const query = db.from(kind.table).where(`${kind.table}.id`, 'in', ids)
  return (await fetchShape(theirs, kind.whole, kind.rowPolicy.narrow(query, theirs))).map(({ record }) => record)
}

async function filesOf(
  db: Reader,
  table: string,
  ids: number[],
  sources: readonly FileSource[],
): Promise<ExportedFile[]> {
  const source = sources.find((one) => one.table === table)
  if (!source) return []
  const rows = await db
    .from(table)
    .select(['account_id', 'id', ...source.columns])
    .where('id', 'in', ids)
    .execute()
  return rows.flatMap((row) => {
    const file = source.fileOf(row)
    return file ? [{ table, id: row.id, file }] : []
  })
}

/** A ZIP archive: `records.json`, and the files beside it, which are read one after the other while it is sent. */
function archive(
  zip: ZipFile,
  records: Record<string, unknown[]>,
  found: ExportedFile[],
  exportedAt: string,
  files: Files,
): Readable {
  const content = zip.outputStream as Readable
  // An archive that cannot be finished breaks off: whoever gets it must not take it for the whole.
  const breakOff = (error: Error) => void content.destroy(error)
  zip.on('error', breakOff)
  // Whoever stops listening leaves no file open.
  let open = Readable.from([])
  content.once('close', () => open.destroy())
  const names = found.map(({ table, id, file }) => ({ table, id, file: nameOf(table, id, file) }))
  const text = JSON.stringify({ exported_at: exportedAt, records, files: names }, null, 2)
  zip.addBuffer(Buffer.from(text), 'records.json')
  for (const { table, id, file } of found)
    zip.addReadStreamLazy(nameOf(table, id, file), (done) => {
      // A file that went meanwhile is empty: the rest of the archive still arrives.
      files
        .in(file.part)
        .read(file.hash)
        .then(
          (kept) => {
            open = kept?.stream.on('error', breakOff) ?? Readable.from([])
            done(null, open)
          },
          (error) => done(error, Readable.from([])),
        )
    })
  zip.end()
  return content
}

const nameOf = (table: string, id: number, { name }: RecordFile) =>
  `files/${table}-${id}-${name.replace(/[^\p{L}\p{N}._-]+/gu, '_').slice(-100)}`

const exportOf = (of: Resource, sources: readonly FileSource[]) =>
  operation(
    {
      id: `export${of.title}`,
      method: 'GET',
      path: `${of.path}/{id}/export`,
      summary: `Export all data of ${of.one === 'employee' ? 'an employee' : 'a candidate'}`,
      note: 'Returns a ZIP archive with all records of the person in `records.json`, and their files.',
      area: of.area,
      params: Type.Object({ id: recordId(of.table) }),
      attaches: 'application/zip',
    },
    async ({ db, params, files }) => {
      requireWholeSight(db.caller)
      await find(db, of, params.id)
      const { records, files: found } = await gather(db, of, params.id, sources)
      const name = `${of.one}-${params.id}.zip`
      const { default: yazl } = await import('yazl')
      return { file: { name, content: () => archive(new yazl.ZipFile(), records, found, db.now, files) } }
    },
  )

/** With the files of all these kinds of records. */
export const exportOperations = (sources: readonly FileSource[]) =>
  [employees, candidates].map((of) => exportOf(of, sources))
