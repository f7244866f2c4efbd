import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto'
import type { Database } from '../../database/database.ts'
import { Problem } from '../../engine/problem.ts'
import type { Account } from '../../records/caller.ts'

/**
 * What leads from one step of a sign-in to the next: sealed by the account and kept by the caller, so that whoever only
 * begins costs us nothing. It can be used once; what was used is remembered until it would have ended by itself.
 */

export const random = () => randomBytes(32).toString('base64url')

/** What is kept of a secret that is long enough not to be guessed. */
export const hashOf = (secret: string) => hash('sha256', secret)

const keyOf = ({ id, signing_key }: Account, kind: string) =>
  Buffer.from(hkdfSync('sha256', signing_key, `account ${id}`, `ticket: ${kind}`, 32))

type SealedTicket<T> = { readonly id: string; readonly until: number; readonly content: T }

export function seal(account: Account, kind: string, content: unknown, seconds: number, now: Date): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(account, kind), iv)
  const whole: SealedTicket<unknown> = { id: random(), until: now.getTime() + seconds * 1000, content }
  return Buffer.concat([iv, cipher.update(JSON.stringify(whole)), cipher.final(), cipher.getAuthTag()]).toString(
    'base64url',
  )
}

export const ticketEnded = () =>
  new Problem(401, 'ticket_ended', 'This sign-in step has expired or was already used. Start again.')

/** What was sealed, or 401 when it was not by this account, for something else, or is over. */
export function open<T>(account: Account, kind: string, ticket: string, now: Date): SealedTicket<T> {
  const bytes = Buffer.from(ticket, 'base64url')
  if (bytes.length < 29) throw ticketEnded()
  const cipher = createDecipheriv('aes-256-gcm', keyOf(account, kind), bytes.subarray(0, 12), { authTagLength: 16 })
  cipher.setAuthTag(bytes.subarray(-16))
  try {
    const text = Buffer.concat([cipher.update(bytes.subarray(12, -16)), cipher.final()]).toString()
    const whole = JSON.parse(text) as SealedTicket<T>
    if (whole.until > now.getTime()) return whole
  } catch {
    // Nothing of ours.
  }
  throw ticketEnded()
}

/** Uses up something that may be used once, also by two at the same time: says whether it was there to be used. */
export const spend = (database: Database, account: Account, name: string, until: number, now: Date): Promise<boolean> =>
  database.write(async (sql) => {
    const [account_id, key] = [account.id, hashOf(name)]
    await sql
      .deleteFrom('spent_tickets')
      .where('account_id', '=', account_id)
      .where('until', '<', now.getTime())
      .execute()
    const row = { account_id, hash: key, until }
    const kept = sql
      .insertInto('spent_tickets')
      .values(row)
      .onConflict((same) => same.doNothing())
      .returning('hash')
    return (await kept.executeTakeFirst()) !== undefined
  })
