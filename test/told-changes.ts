import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { kindsByTable, showChanges } from '../src/domain/audits/change-responses.ts'
import type { Operation } from '../src/engine/operation.ts'
import { resources } from '../src/operations.ts'
import type { Caller } from '../src/records/caller.ts'
import { entriesSince } from '../src/records/entries.ts'
import { readAs } from '../src/records/ledger.ts'
import { openService } from '../src/service.ts'
import { type Answer, type Service, withoutRequestId } from './harness.ts'

/** What tests of dry runs compare: what was told of a write, and what came of it. */

/** The changes since an entry of the ledger, as a caller is told of them. */
export async function changesSince({ database, account }: Service, number: number, caller: Caller) {
  const entries = await entriesSince(database, account.id, number, 100_000)
  const { ledger } = openService({ database, filesAt: '' })
  return readAs(ledger, caller, (db) => showChanges(db, kindsByTable(resources), entries))
}

export const ledgerNumber = async ({ database }: Service) =>
  (await database.query((sql) => sql.selectFrom('accounts').select('ledger_no').orderBy('id').executeTakeFirst()))
    ?.ledger_no as number

/** Without what is made by chance, or shown once only. */
export function plain(operation: Operation, body: any): any {
  const copy = JSON.parse(withoutRequestId(JSON.stringify(body ?? {})))
  if (operation.redact) copy.data = { ...copy.data, hint: '', key: '', url: '' }
  if (copy.data?.link) copy.data.link.url = ''
  for (const { resource, after } of copy.changes ?? []) if (resource === 'api_keys' && after) after.hint = ''
  return copy
}

export const withActorOf = (tried: Answer, shown: object[]) =>
  shown.map((one) => ({ ...one, actor: tried.body.changes[0].actor }))

/** Every file and folder, and when it was last written. */
export const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const { ino, size, mtimeMs } = statSync(join(folder, name))
      return `${name} ${ino} ${size} ${mtimeMs}`
    })
