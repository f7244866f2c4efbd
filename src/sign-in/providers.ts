import Type from 'typebox'
import { exceeding } from '../access/grants.ts'
import type { Row } from '../engine/declaration.ts'
import { get, list, post, put, remove } from '../engine/derive.ts'
import { boolean, derived, neverBlank, readOnly, reference, secret, text, timestamp, url } from '../engine/field.ts'
import { forbidden } from '../engine/problem.ts'
import { amend, create, erase, eraseAll, type Rule, rowsOf } from '../engine/records.ts'
import { card, resource } from '../engine/resource.ts'
import { type Caller, EVERYBODY } from '../ledger/caller.ts'
import type { Reader } from '../ledger/reader.ts'
import type { Writer } from '../ledger/write.ts'
import { hasOwnerWithSecondFactor } from './owners.ts'
import { sessions } from './sessions.ts'

/** Identity providers (OpenID Connect) whose word an account takes for who somebody is. */

export const identityProviders = resource(
  { table: 'identity_providers', one: 'identity provider', area: 'users', about: [] },
  {
    name: text({ required: true, unique: true, max: 100, note: 'What the button says', example: 'Example SSO' }),
    issuer: url({
      required: true,
      note: 'Its address: `/.well-known/openid-configuration` is below it',
      example: 'https://login.example.com',
    }),
    client_id: text({ required: true, example: 'cadre' }),
    client_secret: secret(),
    scopes: neverBlank(text({ default: 'openid email profile', note: 'What is asked for' })),
    enabled: neverBlank(boolean({ default: true })),
    compulsory: neverBlank(
      boolean({
        default: false,
        note: 'Single sign-on is required: nobody signs in by other ways, but for owners with a second factor, or by a link. Refused until a sign-in or test through the provider has succeeded since its settings last changed, and an owner with no planned end of employment has a second factor',
        example: false,
      }),
    ),
    makes_users: neverBlank(
      boolean({
        default: false,
        note: 'Employees whom the provider knows by their e-mail address become users, with the role Employee',
        example: false,
      }),
    ),
    trusts_email: neverBlank(
      boolean({
        default: false,
        note: 'Its e-mail addresses count as verified although it does not say so: only for providers in which people cannot set their own address',
        example: false,
      }),
    ),
    confirmed_at: readOnly(
      timestamp({
        note: 'When a sign-in or a test through the provider succeeded, with the settings that it has; null since `issuer`, `client_id`, `client_secret`, `scopes` or `trusts_email` changed',
      }),
    ),
    redirect_uri: derived(
      Type.String({ description: 'Where it sends people back to: enter it at the provider' }),
      ['id'],
      (_row, { caller }) => redirectUri(caller.origin),
    ),
    has_client_secret: derived(Type.Boolean(), ['client_secret'], (row) => row.client_secret !== ''),
  },
)

export const redirectUri = (origin: string) => `${origin}/sign-in/sso`

export const providerName = card(identityProviders, 'IdentityProviderName', ['id', 'name'])

export const userIdentities = resource(
  { table: 'user_identities', one: 'identity', area: 'users', path: '/users/{user_id}/identities' },
  {
    user_id: reference('users', { required: true, owner: true }),
    identity_provider_id: reference('identity_providers', {
      required: true,
      owner: true,
      show: () => providerName,
      as: 'provider',
    }),
    subject: secret(),
    email: readOnly(text({ max: 320, note: 'As the provider knows them' })),
  },
  ['id', 'identity_provider_id', 'email', 'created_at'],
)

export type Provider = Row<typeof identityProviders>

export const providersOf = (db: Reader) =>
  rowsOf(identityProviders, db.from('identity_providers').where('enabled', '=', true))

/** Does the account sign in by its provider only? */
export const isCompulsory = async (db: Reader): Promise<boolean> =>
  (await providersOf(db)).some(({ compulsory }) => compulsory)

/** What is secret travels under https; on one's own machine one may try without. */
const isSafe: Rule<typeof identityProviders> = ({ changes, fail }) => {
  if (!changes.issuer) return
  const { protocol, hostname, search, hash } = new URL(changes.issuer)
  if (protocol !== 'https:' && !isLocal(hostname)) fail('issuer', 'invalid', 'must be an https URL')
  if (search || hash) fail('issuer', 'invalid', 'must be a URL without ? and #')
}

/** What decides whether people can sign in through a provider. */
const SETTINGS = ['issuer', 'client_id', 'client_secret', 'scopes', 'trusts_email'] as const

const changesSettings = (before: Provider, sent: Readonly<Record<string, unknown>>): boolean =>
  SETTINGS.some((name) => name in sent && sent[name] !== before[name])

/** Single sign-on is required only once it works, and only while an owner who stays could sign in without it. */
const locksNobodyOut: Rule<typeof identityProviders> = async ({ db, before, changes, after, fail }) => {
  if (!after.compulsory) return
  const isOther = before === null || changesSettings(before, changes)
  if (before?.compulsory && before.enabled && after.enabled) {
    if (isOther)
      fail(
        'compulsory',
        'locks_out',
        `must be false when ${SETTINGS.slice(0, -1).join(', ')} or ${SETTINGS.at(-1)} changes. Turn it off with the change, test the provider, then turn it on again`,
      )
    return
  }
  const isBegun = !before?.compulsory || (after.enabled && !before.enabled)
  if (!isBegun) return
  const missing = [
    ...(isOther || before.confirmed_at === null
      ? ['a sign-in through the provider or a test must succeed with the current settings']
      : []),
    ...((await hasOwnerWithSecondFactor(db))
      ? []
      : [
          'an owner with no planned end of employment needs a second factor: a passkey, or a password and an authenticator app',
        ]),
  ]
  if (missing.length > 0) fail('compulsory', 'locks_out', `cannot be turned on yet: ${missing.join('; and ')}`)
}

/** A sign-in or a test has succeeded, with the settings as they were at `since`: says whether they still are. */
export async function confirmProvider(db: Writer, id: number, since: string, isTest = false): Promise<boolean> {
  const [provider] = await rowsOf(identityProviders, db.from('identity_providers').where('id', '=', id))
  if (!provider || provider.updated_at !== since) return false
  if (isTest || provider.confirmed_at === null) await amend(db, identityProviders, provider, { confirmed_at: db.now })
  return true
}

export const isLocal = (hostname: string) => ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

/** Whoever says whom we believe could be believed to be anybody: that is for those who hold everything. */
export function requireEverything(caller: Caller): void {
  if (exceeding(caller, [{ permissions: ['*'], scope: EVERYBODY, withheld: new Set() }]).length > 0)
    throw forbidden('Managing identity providers needs all permissions for everybody, as owners have them.')
}

const more = {
  client_secret: Type.String({
    maxLength: 1000,
    format: 'line',
    description: 'Kept, and never shown',
    examples: ['a-secret-of-the-provider'],
  }),
}

/** Whom a provider has let in has to come in again when it is believed no more; whoever says so stays. */
async function endSessionsBy(db: Writer, { id }: Pick<Row<typeof identityProviders>, 'id'>): Promise<void> {
  const known = db.from('user_identities').select('user_id').where('identity_provider_id', '=', id)
  const theirs = await rowsOf(sessions, db.from('sessions').where('way', '=', 'sso').where('user_id', 'in', known))
  await eraseAll(
    db,
    sessions,
    theirs.filter((one) => one.id !== db.caller.session?.id),
  )
}

/** Who came in by another way has to come in again; whoever makes the rule stays. */
async function endOtherWays(db: Writer): Promise<void> {
  if (!(await isCompulsory(db))) return
  const others = await rowsOf(sessions, db.from('sessions').where('way', '!=', 'sso'))
  await eraseAll(
    db,
    sessions,
    others.filter(({ id }) => id !== db.caller.session?.id),
  )
}

export const providerOperations = [
  list(identityProviders),
  get(identityProviders),
  post(identityProviders, {
    more,
    note: 'OpenID Connect with PKCE; its keys and addresses are found below `issuer`. People are known by the subject that the provider gives them; the first time, by an e-mail address that it has verified.',
    async store({ db, body: { client_secret = '', ...body }, problems }) {
      requireEverything(db.caller)
      const id = await create(
        db,
        identityProviders,
        { ...body, client_secret },
        { rules: [isSafe, locksNobodyOut], problems },
      )
      await endOtherWays(db)
      return id
    },
  }),
  put(identityProviders, {
    more,
    async store({ db, body, problems }, before) {
      requireEverything(db.caller)
      const changes = changesSettings(before, body) ? { ...body, confirmed_at: null } : body
      await amend(db, identityProviders, before, changes, { rules: [isSafe, locksNobodyOut], problems })
      if (before.enabled && body.enabled === false) await endSessionsBy(db, before)
      await endOtherWays(db)
    },
  }),
  remove(identityProviders, {
    note: 'Nobody signs in by it any more, and sessions that it has begun end; who was known by it stays, and can be let in by another way. Undoing does not bring it back: its secret is not kept.',
    conflicts: null,
    async store({ db }, before) {
      requireEverything(db.caller)
      await endSessionsBy(db, before)
      await erase(db, identityProviders, before)
    },
  }),
]
