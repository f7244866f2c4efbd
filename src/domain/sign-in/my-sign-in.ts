import Type from 'typebox'
import { type Operation, operation } from '../../engine/operation.ts'
import { conflict, invalid, refuse, wrong } from '../../engine/problem.ts'
import { amend, create, erase, find } from '../../engine/records.ts'
import { bodySchema, recordId, schemaOf, schemaWith, wrapped, wrappedList } from '../../engine/schema.ts'
import { fetchShape, showOne } from '../../engine/shape.ts'
import type { Caller } from '../../records/caller.ts'
import { type Ledger, readAs } from '../../records/ledger.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { users } from '../access/users.ts'
import { credentialsOf, dropCodes, renewCodes, setCredentials, spendCode, unusedCodes } from './credentials.ts'
import { dropLinks } from './links.ts'
import {
  checkPasskey,
  DEVICE_OPTIONS,
  DEVICE_RESPONSE,
  offerPasskey,
  passkeys,
  passkeysOf,
  readPasskey,
} from './passkeys.ts'
import { hashPassword, weaknesses } from './passwords.ts'
import { userIdentities } from './providers.ts'
import { beginSession, endSessions, ownSession, requireRecent, sessions, sessionsOf } from './sessions.ts'
import { CODE, PASSWORD } from './sign-in.ts'
import { failed, guessCode, guessPassword, refusePasskey, secondWays, spendStep } from './sign-in-steps.ts'
import { addressOf, newSecret, stepOf } from './totp.ts'

/** What somebody who is signed in does about their own ways of signing in. */

const own = { area: 'me' } as const

/** Changes how somebody signs in: secrets come and go, and who came by an open session is stopped. */
const guarded = { ...own, guarded: true } as const

const RECOVERY_CODES = wrapped(
  Type.Object(
    {
      recovery_codes: Type.Array(Type.String(), {
        description: 'Recovery codes. Each works once; they are shown only in this response',
      }),
    },
    { title: 'RecoveryCodes' },
  ),
)

const NEW_PASSKEY = schemaWith('NewPasskey', [passkeys.whole], {
  recovery_codes: Type.Array(Type.String(), {
    description: 'New recovery codes, if there were none. Each works once; they are shown only in this response',
  }),
})

const recently = async ({ ledger, caller }: { ledger: Ledger; caller: Caller }) =>
  requireRecent(caller, ledger.clock().toISOString())

const myself = (db: Reader) => find(db, users, ownSession(db).userId)

/** Their own password, which may be guessed like any other. */
const checkPassword = async (ledger: Ledger, caller: Caller, userId: number, password: string): Promise<void> =>
  guessPassword(
    ledger,
    caller,
    {
      userId,
      name: `own ${userId}`,
      credentials: await readAs(ledger, caller, (db) => credentialsOf(db, userId)),
      mayEnter: true,
    },
    password,
  )

const wrongPassword = (field: string) => invalid(wrong(field, 'mismatch', 'is not your password'))

/** Without a second way there is nothing that recovery codes could stand for. */
async function dropUselessCodes(db: Writer, userId: number): Promise<void> {
  if ((await secondWays(db, userId, await credentialsOf(db, userId))).length === 0) await dropCodes(db, userId)
}

const nothingBegun = () => conflict('No set-up of an authenticator app is in progress. Start with POST /me/totp.')

/** A part of somebody's own, by its id. */
const ownPart = (table: string) => Type.Object({ id: recordId(table) })

export const ownOperations: Operation[] = [
  operation(
    {
      ...guarded,
      id: 'changeOwnPassword',
      method: 'PUT',
      path: '/me/password',
      summary: 'Change your password',
      note: 'Requires the current password, or a sign-in or confirmation within the last ten minutes. Ends all your other sessions; this session continues with a new cookie.',
      body: Type.Object(
        {
          password: PASSWORD,
          current_password: Type.Optional({
            ...PASSWORD,
            type: ['string', 'null'],
            minLength: 0,
          } as unknown as typeof PASSWORD),
        },
        { title: 'ChangeOwnPassword' },
      ),
      async prepare({ ledger, caller, body }) {
        const { userId } = ownSession({ caller })
        if (body.current_password)
          await checkPassword(ledger, caller, userId, body.current_password).catch((error) => {
            throw error.code === 'sign_in_failed' ? wrongPassword('current_password') : error
          })
        else await recently({ ledger, caller })
        refuse(weaknesses(body.password, await readAs(ledger, caller, myself)))
        return hashPassword(body.password)
      },
    },
    async ({ db, preparation: password_hash }) => {
      const { userId } = ownSession(db)
      const before = await find(db, sessions, ownSession(db).id)
      await setCredentials(db, userId, { password_hash, password_set_at: db.now })
      await dropLinks(db, userId)
      await endSessions(db, userId)
      return { keep: await beginSession(db, { id: userId }, before.way) }
    },
  ),
  operation(
    {
      ...guarded,
      id: 'confirmOneself',
      method: 'POST',
      path: '/me/confirmation',
      summary: 'Confirm your identity',
      note: 'Send your password, a code or a passkey. For ten minutes you can then change your sign-in methods.',
      body: Type.Object(
        {
          password: Type.Optional({ ...PASSWORD, description: 'Your password' }),
          code: Type.Optional(CODE),
          ticket: Type.Optional(
            Type.String({
              format: 'line',
              maxLength: 4000,
              description: 'Ticket from `POST /sign_in/passkey_options`, if you send a passkey',
            }),
          ),
          response: Type.Optional(DEVICE_RESPONSE),
        },
        { title: 'ConfirmOneself' },
      ),
      async prepare({ ledger, caller, body }) {
        const { userId } = ownSession({ caller })
        if (body.password) {
          await checkPassword(ledger, caller, userId, body.password)
          return { recoveryCode: null }
        }
        if (body.code) return guessCode(ledger, caller, userId, body.code)
        if (!body.ticket || !body.response)
          throw invalid(wrong('password', 'required', 'is required, unless you send a code or a passkey'))
        const { ticket, response } = body
        const shown = await checkPasskey(ledger, caller, { ticket, response })
        if (!shown.isRight || shown.passkey.user_id !== userId)
          return refusePasskey(ledger, caller, shown.isRight ? shown.passkey.user_id : shown.userId)
        return { recoveryCode: null }
      },
    },
    async ({ db, preparation: { recoveryCode } }) => {
      if (recoveryCode !== null && !(await spendCode(db, recoveryCode))) throw failed()
      await amend(db, sessions, await find(db, sessions, ownSession(db).id), { confirmed_at: db.now })
      return {}
    },
  ),
  operation(
    {
      ...guarded,
      id: 'beginTotp',
      method: 'POST',
      path: '/me/totp',
      summary: 'Set up an authenticator app',
      note: 'Enter the secret in the app, or show `uri` as a QR code. Then confirm with `PUT /me/totp`.',
      answer: wrapped(Type.Object({ secret: Type.String(), uri: Type.String() }, { title: 'TotpSecret' })),
      prepare: recently,
    },
    async ({ db }) => {
      const { id, email } = await myself(db)
      const secret = newSecret()
      await setCredentials(db, id, { totp_pending: secret })
      return { body: { data: { secret, uri: addressOf(secret, db.account.name, email) } } }
    },
  ),
  operation(
    {
      ...guarded,
      id: 'confirmTotp',
      method: 'PUT',
      path: '/me/totp',
      summary: 'Confirm the authenticator app',
      note: 'Send a code from the app. From then on, signing in with your password also requires a code. Returns recovery codes for the case that you lose the app; earlier recovery codes stop working.',
      body: Type.Object({ code: CODE }, { title: 'ConfirmTotp' }),
      answer: RECOVERY_CODES,
      conflicts: 'No set-up in progress: start with `POST /me/totp`',
      async prepare({ ledger, caller, body }) {
        await recently({ ledger, caller })
        const { userId } = ownSession({ caller })
        const pending = (await readAs(ledger, caller, (db) => credentialsOf(db, userId)))?.totp_pending
        if (!pending) throw nothingBegun()
        const step = stepOf(pending, body.code.replaceAll(' ', ''), ledger.clock())
        if (step === null)
          throw invalid(
            wrong(
              'code',
              'mismatch',
              'is wrong or has expired. Check the clock of your device and try the current code',
            ),
          )
        await spendStep(ledger, caller.account, userId, step)
        return pending
      },
    },
    async ({ db, preparation: pending }) => {
      const { userId } = ownSession(db)
      if ((await credentialsOf(db, userId))?.totp_pending !== pending) throw nothingBegun()
      await setCredentials(db, userId, { totp_secret: pending, totp_pending: '', totp_set_at: db.now })
      return { body: { data: { recovery_codes: await renewCodes(db, userId) } } }
    },
  ),
  operation(
    {
      ...guarded,
      id: 'endTotp',
      method: 'DELETE',
      path: '/me/totp',
      summary: 'Remove the authenticator app',
      prepare: recently,
    },
    async ({ db }) => {
      const { userId } = ownSession(db)
      await setCredentials(db, userId, { totp_secret: '', totp_pending: '', totp_set_at: null })
      await dropUselessCodes(db, userId)
      return {}
    },
  ),
  operation(
    {
      ...guarded,
      id: 'renewRecoveryCodes',
      method: 'POST',
      path: '/me/recovery_codes',
      summary: 'Create new recovery codes',
      note: 'Replaces all earlier recovery codes.',
      answer: RECOVERY_CODES,
      conflicts: 'Recovery codes need a second factor: an authenticator app or a passkey',
      prepare: recently,
    },
    async ({ db }) => {
      const { userId } = ownSession(db)
      if ((await secondWays(db, userId, await credentialsOf(db, userId))).length === 0)
        throw conflict('Recovery codes need an authenticator app or a passkey. Set one up first.')
      return { body: { data: { recovery_codes: await renewCodes(db, userId) } } }
    },
  ),
  operation(
    {
      ...own,
      id: 'listOwnPasskeys',
      method: 'GET',
      path: '/me/passkeys',
      summary: 'List your passkeys',
      answer: wrappedList(schemaOf(passkeys.whole)),
      indexedColumns: ['passkeys.user_id'],
    },
    async ({ db }) => {
      const rows = await fetchShape(
        db,
        passkeys.whole,
        db.from('passkeys').where('user_id', '=', ownSession(db).userId),
      )
      return { body: { data: rows.map(({ record }) => record) } }
    },
  ),
  operation(
    {
      ...guarded,
      id: 'offerPasskey',
      method: 'POST',
      path: '/me/passkeys/options',
      summary: 'Get the options to create a passkey',
      answer: wrapped(Type.Object({ ticket: Type.String(), options: DEVICE_OPTIONS }, { title: 'PasskeyOffer' })),
      async prepare({ ledger, caller }) {
        await recently({ ledger, caller })
        const [user, own] = await readAs(ledger, caller, async (db) => {
          const user = await myself(db)
          return [user, await passkeysOf(db, user.id)] as const
        })
        return offerPasskey(caller, user, own, ledger.clock())
      },
    },
    async ({ preparation }) => ({ body: { data: preparation } }),
  ),
  operation(
    {
      ...guarded,
      id: 'addPasskey',
      method: 'POST',
      path: '/me/passkeys',
      summary: 'Add a passkey',
      note: 'You can then sign in with the passkey alone; signing in with your password also asks for the passkey or a code. If it is your first second factor, the response contains recovery codes.',
      body: Type.Object(
        {
          ticket: Type.String({ format: 'line', minLength: 1, maxLength: 4000, examples: ['kq3T0xZb7mVYc1Lw9sPf'] }),
          name: Type.String({ format: 'line', minLength: 1, maxLength: 255, examples: ['Phone'] }),
          response: DEVICE_RESPONSE,
        },
        { title: 'AddPasskey' },
      ),
      answer: wrapped(NEW_PASSKEY),
      conflicts: 'You already have 20 passkeys, the maximum, or this passkey is already registered',
      async prepare({ ledger, caller, body }) {
        await recently({ ledger, caller })
        return readPasskey(ledger, caller, ownSession({ caller }).userId, body)
      },
    },
    async ({ db, body, preparation }) => {
      const own = await passkeysOf(db, ownSession(db).userId)
      if (own.length >= 20) throw conflict('You already have 20 passkeys, the maximum. Remove one first.')
      const same = await db
        .from('passkeys')
        .select('id')
        .where('credential_id', '=', preparation.credential_id)
        .executeTakeFirst()
      if (same) throw conflict('This passkey is already registered.')
      const id = await create(db, passkeys, { ...preparation, name: body.name })
      const { userId } = ownSession(db)
      const recovery_codes = (await unusedCodes(db, userId)).length > 0 ? [] : await renewCodes(db, userId)
      const { data } = await showOne(db, passkeys.whole, id)
      return { body: { data: { ...data, recovery_codes } } }
    },
  ),
  operation(
    {
      ...own,
      id: 'renameOwnPasskey',
      method: 'PUT',
      path: '/me/passkeys/{id}',
      summary: 'Rename one of your passkeys',
      params: ownPart('passkeys'),
      body: bodySchema(passkeys, 'update'),
      answer: wrapped(schemaOf(passkeys.whole)),
    },
    async ({ db, params, body }) => {
      const before = await find(db, passkeys, params.id, { user_id: ownSession(db).userId })
      await amend(db, passkeys, before, body)
      return { body: await showOne(db, passkeys.whole, before.id) }
    },
  ),
  operation(
    {
      ...guarded,
      id: 'removeOwnPasskey',
      method: 'DELETE',
      path: '/me/passkeys/{id}',
      summary: 'Remove one of your passkeys',
      params: ownPart('passkeys'),
      prepare: recently,
    },
    async ({ db, params }) => {
      const { userId } = ownSession(db)
      await erase(db, passkeys, await find(db, passkeys, params.id, { user_id: userId }))
      await dropUselessCodes(db, userId)
      return {}
    },
  ),
  operation(
    {
      ...own,
      id: 'listOwnIdentities',
      method: 'GET',
      path: '/me/identities',
      summary: 'List your linked identity providers',
      answer: wrappedList(schemaOf(userIdentities.whole)),
      indexedColumns: ['user_identities.user_id'],
    },
    async ({ db }) => {
      const query = db.from('user_identities').where('user_id', '=', ownSession(db).userId)
      return { body: { data: (await fetchShape(db, userIdentities.whole, query)).map(({ record }) => record) } }
    },
  ),
  operation(
    {
      ...guarded,
      id: 'removeOwnIdentity',
      method: 'DELETE',
      path: '/me/identities/{id}',
      summary: 'Unlink one of your identity providers',
      note: 'At the next sign-in through the provider, Cadre finds you by email address again.',
      params: ownPart('user_identities'),
      conflicts: 'You would have no way left to sign in',
      prepare: recently,
    },
    async ({ db, params }) => {
      const { userId } = ownSession(db)
      const identity = await find(db, userIdentities, params.id, { user_id: userId })
      const others = await db.from('user_identities').select('id').where('user_id', '=', userId).limit(2).execute()
      const hasPassword = Boolean((await credentialsOf(db, userId))?.password_set_at)
      if (!hasPassword && others.length < 2 && (await passkeysOf(db, userId)).length === 0)
        throw conflict('You would have no way left to sign in. Set a password or add a passkey first.')
      await erase(db, userIdentities, identity)
      return {}
    },
  ),
  operation(
    {
      ...own,
      id: 'listOwnSessions',
      method: 'GET',
      path: '/me/sessions',
      summary: 'List your sessions',
      answer: wrappedList(schemaOf(sessions.whole)),
      indexedColumns: ['sessions.user_id'],
    },
    async ({ db }) => ({ body: { data: await sessionsOf(db, ownSession(db).userId) } }),
  ),
  operation(
    {
      ...own,
      id: 'endOwnSession',
      method: 'DELETE',
      path: '/me/sessions/{id}',
      summary: 'End one of your sessions',
      params: ownPart('sessions'),
    },
    async ({ db, params }) => {
      const session = await find(db, sessions, params.id, { user_id: ownSession(db).userId })
      await erase(db, sessions, session)
      return session.id === ownSession(db).id ? { keep: { session: null } } : {}
    },
  ),
  operation(
    {
      ...own,
      id: 'endOtherSessions',
      method: 'DELETE',
      path: '/me/sessions',
      summary: 'End all your other sessions',
    },
    async ({ db }) => {
      const { userId, id } = ownSession(db)
      await endSessions(db, userId, id)
      return {}
    },
  ),
]
