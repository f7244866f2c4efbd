import Type from 'typebox'
import type { Row } from '../../engine/declaration.ts'
import { loaded, orNull, readOnly, reference, secret, text, textList } from '../../engine/field.ts'
import { invalid, wrong } from '../../engine/problem.ts'
import { rowsOf } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import type { Caller } from '../../records/caller.ts'
import { type Ledger, readAs } from '../../records/ledger.ts'
import type { Reader } from '../../records/reader.ts'
import { open, seal, spend, ticketEnded } from './tickets.ts'

/** Passkeys (WebAuthn): a key that a device keeps and shows that it has, to this place alone. */

export const passkeys = resource(
  { table: 'passkeys', one: 'passkey', area: 'users', path: '/users/{user_id}/passkeys' },
  {
    user_id: reference('users', { required: true, owner: true }),
    name: text({ required: true, example: 'Phone' }),
    credential_id: secret(),
    public_key: secret(),
    transports: readOnly(
      textList({
        note: 'How the browser reaches the device with the passkey (WebAuthn transports), such as `internal` or `usb`',
      }),
    ),
    last_used_at: loaded(orNull(Type.String({ format: 'date-time' })), async (db, ids) => {
      const uses = await db
        .from('passkey_uses')
        .select(['passkey_id', 'last_used_at'])
        .where('passkey_id', 'in', ids)
        .execute()
      return new Map(uses.map((use) => [use.passkey_id, use.last_used_at]))
    }),
  },
  ['id', 'name', 'transports', 'created_at', 'last_used_at'],
)

export type Passkey = Row<typeof passkeys>

/** Loaded with the first passkey: it reads certificates of every kind. */
const webAuthn = () => import('@simplewebauthn/server')

/** Long enough to look for the device, and to answer what it asks. */
const SECONDS = 300

/** What a device writes, as JSON; its parts are looked at by the library. */
export const DEVICE_RESPONSE = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'What the browser returned for the passkey: the result of `credential.toJSON()`',
  examples: [{ id: 'AbC1dEf2', rawId: 'AbC1dEf2', type: 'public-key', response: { clientDataJSON: 'eyJ0eXBlIjoi' } }],
})
export const DEVICE_OPTIONS = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  'x-open': true,
  description:
    'Options for `navigator.credentials`: pass them to `parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`',
})

/** The place that passkeys are for: the name of the host. */
const placeOf = ({ origin }: Caller) => ({ rpID: new URL(origin).hostname, origin: new URL(origin).origin })

export const passkeysOf = (db: Reader, userId: number) =>
  rowsOf(passkeys, db.from('passkeys').where('user_id', '=', userId))

type PasskeyChallenge = { challenge: string; userId: number | null; second: string | null }

/** What a device is asked to show; `userId` when it is known who asks, `second` the ticket of a first step. */
export async function askForPasskey(
  { account, origin }: Pick<Caller, 'account' | 'origin'>,
  own: readonly Passkey[],
  asked: Omit<PasskeyChallenge, 'challenge'>,
  now: Date,
) {
  const options = await (await webAuthn()).generateAuthenticationOptions({
    rpID: new URL(origin).hostname,
    timeout: SECONDS * 1000,
    allowCredentials: own.map(({ credential_id, transports }) => ({ id: credential_id, transports: transports as [] })),
    // Alone it has to stand for what somebody knows as well.
    userVerification: asked.userId === null ? 'required' : 'preferred',
  })
  const ticket = seal(
    account,
    'passkey',
    { ...asked, challenge: options.challenge } satisfies PasskeyChallenge,
    SECONDS,
    now,
  )
  return { ticket, options }
}

/** Whose passkey was shown, and for which question; `isRight` is false when it does not fit. Each question is answered once. */
export async function checkPasskey(
  ledger: Ledger,
  caller: Caller,
  sent: { ticket: string; response: Record<string, unknown> },
): Promise<{ isRight: true; passkey: Passkey; asked: PasskeyChallenge } | { isRight: false; userId: number | null }> {
  const { database } = ledger
  const now = ledger.clock()
  const ticket = open<PasskeyChallenge>(caller.account, 'passkey', sent.ticket, now)
  const found = await readAs(ledger, caller, async (db) => {
    const id = typeof sent.response.id === 'string' ? sent.response.id : ''
    const [passkey] = await rowsOf(passkeys, db.from('passkeys').where('credential_id', '=', id))
    const use =
      passkey &&
      (await db.from('passkey_uses').select('counter').where('passkey_id', '=', passkey.id).executeTakeFirst())
    return passkey && { passkey, counter: Number(use?.counter ?? 0) }
  })
  const asked = ticket.content
  if (!found) return { isRight: false, userId: null }
  const wrong = { isRight: false, userId: found.passkey.user_id } as const
  if (asked.userId !== null && asked.userId !== found.passkey.user_id) return wrong
  const { passkey, counter } = found
  const { rpID, origin } = placeOf(caller)
  const shown = await (await webAuthn())
    .verifyAuthenticationResponse({
      response: sent.response as never,
      expectedChallenge: asked.challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      credential: { id: passkey.credential_id, publicKey: Buffer.from(passkey.public_key, 'base64url'), counter },
      requireUserVerification: asked.userId === null,
    })
    .catch(() => null)
  if (!shown?.verified) return wrong
  if (!(await spend(database, caller.account, ticket.id, ticket.until, now))) throw ticketEnded()
  const use = { counter: shown.authenticationInfo.newCounter, last_used_at: now.toISOString() }
  await database.write((sql) =>
    sql
      .insertInto('passkey_uses')
      .values({ account_id: caller.account.id, passkey_id: passkey.id, ...use })
      .onConflict((same) => same.columns(['account_id', 'passkey_id']).doUpdateSet(use))
      .execute(),
  )
  return { isRight: true, passkey, asked }
}

type PasskeyRegistration = { challenge: string; userId: number }

/** What a device is asked to make a passkey from. */
export async function offerPasskey(
  { account, origin }: Pick<Caller, 'account' | 'origin'>,
  user: { id: number; email: string; name: string },
  own: readonly Passkey[],
  now: Date,
) {
  const options = await (await webAuthn()).generateRegistrationOptions({
    rpName: account.name,
    rpID: new URL(origin).hostname,
    userID: Buffer.from(`${account.id}.${user.id}`),
    userName: user.email,
    userDisplayName: user.name,
    timeout: SECONDS * 1000,
    attestationType: 'none',
    excludeCredentials: own.map(({ credential_id, transports }) => ({
      id: credential_id,
      transports: transports as [],
    })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
  const content: PasskeyRegistration = { challenge: options.challenge, userId: user.id }
  return { ticket: seal(account, 'new passkey', content, SECONDS, now), options }
}

/** The passkey that a device has made, as it is kept; 422 when it is none. */
export async function readPasskey(
  { database, clock }: Ledger,
  caller: Caller,
  userId: number,
  sent: { ticket: string; response: Record<string, unknown> },
) {
  const now = clock()
  const ticket = open<PasskeyRegistration>(caller.account, 'new passkey', sent.ticket, now)
  const { rpID, origin } = placeOf(caller)
  const made = await (await webAuthn())
    .verifyRegistrationResponse({
      response: sent.response as never,
      expectedChallenge: ticket.content.challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: false,
    })
    .catch(() => null)
  if (!made?.verified || ticket.content.userId !== userId)
    throw invalid(wrong('response', 'invalid', 'does not match the request that was sent to the device. Start again'))
  if (!(await spend(database, caller.account, ticket.id, ticket.until, now))) throw ticketEnded()
  const { id, publicKey, transports = [] } = made.registrationInfo.credential
  return {
    user_id: userId,
    credential_id: id,
    public_key: Buffer.from(publicKey).toString('base64url'),
    transports: transports.map(String).slice(0, 10),
  }
}
