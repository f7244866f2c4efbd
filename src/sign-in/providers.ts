import Type from 'typebox'
import { exceeding } from '../access/grants.ts'
import type { Row } from '../engine/declaration.ts'
import { get, list, post, put, remove } from '../engine/derive.ts'
import { boolean, derived, neverBlank, readOnly, reference, secret, text, url } from '../engine/field.ts'
import { forbidden } from '../engine/problem.ts'
import { amend, create, erase, eraseAll, type Rule, rowsOf } from '../engine/records.ts'
import { card, resource } from '../engine/resource.ts'
import { type Caller, EVERYBODY } from '../ledger/caller.ts'
import type { Reader } from '../ledger/reader.ts'
import type { Writer } from '../ledger/write.ts'
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
        note: 'Nobody signs in by other ways, but for owners: with their password and a second factor, or by a link',
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
  if (protocol !== 'https:' && !isLocal(hostname)) fail('issuer', 'invalid', 'must be an https address')
  if (search || hash) fail('issuer', 'invalid', 'must be an address without ? and #')
}

export const isLocal = (hostname: string) => ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

/** Whoever says whom we believe could be believed to be anybody: that is for those who hold everything. */
function requireEverything(caller: Caller): void {
  if (exceeding(caller, [{ permissions: ['*'], scope: EVERYBODY, withheld: new Set() }]).length > 0)
    throw forbidden(
      'Identity providers say who is who here: only those who hold everything, for everybody, manage them',
    )
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
      const id = await create(db, identityProviders, { ...body, client_secret }, { rules: [isSafe], problems })
      await endOtherWays(db)
      return id
    },
  }),
  put(identityProviders, {
    more,
    async store({ db, body, problems }, before) {
      requireEverything(db.caller)
      await amend(db, identityProviders, before, body, { rules: [isSafe], problems })
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
