import type * as openid from 'openid-client'
import { FORMATS, fold, isLine } from '../../engine/format.ts'
import { Problem, type ProblemCode } from '../../engine/problem.ts'
import { amend, create, insertAll, rowsOf } from '../../engine/records.ts'
import type { Caller } from '../../records/caller.ts'
import { type Ledger, readAs } from '../../records/ledger.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { mayEnter } from '../access/keys.ts'
import { makeReadyRoles } from '../access/ready-made-roles.ts'
import { roles } from '../access/roles.ts'
import { userRoles, users } from '../access/users.ts'
import { personBy, type SignInUser } from './people.ts'
import { configurationOf, openIdClient } from './provider-requests.ts'
import { confirmProvider, identityProviders, type Provider, redirectUri, userIdentities } from './providers.ts'
import { open, seal, spend, ticketEnded } from './tickets.ts'

/** Signing in by an identity provider: authorisation code with PKCE, state and nonce. */

const SECONDS = 600

/** What the browser keeps while the user is at the provider. Only that browser can continue the flow. */
type SsoFlow = {
  provider: number
  /** When the provider was last changed: only what it is then is confirmed by coming back. */
  settings: string
  state: string
  nonce: string
  verifier: string
  returnTo: string | null
  /** When they left, where they are to show anew who they are. */
  againAt: string | null
}

/** A flow signs a user in, or only tests the provider. It cannot be started as one and finished as the other. */
type SsoFlowKind = 'sso' | 'sso test'

export type IdentityClaims = { subject: string; email: string | null; isVerified: boolean; name: string | null }

const refused = (detail: string, code: Extract<ProblemCode, `sso_${string}`> = 'sso_refused') =>
  new Problem(403, code, detail)

async function providerOf(ledger: Ledger, caller: Caller, id: number): Promise<Provider> {
  const [provider] = await readAs(ledger, caller, (db) =>
    rowsOf(identityProviders, db.from('identity_providers').where('id', '=', id).where('enabled', '=', true)),
  )
  if (!provider)
    throw refused(
      'This identity provider was deleted or disabled. Go back to the sign-in page and sign in another way.',
    )
  return provider
}

/** Starts single sign-on: returns the provider's address, and the cookie that the browser keeps meanwhile. */
export async function startSso(
  ledger: Ledger,
  caller: Caller,
  { id, returnTo, isAgain }: { id: number; returnTo: string | null; isAgain: boolean },
) {
  const provider = await providerOf(ledger, caller, id)
  const config = await configurationOf(caller, provider, ledger.clock())
  return setOut(ledger, caller, { kind: 'sso', provider, config, returnTo, isAgain })
}

export async function setOut(
  ledger: Ledger,
  caller: Caller,
  to: {
    kind: SsoFlowKind
    provider: Provider
    config: openid.Configuration
    returnTo?: string | null
    isAgain?: boolean
  },
) {
  const { kind, provider, config, returnTo = null, isAgain = false } = to
  const oidc = await openIdClient()
  // The address that it leads back to is one for all accounts: what comes back tells which it is, and what for.
  const state = `${caller.account.id}.${kind === 'sso' ? '' : `test-${provider.id}.`}${oidc.randomState()}`
  const [nonce, verifier] = [oidc.randomNonce(), oidc.randomPKCECodeVerifier()]
  const address = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri(caller.origin),
    scope: provider.scopes,
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(isAgain ? { prompt: 'login', max_age: '0' } : {}),
  })
  const againAt = isAgain ? ledger.clock().toISOString() : null
  const { id, updated_at: settings } = provider
  const journey: SsoFlow = { provider: id, settings, state, nonce, verifier, returnTo, againAt }
  return {
    url: address.href,
    sso: { value: seal(caller.account, kind, journey, SECONDS, ledger.clock()), seconds: SECONDS },
  }
}

/** The journey that the browser has kept. `finish` ends it: each answer counts once. */
export function readFlow(ledger: Ledger, caller: Caller, kind: SsoFlowKind) {
  const now = ledger.clock()
  const ticket = open<SsoFlow>(caller.account, kind, caller.cookies?.sso ?? '', now)
  return {
    ...ticket.content,
    async finish() {
      if (!(await spend(ledger.database, caller.account, ticket.id, ticket.until, now))) throw ticketEnded()
    },
  }
}

/** Trades the provider's answer for tokens, and verifies the ID token. */
export async function exchange(config: openid.Configuration, caller: Caller, journey: SsoFlow, query: string) {
  const { state, nonce, verifier } = journey
  const address = new URL(`${redirectUri(caller.origin)}?${query.replace(/^\?/, '')}`)
  const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true }
  const oidc = await openIdClient()
  return oidc.authorizationCodeGrant(config, address, checks)
}

/** What the provider says of the person: in the ID token, or where it is asked; null when their subject cannot be stored. */
export async function claimsIn(
  config: openid.Configuration,
  provider: Provider,
  tokens: Awaited<ReturnType<typeof exchange>>,
): Promise<IdentityClaims | null> {
  const claims = tokens.claims() as openid.IDToken
  const told =
    claims.email === undefined && config.serverMetadata().userinfo_endpoint
      ? await (await openIdClient()).fetchUserInfo(config, tokens.access_token, claims.sub)
      : claims
  const subject = line(claims.sub)
  if (subject === null) return null
  const email = line(told.email)
  return {
    subject,
    email: email !== null && FORMATS.email?.test(email) ? email : null,
    isVerified: told.email_verified === true || provider.trusts_email,
    name: line(told.name),
  }
}

/** Whom the provider says it is, when somebody comes back with its answer. */
export async function arrive(ledger: Ledger, caller: Caller, query: string) {
  const now = ledger.clock()
  const journey = readFlow(ledger, caller, 'sso')
  const { settings, returnTo, againAt } = journey
  const provider = await providerOf(ledger, caller, journey.provider)
  const config = await configurationOf(caller, provider, now)
  await journey.finish()
  const refuseAnswer = (error: unknown) => {
    throw asRefusal(provider, error)
  }
  const tokens = await exchange(config, caller, journey, query).catch(refuseAnswer)
  const claims = tokens.claims()
  if (!claims)
    throw refused(`${provider.name} did not send an ID token. Ask an administrator to check the provider settings.`)
  const shownAt = shownIn(claims.auth_time, now)
  if (againAt !== null && (shownAt === null || Date.parse(shownAt) < Date.parse(againAt) - CLOCKS_DIFFER))
    throw refused(
      `${provider.name} did not ask you to sign in again, so your identity is not confirmed. Sign out there and try again, or confirm your identity another way.`,
    )
  const who = await claimsIn(config, provider, tokens).catch(refuseAnswer)
  if (who === null)
    throw refused(
      `${provider.name} sent a subject (sub) that is too long or not printable. Ask an administrator to check the provider settings.`,
    )
  return { provider, settings, who, returnTo, shownAt: shownAt ?? now.toISOString() }
}

/** By how many milliseconds the clock of a provider may go wrong. */
const CLOCKS_DIFFER = 60_000

/** When somebody has shown a provider who they are, if it says so. */
const shownIn = (seconds: unknown, now: Date): string | null =>
  typeof seconds === 'number' && seconds > 0 ? new Date(Math.min(seconds * 1000, now.getTime())).toISOString() : null

/** What a provider says of somebody, held to what they might have entered themselves. */
const line = (value: unknown) =>
  typeof value === 'string' && value !== '' && value.length <= 255 && isLine(value) ? value : null

/** A provider that is away is another matter than an answer that is wrong. */
function asRefusal({ name }: Provider, error: unknown): Problem {
  const { code, name: kind } = error as { code?: string; name?: string }
  if (kind === 'AbortError' || kind === 'TimeoutError' || code === 'OAUTH_TIMEOUT' || error instanceof TypeError)
    return new Problem(502, 'provider_unreachable', `${name} does not respond. Try again.`, { cause: error })
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR')
    return refused(`The sign-in with ${name} was cancelled or rejected.`, 'sso_cancelled')
  return refused(`The response of ${name} is invalid. Start again.`)
}

/**
 * Who it is here: whoever is known by the provider's subject, or, the first time, by an e-mail address that it has
 * verified. An address that has been given to another subject since is not enough: that may be somebody else.
 */
export async function recognise(db: Reader, provider: Provider, who: IdentityClaims) {
  const [identity] = await rowsOf(
    userIdentities,
    db.from('user_identities').where('identity_provider_id', '=', provider.id).where('subject', '=', who.subject),
  )
  if (identity) {
    const person = await personBy(db, 'id', identity.user_id)
    if (!person || !mayEnter(person, db))
      throw refused(
        'You can no longer sign in here: your access is disabled, or your employment has ended. Ask an administrator.',
      )
    return { identity, person }
  }
  if (!who.email || !who.isVerified)
    throw refused(
      `${provider.name} has not verified your e-mail address. Verify it there, or ask an administrator to invite you.`,
      'sso_unverified',
    )
  const person = await personBy(db, 'email_key', fold(who.email))
  const employee = person === null && provider.makes_users ? await freeEmployee(db, who.email) : null
  if (employee) return { employee }
  if (!person || !mayEnter(person, db))
    throw refused(
      'Nobody with this e-mail address may sign in here. Ask an administrator to invite you.',
      'sso_unknown',
    )
  const others = await rowsOf(
    userIdentities,
    db.from('user_identities').where('user_id', '=', person.id).where('identity_provider_id', '=', provider.id),
  )
  if (others.length > 0)
    throw refused(
      `The user with this e-mail address is linked to another identity at ${provider.name}. Ask an administrator to remove that link.`,
      'sso_taken',
    )
  return { person }
}

/** Lets in whom the provider says it is; from then on they are known by their subject, and the provider as one that works. */
export async function admit(
  db: Writer,
  { provider, settings, who }: { provider: Provider; settings: string; who: IdentityClaims },
): Promise<SignInUser> {
  const { identity, person: known, employee } = await recognise(db, provider, who)
  const person = known ?? (await welcome(db, who, employee as Employee))
  if (!identity)
    await insertAll(db, userIdentities, [
      { user_id: person.id, identity_provider_id: provider.id, subject: who.subject, email: who.email },
    ])
  else if (identity.email !== who.email) await amend(db, userIdentities, identity, { email: who.email })
  await confirmProvider(db, provider.id, settings)
  return person
}

type Employee = { id: number; name: string }

/** The employee who is known by the address, and is nobody's user yet. */
async function freeEmployee(db: Reader, email: string): Promise<Employee | null> {
  const employee = await employeeBy(db, email)
  return employee && !(await personBy(db, 'employee_id', employee.id)) ? employee : null
}

/** Makes an employee a user. */
async function welcome(db: Writer, { email, name }: IdentityClaims, employee: Employee): Promise<SignInUser> {
  const id = await create(db, users, { email, name: name ?? employee.name, employee_id: employee.id })
  await giveRole(db, id, 'employee')
  return (await personBy(db, 'id', id)) as SignInUser
}

/** The employee who has an e-mail address, and has not left. */
export async function employeeBy(db: Reader, email: string): Promise<Employee | null> {
  const row = await db
    .from('employees')
    .select(['id', 'first_name', 'last_name', 'termination_effective_on'])
    .where('email_key', '=', fold(email))
    .executeTakeFirst()
  if (!row || (row.termination_effective_on !== null && row.termination_effective_on <= db.today)) return null
  return { id: row.id, name: `${row.first_name} ${row.last_name}` }
}

/** Accounts from before there were roles get theirs when they are first needed. */
export async function readyRoles(db: Writer): Promise<void> {
  if (!(await db.from('roles').select('id').limit(1).executeTakeFirst())) await makeReadyRoles(db)
}

/** Gives somebody one of the ready-made roles. */
export async function giveRole(db: Writer, userId: number, standard: string): Promise<void> {
  await readyRoles(db)
  const [role] = await rowsOf(roles, db.from('roles').where('standard', '=', standard))
  if (!role)
    throw refused(
      `Your user cannot be created, because the role that new users get (${standard}) was deleted. Ask an administrator to invite you.`,
    )
  await insertAll(db, userRoles, [{ user_id: userId, role_id: role.id }])
}
