import type * as oidc from 'openid-client'
import { Problem } from '../../engine/problem.ts'
import type { Caller } from '../../records/caller.ts'
import { isLocal, type Provider } from './providers.ts'

/** All requests to identity providers: over https, for a limited time, and reading a limited number of bytes. */

/** Loaded with the first request to a provider. */
export const openIdClient = () => import('openid-client')

/** Discovery documents are read again after so many milliseconds. */
const FRESH = 10 * 60_000
/** Seconds that a provider has to answer. */
const TIMEOUT = 10
/** The largest response that is read from a provider. */
export const LARGEST_RESPONSE = 2 ** 20

/** A response of a provider that is too large. A TypeError, as fetch throws them: the library passes those on as they are. */
export class ResponseTooLarge extends TypeError {}

export class InsecureAddress extends TypeError {}

export type Fetch = (url: string, options: RequestInit) => Promise<Response>

/** Fetches, and reads no more than 1 MiB of the response. */
export const limitedFetch: Fetch = async (url, options) => {
  const response = await fetch(url, options)
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop cancels the rest.
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > LARGEST_RESPONSE)
      throw new ResponseTooLarge(`the response of ${new URL(url).host} has more than ${LARGEST_RESPONSE} bytes`)
    chunks.push(chunk)
  }
  const { status, statusText, headers } = response
  return new Response(response.body === null ? null : Buffer.concat(chunks), { status, statusText, headers })
}

/** Refuses addresses without https. A provider on this machine may name addresses on this machine. */
function refuseInsecure(config: oidc.Configuration, issuer: URL): void {
  for (const [name, address] of Object.entries(config.serverMetadata())) {
    if (typeof address !== 'string' || !/(_endpoint|^jwks_uri)$/.test(name)) continue
    const { protocol, hostname } = URL.parse(address) ?? { protocol: '', hostname: '' }
    const isSafe = protocol === 'https:' || (protocol === 'http:' && isLocal(hostname) && isLocal(issuer.hostname))
    if (!isSafe) throw new InsecureAddress(`${name} must be an https URL`)
  }
}

/** Reads the provider's discovery document. */
export async function discover(provider: Provider, fetch: Fetch = limitedFetch): Promise<oidc.Configuration> {
  const oidc = await openIdClient()
  const issuer = new URL(provider.issuer)
  const authentication = provider.client_secret ? oidc.ClientSecretPost(provider.client_secret) : oidc.None()
  const secret = provider.client_secret || undefined
  const config = await oidc.discovery(issuer, provider.client_id, secret, authentication, {
    timeout: TIMEOUT,
    // Signatures of ID tokens are verified, also of those that come directly from the token endpoint.
    execute: [oidc.enableNonRepudiationChecks, ...(isLocal(issuer.hostname) ? [oidc.allowInsecureRequests] : [])],
    [oidc.customFetch]: fetch as oidc.CustomFetch,
  })
  refuseInsecure(config, issuer)
  return config
}

const cached = new Map<string, { at: number; config: Promise<oidc.Configuration> }>()

/** The same, read again after ten minutes or when the settings have changed; 502 when the document cannot be used. */
export function configurationOf({ account }: Caller, provider: Provider, now: Date): Promise<oidc.Configuration> {
  const key = `${account.id} ${provider.id} ${provider.updated_at} ${provider.issuer}`
  const known = cached.get(key)
  if (known && now.getTime() - known.at < FRESH) return known.config
  const config = discover(provider).catch((error) => {
    cached.delete(key)
    throw undiscovered(provider, error)
  })
  if (cached.size >= 1000) cached.clear()
  cached.set(key, { at: now.getTime(), config })
  return config
}

function undiscovered({ name }: Provider, error: unknown): Problem {
  const detail =
    error instanceof InsecureAddress
      ? `The identity provider ${name} cannot be used: in its discovery document, ${error.message}.`
      : error instanceof ResponseTooLarge
        ? `The identity provider ${name} cannot be used: its discovery document has more than ${LARGEST_RESPONSE} bytes.`
        : `The identity provider ${name} cannot be reached, or has no valid discovery document.`
  return new Problem(502, 'provider_unreachable', detail, { cause: error })
}
