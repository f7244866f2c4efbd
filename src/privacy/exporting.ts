import { Readable } from 'node:stream'
import Type from 'typebox'
import yazl from 'yazl'
import type { Resource } from '../engine/declaration.ts'
import { holdingsOf } from '../engine/erasure.ts'
import { type Files, operation } from '../engine/operation.ts'
import { requireWholeSight } from '../engine/permission.ts'
import { find } from '../engine/records.ts'
import { resourceOf } from '../engine/resource.ts'
import { recordId } from '../engine/schema.ts'
import { show } from '../engine/shape.ts'
import type { FileSource, KeptFile } from '../files/source.ts'
import { chunks } from '../ledger/entries.ts'
import type { Reader } from '../ledger/reader.ts'
import { avatarFiles } from '../people/avatars.ts'
import { certificationFiles } from '../people/certifications.ts'
import { documentFiles } from '../people/documents.ts'
import { employees } from '../people/employees.ts'
import { candidateDocumentFiles } from '../recruitment/candidate-records.ts'
import { candidates, resumeFiles } from '../recruitment/candidates.ts'
import { requireSightOf } from './erasing.ts'

/** Everything that is kept of a person, as one archive: what erasing them would take, in their own hands. */

const SOURCES: readonly FileSource[] = [
  avatarFiles,
  documentFiles,
  certificationFiles,
  resumeFiles,
  candidateDocumentFiles,
]

type Found = { table: string; id: number; file: KeptFile }

/** The records of a person by their kinds, and the files that they have. */
async function gather(db: Reader, of: Resource, id: number) {
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
  const files: Found[] = []
  for (const [kind, ids] of kinds)
    for (const some of chunks(
      [...ids].sort((a, b) => a - b),
      500,
    )) {
      records[kind.table] = [...(records[kind.table] ?? []), ...(await show(db, kind.whole, some))]
      files.push(...(await filesOf(db, kind.table, some)))
    }
  return { records, files }
}

async function filesOf(db: Reader, table: string, ids: number[]): Promise<Found[]> {
  const source = SOURCES.find((one) => one.table === table)
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
function archive(records: Record<string, unknown[]>, found: Found[], exportedAt: string, files: Files): Readable {
  const zip = new yazl.ZipFile()
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
          (kept) => done(null, kept?.stream ?? Readable.from([])),
          (error) => done(error, Readable.from([])),
        )
    })
  zip.end()
  return zip.outputStream as Readable
}

const nameOf = (table: string, id: number, { name }: KeptFile) =>
  `files/${table}-${id}-${name.replace(/[^\p{L}\p{N}._-]+/gu, '_').slice(-100)}`

const exportOf = (of: Resource) =>
  operation(
    {
      id: `export${of.title}`,
      method: 'GET',
      path: `${of.path}/{id}/export`,
      summary: `Give everything that is kept of ${of.one === 'employee' ? 'an employee' : 'a candidate'} as one archive`,
      note: 'A ZIP archive of `records.json` and the files beside it.',
      area: of.area,
      params: Type.Object({ id: recordId(of.table) }),
      attaches: 'application/zip',
    },
    async ({ db, params, files }) => {
      requireWholeSight(db.caller)
      await find(db, of, params.id)
      const { records, files: found } = await gather(db, of, params.id)
      const name = `${of.one}-${params.id}.zip`
      return { file: { name, content: () => archive(records, found, db.now, files) } }
    },
  )

export const exportOperations = [exportOf(employees), exportOf(candidates)]
