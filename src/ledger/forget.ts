import { FORGOTTEN } from './account-version.ts'
import { chunks } from './chunks.ts'
import { type Columns, ledgered } from './entries.ts'
import type { Table, Told } from './tables.ts'
import type { Turn } from './turn.ts'

/** Too short to tell anybody. */
const SHORTEST = 3

/** Takes records out of the ledger's past, and what was said of them out of the answers that are kept for retries. */
export async function forgetAll(turn: Turn): Promise<void> {
  if (turn.forgotten.length === 0) return
  turn.touched.add(FORGOTTEN)
  const said = new Set<string>()
  const marked = new Set<string>()
  for (const { of, ids, numbers } of turn.forgotten) {
    const listen = (columns: Columns | null) => {
      for (const name of of.texts) for (const text of textsIn(columns?.[name])) said.add(text)
    }
    const [column, values] = numbers ? ['no', numbers] : ['record_id', ids]
    for (const some of chunks(values, 1000)) {
      const past = await turn.sql
        .selectFrom('ledger')
        .select(['before', 'after'])
        .where('account_id', '=', turn.caller.account.id)
        .where('resource', '=', of.table)
        .where(column, 'in', some)
        .execute()
      for (const { before, after } of past) for (const text of [before, after]) listen(text && JSON.parse(text))
      await turn.sql
        .updateTable('ledger')
        .set({ before: null, after: null, salt: null })
        .where('account_id', '=', turn.caller.account.id)
        .where('resource', '=', of.table)
        .where(column, 'in', some)
        .execute()
    }
    const forgotten = new Set(ids)
    for (const change of numbers ? [] : turn.changes) {
      if (change.resource !== of.table || !forgotten.has(change.record_id) || change.action === 'erase') continue
      listen(change.before)
      listen(change.after)
      Object.assign(change, { before: null, after: null })
    }
    // That the past was emptied, and when, is a part of it: an entry that is empty without this was tampered with. It
    // tells what stays of a record, for those who know no more of it now.
    const rest = await whatStays(turn, of, ids)
    for (const record_id of forgotten) {
      if (marked.has(`${of.table} ${record_id}`)) continue
      marked.add(`${of.table} ${record_id}`)
      turn.changes.push({
        resource: of.table,
        record_id,
        action: 'erase',
        before: null,
        after: rest.get(record_id) ?? null,
        owner: null,
        owner_id: null,
      })
    }
  }
  await forgetAnswers(turn, [...said])
}

async function whatStays({ sql, caller }: Turn, of: Table, ids: readonly number[]): Promise<Map<number, Columns>> {
  const rows = new Map<number, Columns>()
  for (const some of chunks(ids, 1000)) {
    const found = await sql
      .selectFrom(of.table)
      .selectAll()
      .where('account_id', '=', caller.account.id)
      .where('id', 'in', some)
      .execute()
    for (const row of found) rows.set(row.id, ledgered(of, row))
  }
  return rows
}

/** Lists of texts are kept as JSON: each of them is a text. */
function textsIn(value: unknown): string[] {
  if (typeof value !== 'string') return []
  const texts = value.startsWith('[') || value.startsWith('{') ? leaves(value) : [value]
  return texts.filter((text) => text.length >= SHORTEST)
}

function leaves(json: string): string[] {
  const found: string[] = []
  try {
    JSON.parse(json, (_name, value) => {
      if (typeof value === 'string') found.push(value)
      return value
    })
    return found
  } catch {
    return [json]
  }
}

/** An answer that says any of it stays as a mark that the request was carried out; its body goes. */
async function forgetAnswers({ sql, caller }: Turn, said: readonly string[]): Promise<void> {
  const kept = () => sql.selectFrom('idempotency').where('account_id', '=', caller.account.id)
  const inJson = said.map((text) => JSON.stringify(text).slice(1, -1))
  const rows = await kept()
    .select(['actor', 'operation', 'idempotency_key', 'body'])
    .where('body', 'is not', null)
    .execute()
  for (const { body, ...key } of rows) {
    if (!inJson.some((text) => body.includes(text))) continue
    let answer = sql.updateTable('idempotency').set({ body: null }).where('account_id', '=', caller.account.id)
    for (const [name, value] of Object.entries(key)) answer = answer.where(name, '=', value)
    await answer.execute()
  }
}

/** Looks through the past of a table: nothing else knows of what is gone. */
export async function everNaming(
  { sql, caller }: Turn,
  table: string,
  column: string,
  ids: readonly number[],
): Promise<number[]> {
  const found = new Set<number>()
  for (const some of chunks(ids, 50)) {
    const naming = some.flatMap((id) => [`%"${column}":${id},%`, `%"${column}":${id}}%`])
    const rows = await sql
      .selectFrom('ledger')
      .select('record_id')
      .distinct()
      .where('account_id', '=', caller.account.id)
      .where('resource', '=', table)
      .where((eb) => eb.or(naming.flatMap((text) => [eb('before', 'like', text), eb('after', 'like', text)])))
      .execute()
    for (const row of rows) found.add(row.record_id)
  }
  return [...found]
}

/** The records that records of a table ever named in a column, as far as it is not forgotten. */
export async function everNamed(
  { sql, caller }: Turn,
  table: string,
  column: string,
  ids: readonly number[],
): Promise<number[]> {
  const named = new Set<number>()
  for (const some of chunks(ids, 1000)) {
    const rows = await sql
      .selectFrom('ledger')
      .select(['before', 'after'])
      .where('account_id', '=', caller.account.id)
      .where('resource', '=', table)
      .where('record_id', 'in', some)
      .execute()
    for (const side of rows.flatMap(({ before, after }) => [before, after])) {
      const id = side && JSON.parse(side)[column]
      if (typeof id === 'number') named.add(id)
    }
  }
  return [...named]
}

/** What was told in the turns in which these records came or went, also of others. */
export async function toldWith({ sql, caller }: Turn, table: string, ids: readonly number[]): Promise<Told[]> {
  const ledger = () => sql.selectFrom('ledger').where('account_id', '=', caller.account.id)
  const found: Told[] = []
  for (const some of chunks(ids, 1000)) {
    const turns = await ledger()
      .select(['request_id', 'at', 'operation'])
      .distinct()
      .where('resource', '=', table)
      .where('record_id', 'in', some)
      .where('action', 'in', ['create', 'delete'])
      .execute()
    for (const { request_id, at, operation } of turns) {
      const rows = await ledger()
        .select(['no', 'resource', 'record_id', 'before', 'after'])
        .where('request_id', '=', request_id)
        .where('at', '=', at)
        .where('operation', '=', operation)
        .execute()
      for (const { no, resource, record_id, before, after } of rows) {
        const columns = Object.keys({ ...(before && JSON.parse(before)), ...(after && JSON.parse(after)) })
        found.push({ number: no, resource, record_id, columns })
      }
    }
  }
  return found
}
