import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Database } from '../database/database.ts'
import type { Reader } from '../ledger/reader.ts'

/** Signed addresses: whoever has one can fetch the file until it expires. */

/** How long an address works at least. It is rounded up to the hour, so that reading twice gives the same address. */
const VALID_HOURS = 1
const HOUR = 3_600_000

export type Ticket = { account: number; part: string; hash: string; name: string; type: string; expires: number }

const sign = (key: string, text: string) => createHmac('sha256', key).update(text).digest('base64url')

/** An address at which anybody who has it can fetch the file until it expires. */
export function addressOf(
  db: Reader,
  file: { part: string; hash: string; name: string; type: string },
): { url: string; expires_at: string } {
  const expires = (Math.ceil(Date.parse(db.now) / HOUR) + VALID_HOURS) * HOUR
  const ticket: Ticket = { account: db.account.id, ...file, expires }
  const text = Buffer.from(JSON.stringify(ticket)).toString('base64url')
  const url = `${db.caller.origin}/files/${text}.${sign(db.account.signing_key, text)}`
  return { url, expires_at: new Date(expires).toISOString() }
}

/** What an address is good for, if it is one of ours. */
export async function readTicket(database: Database, address: string): Promise<Ticket | undefined> {
  const [text = '', signature = ''] = address.split('.')
  const ticket = parsed(text)
  if (!ticket || !Number.isSafeInteger(ticket.account)) return undefined
  const account = await database.glance((sql) =>
    sql.selectFrom('accounts').select('signing_key').where('id', '=', ticket.account).executeTakeFirst(),
  )
  if (!account) return undefined
  const expected = Buffer.from(sign(account.signing_key, text))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected) ? ticket : undefined
}

function parsed(text: string): Ticket | undefined {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}
