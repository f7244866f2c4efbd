import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Database } from '../../database/database.ts'
import type { FileSource, RecordFile } from '../../engine/file-source.ts'
import { type Actor, actorRef } from '../../records/caller.ts'
import type { Reader } from '../../records/reader.ts'

/** Signed addresses: whoever has one can fetch the file until it expires. */

/** How long an address works at least. It is rounded up to the hour, so that reading twice gives the same address. */
const VALID_HOURS = 1
const HOUR = 3_600_000

/** It names the record whose file it is: without the record, or when that has another file, it opens nothing. */
type Ticket = {
  account: number
  of: string
  id: number
  hash: string
  /** Who was given it: `key:7`. */
  by?: string
  expires: number
}

const sign = (key: string, text: string) => createHmac('sha256', key).update(text).digest('base64url')

/** An address at which anybody who has it can fetch the file until it expires. */
export function addressOf(db: Reader, file: Pick<Ticket, 'of' | 'id' | 'hash'>): { url: string; expires_at: string } {
  const expires = Date.parse(db.hour) + VALID_HOURS * HOUR
  const ticket: Ticket = { account: db.account.id, ...file, by: actorRef(db.caller.actor), expires }
  const text = Buffer.from(JSON.stringify(ticket)).toString('base64url')
  const url = `${db.caller.origin}/files/${text}.${sign(db.account.signing_key, text)}`
  return { url, expires_at: new Date(expires).toISOString() }
}

/** A file, whose it is, and who was given its address. */
export type FetchedFile = RecordFile & { of: Pick<Ticket, 'account' | 'of' | 'id'>; ownerId: number | null; by: Actor }

/** The file that an address is good for, if it is one of ours and still holds. */
export async function fileAt(
  database: Database,
  sources: readonly FileSource[],
  address: string,
  now: Date,
  /** The column by which a record names what it is a part of. */
  ownerColumn: (table: string) => string | undefined,
): Promise<FetchedFile | undefined> {
  const [text = '', signature = '', ...more] = address.split('.')
  if (more.length > 0) return undefined
  const ticket = parsed(text)
  const source = sources.find(({ table }) => table === ticket?.of)
  if (!ticket || !source || ![ticket.account, ticket.id].every(Number.isSafeInteger)) return undefined
  const account = await database.query((sql) =>
    sql.selectFrom('accounts').select('signing_key').where('id', '=', ticket.account).executeTakeFirst(),
  )
  if (!account || !isSigned(account.signing_key, text, signature) || !(ticket.expires > now.getTime())) return undefined
  const owner = ownerColumn(source.table)
  const row = await database.query((sql) =>
    sql
      .selectFrom(source.table)
      .select(['account_id', 'id', ...source.columns, ...(owner ? [owner] : [])])
      .where('account_id', '=', ticket.account)
      .where('id', '=', ticket.id)
      .executeTakeFirst(),
  )
  const file = row && source.fileOf(row)
  if (!file || file.hash !== ticket.hash) return undefined
  return { ...file, of: ticket, ownerId: owner ? row[owner] : null, by: actorIn(ticket) }
}

/** Addresses that earlier versions gave out do not say to whom. */
function actorIn({ by = '' }: Ticket): Actor {
  const [, kind, id] = /^(key|person):(\d+)$/.exec(by) ?? []
  return kind === 'key' || kind === 'person' ? { kind, id: Number(id) } : { kind: 'anybody' }
}

function isSigned(key: string, text: string, signature: string): boolean {
  const expected = Buffer.from(sign(key, text))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function parsed(text: string): Ticket | undefined {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}
