import Type, { type TProperties } from 'typebox'
import { fold } from '../../engine/format.ts'
import { operation } from '../../engine/operation.ts'
import { type FieldProblem, refuse, wrong } from '../../engine/problem.ts'
import { create } from '../../engine/records.ts'
import { bodySchema, recordId, wrapped } from '../../engine/schema.ts'
import { check } from '../../engine/validate.ts'
import type { Caller } from '../../records/caller.ts'
import { type Ledger, readAs } from '../../records/ledger.ts'
import { mayEnter } from '../access/keys.ts'
import { users } from '../access/users.ts'
import { countAttempt, ofAddress, refuseWaiting } from './attempts.ts'
import { credentialsOf, setCredentials, spendCode } from './credentials.ts'
import { findLink, linkEnded, spendLink } from './links.ts'
import { askForPasskey, checkPasskey, DEVICE_OPTIONS, DEVICE_RESPONSE, passkeysOf } from './passkeys.ts'
import { hashPassword, LONGEST_PASSWORD, weaknesses } from './passwords.ts'
import { personBy } from './people.ts'
import { isCompulsory, providersOf } from './providers.ts'
import { endKept, endSessions, SIGNED_OUT } from './sessions.ts'
import {
  actAs,
  enter,
  failed,
  firstStepDone,
  guessCode,
  guessPassword,
  isKeptOut,
  markOf,
  outcome,
  refuseHasty,
  refuseOtherWays,
  refusePasskey,
  type SecondStep,
  ssoCompulsory,
} from './sign-in-steps.ts'
import { admit, arrive, giveRole, startSso } from './sso.ts'
import { open, spend, ticketEnded } from './tickets.ts'

/** What the sign-in page calls. Nobody is known yet: none of it tells who is here. */

const area = 'sign_in'

const account = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'ID of the account (the company) to sign in to; by default the first account of the installation',
  }),
)

/** For anybody, for one account or another, from our own pages. */
const anybody = { area, permission: null, query: Type.Object({ account }), guarded: true } as const

const body = <P extends TProperties>(title: string, fields: P) => Type.Object(fields, { title })

export const PASSWORD = Type.String({
  format: 'text',
  minLength: 1,
  maxLength: LONGEST_PASSWORD,
  'x-verbatim': true,
  examples: ['seven grey herons at noon'],
})
const TICKET = Type.String({
  format: 'line',
  minLength: 1,
  maxLength: 4000,
  description: 'Ticket from the previous step',
  examples: ['kq3T0xZb7mVYc1Lw9sPf'],
})
export const CODE = Type.String({
  format: 'line',
  minLength: 1,
  maxLength: 40,
  description: 'Six-digit code from the authenticator app, or a recovery code',
  examples: ['123456'],
})
const EMAIL = Type.String({ format: 'email', maxLength: 320, examples: ['ada@example.com'] })
const TOKEN = Type.String({
  format: 'line',
  minLength: 1,
  maxLength: 200,
  description: 'Secret part of the link, after the `#`',
  examples: ['8Rj2vN5tQyX0aLk4HdWm'],
})

const ACCOUNT = Type.Object({ id: Type.Integer(), name: Type.String() }, { title: 'AccountName' })

/** Somebody by their address, and what is needed to look at a password: as much work whether there is somebody or not. */
async function applicant(ledger: Ledger, caller: Caller, email: string) {
  return readAs(ledger, caller, async (db) => {
    const person = await personBy(db, 'email_key', fold(email))
    const credentials = await credentialsOf(db, person?.id ?? 0)
    const isOpen = person !== null && mayEnter(person, db)
    const compulsory = await isCompulsory(db)
    const mayCome = isOpen && !(compulsory && (await isKeptOut(db, person, credentials)))
    return { person, credentials, mayEnter: mayCome, compulsory }
  })
}

/** The second step of somebody who has done the first. */
async function secondStep(ledger: Ledger, caller: Caller, ticket: string) {
  const now = ledger.clock()
  const step = open<SecondStep>(caller.account, 'second step', ticket, now)
  const { userId, mark } = step.content
  const isValid = await readAs(ledger, caller, async (db) => {
    const person = await personBy(db, 'id', userId)
    return person !== null && mayEnter(person, db) && markOf(await credentialsOf(db, userId)) === mark
  })
  if (!isValid) throw ticketEnded()
  return {
    ...step.content,
    finish: async () => {
      if (!(await spend(ledger.database, caller.account, step.id, step.until, now))) throw ticketEnded()
    },
  }
}

/** A path on our own pages: anything else would lead people from our door to somebody else's. */
function pathIn(sent: string | null | undefined, problems: FieldProblem[]): string | null {
  if (!sent) return null
  const isOwn = /^\/(?![/\\])/.test(sent) && !sent.includes('\\') && new URL(sent, 'http://here').host === 'here'
  if (!isOwn) problems.push(wrong('return_to', 'invalid', 'must be a path of the console, like /people'))
  return isOwn ? sent : null
}

export const signInOperations = [
  operation(
    {
      ...anybody,
      id: 'getSignIn',
      method: 'GET',
      path: '/sign_in',
      summary: 'List the available sign-in methods',
      guarded: false,
      answer: wrapped(
        Type.Object(
          {
            account: ACCOUNT,
            ways: Type.Array(Type.String(), { examples: [['password', 'passkey']] }),
            providers: Type.Array(
              Type.Object(
                { id: Type.Integer(), name: Type.String(), compulsory: Type.Boolean() },
                { title: 'SignInProvider' },
              ),
            ),
            compulsory: Type.Boolean({ description: 'Whether single sign-on is required for everybody but owners' }),
          },
          { title: 'SignIn' },
        ),
      ),
    },
    async ({ db }) => {
      const providers = await providersOf(db)
      const { id, name } = db.account
      return {
        body: {
          data: {
            account: { id, name },
            ways: ['password', 'passkey', ...(providers.length > 0 ? ['sso'] : [])],
            providers: providers.map((one) => ({ id: one.id, name: one.name, compulsory: one.compulsory })),
            compulsory: providers.some(({ compulsory }) => compulsory),
          },
        },
      }
    },
  ),
  operation(
    {
      ...anybody,
      id: 'signIn',
      method: 'POST',
      path: '/sign_in',
      summary: 'Sign in with email address and password',
      note: 'Signs the user in and sets the session cookie, or asks for a second factor: see `status`. All failures return the same response, so that nobody can find out which users exist.',
      body: body('SignInByPassword', { email: EMAIL, password: { ...PASSWORD, description: 'Password' } }),
      answer: outcome,
      async prepare({ ledger, caller, body }) {
        refuseHasty(ledger, caller, fold(body.email))
        const { person, credentials, mayEnter, compulsory } = await applicant(ledger, caller, body.email)
        const who = { userId: person?.id ?? null, name: fold(body.email), credentials, mayEnter }
        await guessPassword(ledger, caller, who, body.password).catch((error) => {
          // Where the provider is compulsory, a password that is right says no more than one that is wrong.
          throw compulsory && error.code === 'sign_in_failed' ? ssoCompulsory() : error
        })
        return { userId: person?.id as number, mark: markOf(credentials) }
      },
    },
    async ({ db, preparation }) => {
      const person = await personBy(db, 'id', preparation.userId)
      // While the password was looked at, somebody may have changed it, or shut the door.
      if (!person || !mayEnter(person, db) || markOf(await credentialsOf(db, person.id)) !== preparation.mark)
        throw failed()
      return firstStepDone(db, person, 'password')
    },
  ),
  operation(
    {
      ...anybody,
      id: 'signInWithCode',
      method: 'POST',
      path: '/sign_in/code',
      summary: 'Finish a sign-in with a code',
      note: 'Second step after `POST /sign_in`. Each code works once. After a wrong code you can use the same ticket again.',
      body: body('SignInByCode', { ticket: TICKET, code: CODE }),
      answer: outcome,
      async prepare({ ledger, caller, body }) {
        const { finish, ...step } = await secondStep(ledger, caller, body.ticket)
        const code = await guessCode(ledger, caller, step.userId, body.code)
        await finish()
        return { ...step, ...code }
      },
    },
    async ({ db, preparation }) => {
      const person = await personBy(db, 'id', preparation.userId)
      if (!person || !mayEnter(person, db)) throw failed()
      if (preparation.recoveryCode !== null && !(await spendCode(db, preparation.recoveryCode))) throw failed()
      await refuseOtherWays(db, person, true)
      return enter(db, person, preparation.way, { returnTo: preparation.returnTo })
    },
  ),
  operation(
    {
      ...anybody,
      id: 'askForPasskey',
      method: 'POST',
      path: '/sign_in/passkey_options',
      summary: 'Get the options to sign in with a passkey',
      note: 'Send the `ticket` from `POST /sign_in` to use the passkey as the second factor. Without a ticket, the user signs in with the passkey alone.',
      body: body('AskForPasskey', { ticket: Type.Optional(TICKET) }),
      answer: wrapped(Type.Object({ ticket: Type.String(), options: DEVICE_OPTIONS }, { title: 'PasskeyQuestion' })),
      async prepare({ ledger, caller, body }) {
        const step = body.ticket ? await secondStep(ledger, caller, body.ticket) : null
        const own = step ? await readAs(ledger, caller, (db) => passkeysOf(db, step.userId)) : []
        const asked = { userId: step?.userId ?? null, second: body.ticket ?? null }
        return askForPasskey(caller, own, asked, ledger.clock())
      },
    },
    async ({ preparation }) => ({ body: { data: preparation } }),
  ),
  operation(
    {
      ...anybody,
      id: 'signInWithPasskey',
      method: 'POST',
      path: '/sign_in/passkey',
      summary: 'Sign in, or finish a sign-in, with a passkey',
      body: body('SignInByPasskey', { ticket: TICKET, response: DEVICE_RESPONSE }),
      answer: outcome,
      async prepare({ ledger, caller, body }) {
        refuseWaiting(ledger.database, caller.account, [ofAddress(caller.address)], ledger.clock())
        const shown = await checkPasskey(ledger, caller, body)
        if (!shown.isRight) return refusePasskey(ledger, caller, shown.userId)
        const { passkey, asked } = shown
        const step = asked.second ? await secondStep(ledger, caller, asked.second) : null
        await step?.finish()
        return { userId: passkey.user_id, passkeyId: passkey.id, way: step?.way ?? ('passkey' as const) }
      },
    },
    async ({ db, preparation }) => {
      const person = await personBy(db, 'id', preparation.userId)
      const own = await passkeysOf(db, preparation.userId)
      if (!person || !mayEnter(person, db) || !own.some(({ id }) => id === preparation.passkeyId)) throw failed()
      await refuseOtherWays(db, person, true)
      return enter(db, person, preparation.way)
    },
  ),
  operation(
    {
      ...anybody,
      id: 'signInWithProvider',
      method: 'POST',
      path: '/sign_in/sso',
      summary: 'Start a sign-in with an identity provider',
      note: 'Returns the address of the sign-in page of the provider; open it in the browser. The provider then redirects to the page `/sign-in/sso` with the parameter `state`, which begins with the ID of the account and a dot.',
      body: body('SignInByProvider', {
        provider_id: recordId('identity_providers'),
        return_to: Type.Optional(
          Type.Unsafe<string | null>({
            type: ['string', 'null'],
            format: 'line',
            maxLength: 1000,
            description: 'Console path to open after the sign-in',
            examples: ['/people'],
          }),
        ),
        again: Type.Optional(
          Type.Boolean({
            description:
              'Whether the provider must ask the user to sign in there again, to confirm their identity; false by default',
          }),
        ),
      }),
      answer: wrapped(Type.Object({ url: Type.String() }, { title: 'ProviderAddress' })),
      async prepare({ ledger, caller, body }) {
        const problems: FieldProblem[] = []
        const returnTo = pathIn(body.return_to, problems)
        refuse(problems)
        return startSso(ledger, caller, { id: body.provider_id, returnTo, isAgain: body.again ?? false })
      },
    },
    async ({ preparation: { url, sso } }) => ({ body: { data: { url } }, keep: { sso } }),
  ),
  operation(
    {
      ...anybody,
      id: 'returnFromProvider',
      method: 'POST',
      path: '/sign_in/sso_answer',
      summary: 'Finish a sign-in with an identity provider',
      note: 'Last step after `POST /sign_in/sso`: send the query string of the address to which the provider redirected the browser.',
      body: body('ProviderAnswer', {
        query: Type.String({
          format: 'line',
          minLength: 1,
          maxLength: 8000,
          examples: ['?code=4f1c9a27d0&state=1.Zm9vYmFy'],
        }),
      }),
      answer: outcome,
      prepare: ({ ledger, caller, body }) => arrive(ledger, caller, body.query),
    },
    async ({ db, preparation: { returnTo, shownAt, ...arrived } }) => {
      const { keep, ...answer } = await enter(db, await admit(db, arrived), 'sso', { returnTo, shownAt })
      return { ...answer, keep: { ...keep, sso: null } }
    },
  ),
  operation(
    {
      ...anybody,
      id: 'lookAtLink',
      method: 'POST',
      path: '/sign_in/link',
      summary: 'Get the purpose of a sign-in link',
      body: body('LinkToken', { token: TOKEN }),
      answer: wrapped(
        Type.Object(
          {
            purpose: Type.Unsafe<string>({ type: 'string', enum: ['invitation', 'reset', 'set_up'] }),
            email: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
            name: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
            expires_at: Type.String({ format: 'date-time' }),
            account: ACCOUNT,
          },
          { title: 'SignInLinkContent' },
        ),
      ),
      prepare: ({ ledger, caller, body }) =>
        readAs(ledger, caller, async (db) => {
          const { user_id, purpose, expires_at } = await findLink(db, body.token)
          const person = user_id === null ? null : await personBy(db, 'id', user_id)
          if (person && !mayEnter(person, db)) throw linkEnded()
          const { id, name } = db.account
          return {
            purpose,
            email: person?.email ?? null,
            name: person?.name ?? null,
            expires_at,
            account: { id, name },
          }
        }),
    },
    async ({ preparation }) => ({ body: { data: preparation } }),
  ),
  operation(
    {
      ...anybody,
      id: 'useLink',
      method: 'POST',
      path: '/sign_in/link_use',
      summary: 'Set a password with a sign-in link',
      note: 'The link works once, and signs the user in. Send `email` and `name` only with the link that sets up the first owner. If the browser has a session already, it ends.',
      body: body('UseLink', {
        token: TOKEN,
        password: PASSWORD,
        email: Type.Optional({ ...EMAIL, type: ['string', 'null'] } as unknown as typeof EMAIL),
        name: Type.Optional(
          Type.Unsafe<string | null>({
            type: ['string', 'null'],
            format: 'line',
            maxLength: 255,
            examples: ['Ada Lovelace'],
          }),
        ),
      }),
      answer: outcome,
      async prepare({ ledger, caller, body }) {
        const whose = await readAs(ledger, caller, async (db) => {
          const link = await findLink(db, body.token)
          const person = link.user_id === null ? null : await personBy(db, 'id', link.user_id)
          if (person && !mayEnter(person, db)) throw linkEnded()
          return person ?? { email: body.email ?? null, name: body.name ?? null, isNew: true }
        })
        const { email, name } = whose
        const unfit = 'isNew' in whose ? check(bodySchema(users, 'create'), { email, name }).problems : []
        refuse([...weaknesses(body.password, whose), ...unfit])
        return hashPassword(body.password)
      },
    },
    async ({ db, body, preparation: password_hash }) => {
      const link = await findLink(db, body.token)
      const person = await personBy(db, 'id', link.user_id ?? (await firstOwner(db, body)))
      if (!person || !mayEnter(person, db)) throw linkEnded()
      actAs(db, person)
      await spendLink(db, link)
      await setCredentials(db, person.id, { password_hash, password_set_at: db.now })
      await endSessions(db, person.id)
      return firstStepDone(db, person, 'link')
    },
  ),
  operation(
    {
      ...anybody,
      id: 'askForReset',
      method: 'POST',
      path: '/sign_in/reset',
      summary: 'Ask for a new password',
      note: 'Users who manage access are notified, and can create a link for the user. The response is the same whether or not a user has this address.',
      body: body('AskForReset', { email: EMAIL }),
      answer: wrapped(Type.Object({ asked: Type.Boolean() }, { title: 'ResetAsked' })),
      async prepare({ ledger, caller, body }) {
        const { database } = ledger
        const now = ledger.clock()
        const from = ofAddress(caller.address)
        await countAttempt(database, caller.account, { ...from, name: `reset from ${from.name}` }, [], now)
        const person = await readAs(ledger, caller, (db) => personBy(db, 'email_key', fold(body.email)))
        if (!person) return
        const asked_at = now.toISOString()
        const row = { account_id: caller.account.id, user_id: person.id, asked_at }
        // Behind the answer, which must not take longer for those who are here.
        database
          .write((sql) =>
            sql
              .insertInto('reset_requests')
              .values(row)
              .onConflict((same) => same.columns(['account_id', 'user_id']).doUpdateSet({ asked_at }))
              .execute(),
          )
          .catch(() => undefined)
      },
    },
    async () => ({ body: { data: { asked: true } } }),
  ),
  operation(
    {
      ...anybody,
      id: 'signOut',
      method: 'POST',
      path: '/sign_out',
      summary: 'Sign out',
      endsSession: true,
      // Of which account it is, it says itself.
      query: Type.Object({}),
      note: 'Ends the session of this browser. Does nothing if there is none.',
    },
    async ({ db }) => {
      const [userId] = await endKept(db)
      const person = userId === undefined ? null : await personBy(db, 'id', userId)
      if (person) actAs(db, person)
      return { keep: SIGNED_OUT }
    },
  ),
]

/** The first who comes in, by the link of the set-up: they hold everything. */
async function firstOwner(
  db: Parameters<typeof setCredentials>[0],
  { email, name }: { email?: string | null; name?: string | null },
): Promise<number> {
  const employee = await db
    .from('employees')
    .select('id')
    .where('email_key', '=', fold(email ?? ''))
    .executeTakeFirst()
  const id = await create(db, users, {
    email: email as string,
    name: name as string,
    employee_id: employee?.id ?? null,
  })
  await giveRole(db, id, 'owner')
  return id
}
