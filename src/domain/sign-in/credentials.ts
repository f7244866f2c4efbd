import { createHmac, randomBytes } from 'node:crypto'
import type { Row } from '../../engine/declaration.ts'
import { readOnly, reference, secret, timestamp } from '../../engine/field.ts'
import { amend, attempt, eraseAll, find, insertAll, rowsOf, storeChanges } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import type { Account } from '../../records/caller.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { toBase32 } from './totp.ts'

/** What somebody knows or has: the password, the secret of their codes, and codes for when that is lost. */

export const userCredentials = resource(
  {
    table: 'user_credentials',
    one: 'set of credentials',
    title: 'UserCredentials',
    area: 'users',
    path: '/users/{user_id}/credentials',
  },
  {
    user_id: reference('users', { required: true, owner: true }),
    password_hash: secret(),
    password_set_at: readOnly(timestamp()),
    totp_secret: secret(),
    totp_pending: secret(),
    totp_set_at: readOnly(timestamp({ note: 'Since when codes of an app are asked for' })),
  },
)

export const recoveryCodes = resource(
  { table: 'recovery_codes', one: 'recovery code', area: 'users', path: '/users/{user_id}/recovery_codes' },
  {
    user_id: reference('users', { required: true, owner: true }),
    code_hash: secret(),
    used_at: readOnly(timestamp()),
  },
)

export type Credentials = Row<typeof userCredentials>

export const credentialsOf = async (db: Reader, userId: number): Promise<Credentials | undefined> =>
  (await rowsOf(userCredentials, db.from('user_credentials').where('user_id', '=', userId))).at(0)

const NOTHING = { password_hash: '', totp_secret: '', totp_pending: '' }

/** Sets what is given, and leaves the rest. */
export async function setCredentials(
  db: Writer,
  userId: number,
  changes: Partial<Omit<Credentials, 'id' | 'user_id' | 'created_at' | 'updated_at'>>,
): Promise<void> {
  const before = await credentialsOf(db, userId)
  if (before) return storeChanges(db, userCredentials, [attempt(db, userCredentials, before, changes)])
  await insertAll(db, userCredentials, [{ user_id: userId, ...NOTHING, ...changes }])
}

const HOW_MANY = 10

/** Ten letters and digits, in two halves: 50 bits. */
const newCode = () =>
  toBase32(randomBytes(7))
    .slice(0, 10)
    .toLowerCase()
    .replace(/^(.{5})/, '$1-')

const plainCode = (sent: string) => sent.toLowerCase().replace(/[^a-z2-7]/g, '')

/** Does it look like a recovery code, and not like the six digits of an app? */
export const isRecoveryCode = (sent: string) => plainCode(sent).length === 10

const codeHash = ({ signing_key }: Account, userId: number, code: string) =>
  createHmac('sha256', signing_key)
    .update(`recovery code of user ${userId}: ${plainCode(code)}`)
    .digest('hex')

export const unusedCodes = (db: Reader, userId: number) =>
  rowsOf(recoveryCodes, db.from('recovery_codes').where('user_id', '=', userId).where('used_at', 'is', null))

const allCodes = (db: Reader, userId: number) =>
  rowsOf(recoveryCodes, db.from('recovery_codes').where('user_id', '=', userId))

/** New codes in the place of all that there were. */
export async function renewCodes(db: Writer, userId: number): Promise<string[]> {
  await dropCodes(db, userId)
  const codes = Array.from({ length: HOW_MANY }, newCode)
  const rows = codes.map((code) => ({ user_id: userId, code_hash: codeHash(db.account, userId, code) }))
  await insertAll(db, recoveryCodes, rows)
  return codes
}

export const dropCodes = async (db: Writer, userId: number) => eraseAll(db, recoveryCodes, await allCodes(db, userId))

/** The unused code that was sent. */
export async function findCode(db: Reader, userId: number, sent: string): Promise<number | null> {
  const hash = codeHash(db.account, userId, sent)
  return (await unusedCodes(db, userId)).find((one) => one.code_hash === hash)?.id ?? null
}

/** Uses up a code: says whether it was still there to be used. Two who send it at once come one after the other. */
export async function spendCode(db: Writer, id: number): Promise<boolean> {
  const code = await find(db, recoveryCodes, id).catch(() => null)
  if (!code || code.used_at !== null) return false
  await amend(db, recoveryCodes, code, { used_at: db.now })
  return true
}
