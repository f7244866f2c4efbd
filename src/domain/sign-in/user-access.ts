import Type, { type TObject } from 'typebox'
import { type Operation, operation } from '../../engine/operation.ts'
import { conflict, malformed, wrong } from '../../engine/problem.ts'
import { amend, erase, eraseAll, find } from '../../engine/records.ts'
import { recordId, schemaOf, wrapped, wrappedList } from '../../engine/schema.ts'
import { fetchShape, showOne } from '../../engine/shape.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { openResets } from '../access/password-reset-requests.ts'
import { refuseStronger, userOperations, users } from '../access/users.ts'
import { credentialsOf, dropCodes, setCredentials, unusedCodes } from './credentials.ts'
import { dropLinks, linkAddress, makeLink, openLink } from './links.ts'
import { passkeys, passkeysOf } from './passkeys.ts'
import { userIdentities } from './providers.ts'
import { endSessions, sessions, sessionsOf } from './sessions.ts'
import { refuseVainLink } from './sign-in-steps.ts'

/** What those who manage access do about others: let them in, see where they are, show them out. */

const area = 'users'
const user = { area, params: Type.Object({ user_id: recordId('users') }) } as const

const LINK = Type.Object(
  {
    id: Type.Integer(),
    purpose: Type.Unsafe<string>({ type: 'string', enum: ['invitation', 'reset', 'set_up'] }),
    url: Type.String({ description: 'The link to send to the user. It is shown only in this response' }),
    expires_at: Type.String({ format: 'date-time' }),
  },
  { title: 'NewSignInLink' },
)

/** A link for somebody: to begin, when they have no way to sign in yet, or to begin again. */
async function linkFor(db: Writer, userId: number) {
  // Whoever opens it would give the token to that host.
  if (db.caller.isOriginClaimed)
    throw malformed(
      wrong(
        'Host',
        'invalid',
        'is not a known address of this service, so no link can be created with it. Ask the administrator of the service to set PUBLIC_URL to the URL at which people reach it',
      ),
    )
  await refuseVainLink(db, userId)
  const isNew = !(await credentialsOf(db, userId))?.password_set_at
  const { token, ...link } = await makeLink(db, userId, isNew ? 'invitation' : 'reset')
  return { ...link, url: linkAddress(db.caller.origin, token, db.account.id) }
}

/** Somebody whose access the caller may manage. */
async function managed(db: Writer, id: number) {
  const found = await find(db, users, id)
  await refuseStronger(db, id)
  return found
}

/** Somebody else: one's own ways of signing in are changed as one's own, which asks for them. */
async function managedOther(db: Writer, id: number) {
  const found = await managed(db, id)
  const { actor } = db.caller
  if (actor.kind === 'person' && actor.id === found.id)
    throw conflict(
      'This is your own user. To change how you sign in, use /me/password, /me/totp, /me/passkeys and /me/identities.',
    )
  return found
}

/** Creating a user, as it is done without an invitation. */
const creating = userOperations.find(({ id }) => id === 'createUser') as Operation

/** The same body, with somebody else for its example. */
const INVITE = {
  ...(creating.body as TObject),
  title: 'InviteUser',
  properties: {
    ...(creating.body as TObject).properties,
    email: { ...(creating.body as TObject).properties.email, examples: ['grace@example.com'] },
  },
} as unknown as TObject

const silent = (link: any) => ({ ...link, url: '' })

/** Ways in which somebody can sign in, and what they have asked for. */
export const waysOf = async (db: Reader, userId: number) => {
  const credentials = await credentialsOf(db, userId)
  const { n } = await db
    .from('user_identities')
    .select((eb) => eb.fn.countAll().as('n'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return {
    password: Boolean(credentials?.password_set_at),
    totp: Boolean(credentials?.totp_set_at),
    recovery_codes: (await unusedCodes(db, userId)).length,
    passkeys: (await passkeysOf(db, userId)).length,
    identities: Number(n),
  }
}

export const WAYS_FIELDS = {
  password: Type.Boolean({ description: 'Whether the user has a password' }),
  totp: Type.Boolean({ description: 'Whether codes from an authenticator app are required' }),
  recovery_codes: Type.Integer({ description: 'Number of unused recovery codes' }),
  passkeys: Type.Integer(),
  identities: Type.Integer({ description: 'Number of linked identity providers' }),
}

const moment = () => Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' })

export const accessOperations: Operation[] = [
  operation(
    {
      area,
      id: 'inviteUser',
      method: 'POST',
      path: '/users/invite',
      summary: 'Invite a user',
      note: 'Creates the user and a link that works once, within a week. Cadre sends no email: send the link yourself. You cannot assign roles that have more permissions than you have.',
      body: INVITE,
      status: 201,
      answer: wrapped(Type.Object({ user: schemaOf(users.whole), link: LINK }, { title: 'Invitation' })),
      gathers: true,
      conflicts:
        'No link is created, because nobody could sign in with it: the employee has left, or single sign-on is required',
      redact: ({ data }) => ({ data: { ...data, link: silent(data.link) } }),
    },
    async (call) => {
      const { body, location } = (await creating.handle(call)) as { body: { data: { id: number } }; location: string }
      return { body: { data: { user: body.data, link: await linkFor(call.db, body.data.id) } }, location }
    },
  ),
  operation(
    {
      ...user,
      id: 'makeSignInLink',
      method: 'POST',
      path: '/users/{user_id}/link',
      summary: 'Create a sign-in link for a user',
      note: 'With the link, the user sets a password and signs in. It works once: within a week for users who have never signed in, within a day for others. Earlier links of the user stop working. Cadre sends no email: send the link yourself.',
      answer: wrapped(LINK),
      conflicts:
        'The user cannot sign in by a link (they have left, are disabled, or single sign-on is required), or the user is you',
      redact: ({ data }) => ({ data: silent(data) }),
    },
    async ({ db, params }) => {
      const { id } = await managedOther(db, params.user_id)
      return { body: { data: await linkFor(db, id) } }
    },
  ),
  operation(
    {
      ...user,
      id: 'getUserSignIn',
      method: 'GET',
      path: '/users/{user_id}/sign_in',
      summary: 'Get the sign-in methods of a user',
      answer: wrapped(
        Type.Object(
          {
            ...WAYS_FIELDS,
            last_signed_in_at: moment(),
            reset_asked_at: { ...moment(), description: 'When the user last asked for a new password' },
            link: Type.Unsafe<unknown>({
              type: ['object', 'null'],
              properties: { purpose: { type: 'string' }, expires_at: { type: 'string' } },
              description: 'The sign-in link that the user has not used yet; null if there is none',
            }),
          },
          { title: 'UserSignIn' },
        ),
      ),
      indexedColumns: ['sessions.user_id', 'passkeys.user_id', 'user_identities.user_id', 'recovery_codes.user_id'],
    },
    async ({ db, params }) => {
      const { id } = await find(db, users, params.user_id)
      // Sessions come and go: that there was one is told by the ledger.
      const last = await db
        .from('ledger')
        .select('at')
        .where('owner', '=', users.table)
        .where('owner_id', '=', id)
        .where('resource', '=', sessions.table)
        .where('action', '=', 'create')
        .orderBy('no', 'desc')
        .limit(1)
        .executeTakeFirst()
      const asked = await openResets(db, { userIds: [id] })
      const link = await openLink(db, id)
      const data = {
        ...(await waysOf(db, id)),
        last_signed_in_at: last?.at ?? null,
        reset_asked_at: asked.get(id) ?? null,
        link: link && { purpose: link.purpose, expires_at: link.expires_at },
      }
      return { body: { data } }
    },
  ),
  operation(
    {
      ...user,
      id: 'listSessions',
      method: 'GET',
      path: '/users/{user_id}/sessions',
      summary: 'List the sessions of a user',
      answer: wrappedList(schemaOf(sessions.whole)),
      indexedColumns: ['sessions.user_id'],
    },
    async ({ db, params }) => {
      const { id } = await find(db, users, params.user_id)
      return { body: { data: await sessionsOf(db, id) } }
    },
  ),
  operation(
    {
      area,
      id: 'endSession',
      method: 'DELETE',
      path: '/users/{user_id}/sessions/{id}',
      summary: 'End a session of a user',
      params: Type.Object({ user_id: recordId('users'), id: recordId('sessions') }),
    },
    async ({ db, params }) => {
      const { id } = await managed(db, params.user_id)
      await erase(db, sessions, await find(db, sessions, params.id, { user_id: id }))
      return {}
    },
  ),
  operation(
    {
      ...user,
      id: 'endSessions',
      method: 'DELETE',
      path: '/users/{user_id}/sessions',
      summary: 'End all sessions of a user',
    },
    async ({ db, params }) => {
      await endSessions(db, (await managed(db, params.user_id)).id)
      return {}
    },
  ),
  operation(
    {
      ...user,
      id: 'removeSecondFactors',
      method: 'DELETE',
      path: '/users/{user_id}/second_factors',
      summary: 'Remove the second factors of a user',
      note: 'Removes the authenticator app, recovery codes and passkeys of a user who lost them, and ends their sessions. From then on the password alone is enough: make sure that the request comes from the user.',
      conflicts: 'You cannot do this for yourself',
    },
    async ({ db, params }) => {
      const { id } = await managedOther(db, params.user_id)
      if (await credentialsOf(db, id))
        await setCredentials(db, id, { totp_secret: '', totp_pending: '', totp_set_at: null })
      await dropCodes(db, id)
      await eraseAll(db, passkeys, await passkeysOf(db, id))
      await endSessions(db, id)
      return {}
    },
  ),
  operation(
    {
      ...user,
      id: 'listIdentities',
      method: 'GET',
      path: '/users/{user_id}/identities',
      summary: 'List the linked identity providers of a user',
      answer: wrappedList(schemaOf(userIdentities.whole)),
      indexedColumns: ['user_identities.user_id'],
    },
    async ({ db, params }) => {
      const { id } = await find(db, users, params.user_id)
      const query = db.from('user_identities').where('user_id', '=', id)
      return { body: { data: (await fetchShape(db, userIdentities.whole, query)).map(({ record }) => record) } }
    },
  ),
  operation(
    {
      area,
      id: 'removeIdentity',
      method: 'DELETE',
      path: '/users/{user_id}/identities/{id}',
      summary: 'Unlink an identity provider from a user',
      note: 'Also ends the sessions of the user. At the next sign-in through the provider, Cadre finds the user by email address again and links the account they then have there. Use this if the person has got a new account at the provider.',
      params: Type.Object({ user_id: recordId('users'), id: recordId('user_identities') }),
      conflicts: 'You cannot do this for yourself',
    },
    async ({ db, params }) => {
      const { id } = await managedOther(db, params.user_id)
      await erase(db, userIdentities, await find(db, userIdentities, params.id, { user_id: id }))
      await endSessions(db, id)
      return {}
    },
  ),
  operation(
    {
      area,
      params: Type.Object({ id: recordId('users') }),
      id: 'disableUser',
      method: 'POST',
      path: '/users/{id}/disable',
      summary: 'Disable a user',
      note: 'The user can no longer sign in; their sessions and sign-in links stop working at once. Their data is kept.',
      answer: wrapped(schemaOf(users.whole)),
      conflicts: 'You cannot do this for yourself',
    },
    async ({ db, params }) => {
      const before = await managed(db, params.id)
      const { actor } = db.caller
      if (actor.kind === 'person' && actor.id === before.id)
        throw conflict('You cannot disable yourself. Ask another administrator.')
      if (before.disabled_at === null) await amend(db, users, before, { disabled_at: db.now })
      await endSessions(db, before.id)
      await dropLinks(db, before.id)
      return { body: await showOne(db, users.whole, before.id) }
    },
  ),
  operation(
    {
      area,
      params: Type.Object({ id: recordId('users') }),
      id: 'enableUser',
      method: 'POST',
      path: '/users/{id}/enable',
      summary: 'Enable a user',
      note: 'The user can sign in again, unless they have left.',
      answer: wrapped(schemaOf(users.whole)),
    },
    async ({ db, params }) => {
      const before = await managed(db, params.id)
      if (before.disabled_at !== null) await amend(db, users, before, { disabled_at: null })
      return { body: await showOne(db, users.whole, before.id) }
    },
  ),
]
