import Type from 'typebox'
import { list } from '../../engine/derive.ts'
import { integer, readOnly, reference, text } from '../../engine/field.ts'
import type { Answer } from '../../engine/operation.ts'
import { conflict, Problem } from '../../engine/problem.ts'
import { insertAll } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { wrapped } from '../../engine/schema.ts'
import type { UndoGuard } from '../../engine/undo/guards.ts'
import type { Account, Caller } from '../../records/caller.ts'
import { type Ledger, readAs, writeAs } from '../../records/ledger.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { mayEnter } from '../access/keys.ts'
import { countAttempt, countFailure, ofAddress, refuseWaiting, takeBack } from './attempts.ts'
import { type Credentials, credentialsOf, findCode, isRecoveryCode, unusedCodes } from './credentials.ts'
import { passkeysOf } from './passkeys.ts'
import { isPassword } from './passwords.ts'
import { isOwner, personBy, type SignInUser } from './people.ts'
import { isCompulsory } from './providers.ts'
import { beginSession, countedFor, countedFrom, type SignInMethod } from './sessions.ts'
import { hashOf, seal, spend } from './tickets.ts'
import { stepOf } from './totp.ts'

/** The door: what all ways of signing in have in common. */

export const failedSignIns = resource(
  { table: 'failed_sign_ins', one: 'series of failed sign-ins', title: 'FailedSignIns', area: 'users', about: [] },
  {
    user_id: readOnly(
      reference('users', {
        owner: true,
        fate: 'goes',
        note: 'ID of the user whose email address was tried; null if there is no such user',
      }),
    ),
    address: readOnly(text({ note: 'IP address of the last attempt' })),
    attempts: readOnly(integer({ required: true, note: 'Failed attempts in a row, by user or address' })),
  },
)

export const failedSignInOperations = [list(failedSignIns, { order: '-created_at' })]

export const attemptsStayTold: UndoGuard = {
  tables: [failedSignIns.table],
  async check() {
    throw conflict('Changes to the count of failed sign-ins cannot be undone.')
  },
}

export const failed = () =>
  new Problem(401, 'sign_in_failed', 'The e-mail address, password or code is wrong, or this person may not sign in.')

export const ssoCompulsory = () =>
  new Problem(
    403,
    'sso_compulsory',
    'This account requires single sign-on. Choose the identity provider on the sign-in page.',
  )

/** Told in the audit at 5, 10, 20, 40 … failures, behind the answer: no wait may say that there was something to tell. */
const isTold = (attempts: number) => attempts >= 5 && Number.isInteger(Math.log2(attempts / 5))

function tellFailure(ledger: Ledger, caller: Caller, userId: number | null, attempts: number, isSure = false): void {
  if (!isSure && !isTold(attempts)) return
  const told = { user_id: userId, address: caller.address, attempts }
  writeAs(ledger, caller, 'failSignIn', (db) => insertAll(db, failedSignIns, [told])).catch(() => undefined)
}

/**
 * Looks at a secret that may be guessed. It is counted before it is looked at; what is right is not counted. `isRight` costs
 * the same whoever it is, and looks once more whether it may be looked at when it begins.
 */
export async function guess(
  ledger: Ledger,
  caller: Caller,
  { userId, name }: { userId: number | null; name: string },
  isRight: (look: () => void) => Promise<boolean>,
): Promise<void> {
  const { database, clock } = ledger
  const { account } = caller
  const { own, others } = countedFor(caller, userId, name)
  let attempts = await countAttempt(database, account, own, others, clock())
  if (await isRight(() => refuseWaiting(database, account, others, clock()))) return takeBack(database, account, own)
  for (const one of others) attempts = Math.max(attempts, await countFailure(database, account, one, clock()))
  tellFailure(ledger, caller, userId, attempts)
  throw failed()
}

/** A passkey that did not fit: it counts for the address, and one that is somebody's is told of, for it may be a copy. */
export async function refusePasskey(ledger: Ledger, caller: Caller, userId: number | null): Promise<never> {
  const { database, clock } = ledger
  const attempts = await countFailure(database, caller.account, ofAddress(caller.address), clock())
  tellFailure(ledger, caller, userId, attempts, userId !== null)
  throw new Problem(401, 'passkey_refused', 'This passkey is unknown or invalid. Sign in another way.')
}

/** Refuses a stranger who has to wait before anything is looked at: who keeps trying costs next to nothing. */
export function refuseHasty({ database, clock }: Ledger, caller: Caller, name: string): void {
  refuseWaiting(database, caller.account, countedFrom(caller, name), clock())
}

/** The password of somebody whom we may not know. */
export const guessPassword = (
  ledger: Ledger,
  caller: Caller,
  who: { userId: number | null; name: string; credentials: Credentials | undefined; mayEnter: boolean },
  password: string,
): Promise<void> =>
  guess(ledger, caller, who, async (look) => {
    const kept = who.credentials?.password_hash || null
    // Those of earlier versions were kept without what stood around them.
    const spellings = new Set([password, password.trim()])
    let isRight = false
    for (const one of spellings) isRight ||= await isPassword(one, kept, look)
    return isRight && who.mayEnter
  })

/**
 * A code of an app, or a recovery code. That of an app is used up here; a recovery code is named, to be used in the turn
 * that it lets in.
 */
export async function guessCode(
  ledger: Ledger,
  caller: Caller,
  userId: number,
  sent: string,
): Promise<{ recoveryCode: number | null }> {
  const { account } = caller
  let recoveryCode: number | null = null
  await guess(ledger, caller, { userId, name: `code ${userId}` }, async () => {
    if (isRecoveryCode(sent)) {
      recoveryCode = await readAs(ledger, caller, (db) => findCode(db, userId, sent))
      return recoveryCode !== null
    }
    const now = ledger.clock()
    const own = await readAs(ledger, caller, (db) => credentialsOf(db, userId))
    if (!own?.totp_secret) return false
    const step = stepOf(own.totp_secret, sent.replaceAll(' ', ''), now)
    if (step === null) return false
    return spendStep(ledger, account, userId, step)
  })
  return { recoveryCode }
}

/** A code that was seen over a shoulder is worth nothing any more, nor is one from before it. */
export async function spendStep({ database, clock }: Ledger, account: Account, userId: number, step: number) {
  const now = clock()
  const spent = (one: number) =>
    spend(database, account, `code of user ${userId} at ${one}`, now.getTime() + 120_000, now)
  if (!(await spent(step))) return false
  for (const older of [step - 1, step - 2]) await spent(older)
  return true
}

const SECONDS = 300

export type SecondStep = { userId: number; way: SignInMethod; mark: string; returnTo: string | null }

/** Tells whether the password is still the one that the first step was done with. */
export const markOf = (credentials: Credentials | undefined) => hashOf(credentials?.password_hash ?? '').slice(0, 16)

const OUTCOME = Type.Object(
  {
    status: Type.Unsafe<string>({
      type: 'string',
      enum: ['signed_in', 'second_factor'],
      description: 'Next step',
    }),
    user: Type.Optional(
      Type.Object({ id: Type.Integer(), name: Type.String(), email: Type.String() }, { title: 'SignedInUser' }),
    ),
    return_to: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'] })),
    ticket: Type.Optional(Type.String({ description: 'Ticket for the second step; expires after five minutes' })),
    ways: Type.Optional(Type.Array(Type.String(), { examples: [['totp', 'recovery_code']] })),
  },
  { title: 'SignInOutcome' },
)

export const outcome = wrapped(OUTCOME)

/** What somebody has besides the password. */
export async function secondWays(db: Reader, userId: number, credentials: Credentials | undefined): Promise<string[]> {
  const ways = [
    ...(credentials?.totp_set_at ? ['totp'] : []),
    ...((await passkeysOf(db, userId)).length > 0 ? ['passkey'] : []),
  ]
  return ways.length > 0 && (await unusedCodes(db, userId)).length > 0 ? [...ways, 'recovery_code'] : ways
}

/** While the provider is compulsory, owners alone come in by other ways: a company must not lock itself out. */
export async function refuseOtherWays(db: Reader, person: SignInUser, isSafe: boolean): Promise<void> {
  if ((await isCompulsory(db)) && !(isSafe && (await isOwner(db, person.id)))) throw ssoCompulsory()
}

/** Refuses to make a link for somebody whom it would not let in: they would find out when they have used it. */
export async function refuseVainLink(db: Reader, userId: number): Promise<void> {
  const person = (await personBy(db, 'id', userId)) as SignInUser
  if (person.disabled_at !== null) throw conflict('This user is disabled. Enable the user first.')
  if (!mayEnter(person, db))
    throw conflict('This user has left the company, so a sign-in link would not work. No link was created.')
  if ((await isCompulsory(db)) && !(await isOwner(db, userId)))
    throw conflict(
      'Your company requires single sign-on: this user signs in through the identity provider and needs no link. Only owners can use a sign-in link.',
    )
}

/** Does a compulsory provider keep somebody from coming in by their password? Owners have a second step for that. */
export const isKeptOut = async (
  db: Reader,
  { id }: SignInUser,
  credentials: Credentials | undefined,
): Promise<boolean> => !((await isOwner(db, id)) && (await secondWays(db, id, credentials)).length > 0)

/** The first step is done: whoever has a second way is asked for it, others are in. */
export async function firstStepDone(db: Writer, person: SignInUser, way: 'password' | 'link'): Promise<Answer> {
  const credentials = await credentialsOf(db, person.id)
  const ways = await secondWays(db, person.id, credentials)
  await refuseOtherWays(db, person, way === 'link' || ways.length > 0)
  if (ways.length === 0) return enter(db, person, way)
  const content: SecondStep = { userId: person.id, way, mark: markOf(credentials), returnTo: null }
  const ticket = seal(db.account, 'second step', content, SECONDS, new Date(db.now))
  return { body: { data: { status: 'second_factor', ticket, ways } } }
}

/** From here on it is they who act: what comes of this sign-in is told as theirs. */
export const actAs = (db: Writer, { id, employee_id }: Pick<SignInUser, 'id' | 'employee_id'>): void =>
  db.attribute({ kind: 'person', id }, employee_id)

/** Somebody is in. */
export async function enter(
  db: Writer,
  person: SignInUser,
  way: SignInMethod,
  { returnTo = null, shownAt = db.now }: { returnTo?: string | null; shownAt?: string } = {},
): Promise<Answer> {
  const { id, name, email } = person
  actAs(db, person)
  return {
    body: { data: { status: 'signed_in', user: { id, name, email }, return_to: returnTo } },
    keep: await beginSession(db, person, way, shownAt),
  }
}
