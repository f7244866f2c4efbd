import Type from 'typebox'
import type { Row } from '../../engine/declaration.ts'
import { get, list, post, put, remove } from '../../engine/derive.ts'
import { boolean, derived, neverBlank, readOnly, reference, secret, text, timestamp, url } from '../../engine/field.ts'
import { forbidden } from '../../engine/problem.ts'
import { amend, create, erase, eraseAll, type Rule, rowsOf } from '../../engine/records.ts'
import { card, resource } from '../../engine/resource.ts'
import { type Caller, EVERYBODY } from '../../records/caller.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { exceeding } from '../access/grants.ts'
import { hasOwnerWithSecondFactor } from './owners.ts'
import { sessions } from './sessions.ts'

/** Identity providers (OpenID Connect) whose word an account takes for who somebody is. */

export const identityProviders = resource(
  { table: 'identity_providers', one: 'identity provider', area: 'users', about: [] },
  {
    name: text({ required: true, unique: true, max: 100, note: 'Label of the sign-in button', example: 'Example SSO' }),
    issuer: url({
      required: true,
      note: 'Issuer URL of the provider: the address without `/.well-known/openid-configuration`',
      example: 'https://login.example.com',
    }),
    client_id: text({ required: true, example: 'cadre' }),
    client_secret: secret(),
    scopes: neverBlank(text({ default: 'openid email profile', note: 'OpenID Connect scopes to request' })),
    enabled: neverBlank(boolean({ default: true })),
    compulsory: neverBlank(
      boolean({
        default: false,
        note: 'Whether everybody except owners must sign in through the provider. Owners can still use a passkey, a password with a second factor, or a link. You can set it only after a sign-in or test with the current settings has succeeded, and if an owner without a planned termination has a second factor',
        example: false,
      }),
    ),
    makes_users: neverBlank(
      boolean({
        default: false,
        note: 'Whether an employee who has no user yet can sign in through the provider: Cadre finds the employee by email address and creates a user with the role Employee',
        example: false,
      }),
    ),
    trusts_email: neverBlank(
      boolean({
        default: false,
        note: 'Whether email addresses from the provider are treated as verified even if the provider does not mark them as such. Use this only if people cannot change their own address there',
        example: false,
      }),
    ),
    confirmed_at: readOnly(
      timestamp({
        note: 'When a sign-in or test with the current settings succeeded; null after a change to `issuer`, `client_id`, `client_secret`, `scopes` or `trusts_email`',
      }),
    ),
    redirect_uri: derived(
      Type.String({ description: 'Redirect URI to register at the provider' }),
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
    email: readOnly(text({ max: 320, note: 'Email address at the provider' })),
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
    throw forbidden(
      'Only a user or key with the permission * for everybody, such as an owner, can manage identity providers.',
    )
}

const more = {
  client_secret: Type.String({
    maxLength: 1000,
    format: 'line',
    description: 'Client secret that the provider has given to Cadre; no response ever shows it',
    examples: ['client-secret-from-the-provider'],
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
    note: 'Cadre uses OpenID Connect with PKCE, and reads keys and addresses of the provider from `issuer`. At the first sign-in, it finds a person by verified email address; later by the ID that the provider gives the person (the subject, `sub`).',
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
    note: 'Nobody can sign in through the provider any more, and sessions started through it end. Linked users stay and can sign in another way. Undo cannot restore the provider, because its secret is not kept.',
    conflicts: null,
    async store({ db }, before) {
      requireEverything(db.caller)
      await endSessionsBy(db, before)
      await erase(db, identityProviders, before)
    },
  }),
]
