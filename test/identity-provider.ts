import assert from 'node:assert/strict'
import { createHash, createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export const CLIENT = { id: 'cadre', secret: 'Zq9-client-secret' }

export type Claims = Record<string, unknown>

const FORGED = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

/** A provider of identities, as small as the standard lets it be. */
export class Provider {
  readonly #keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  readonly #server: Server
  readonly #codes = new Map<string, { claims: Claims; challenge: string; redirect: string }>()
  issuer = ''
  /** What it changes in its answers, for those who do not do as they should. */
  twist: (claims: Claims) => Claims = (claims) => claims
  /** The same for its discovery document. */
  describe: (document: Claims) => Claims = (document) => document
  isAway = false
  /** Who comes by in a browser. */
  visitor: Claims = {}
  /** How it refuses them there, if it does. */
  refusal: string | null = null
  /** Signs with a key that it does not show. */
  isForger = false

  constructor() {
    this.#server = createServer(async (request, response) => {
      if (this.isAway) return void response.destroy()
      const { pathname, search, searchParams } = new URL(request.url ?? '', this.issuer)
      if (pathname === '/authorize') {
        // Whoever comes in a browser is somebody already, and goes back at once.
        const query = this.refusal
          ? `?${new URLSearchParams({ error: this.refusal, state: searchParams.get('state') as string, iss: this.issuer })}`
          : this.visit(this.issuer + pathname + search, this.visitor)
        const back = `${searchParams.get('redirect_uri')}${query}`
        return void response.writeHead(302, { location: back }).end()
      }
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const [status, body] = this.#answer(request.url ?? '', new URLSearchParams(Buffer.concat(chunks).toString()))
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  }

  async start(): Promise<void> {
    await new Promise<void>((go) => this.#server.listen(0, '127.0.0.1', go))
    this.issuer = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  stop = () => this.#server.close()

  #answer(path: string, form: URLSearchParams): [number, unknown] {
    const { issuer } = this
    if (path === '/.well-known/openid-configuration')
      return [
        200,
        this.describe({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        }),
      ]
    if (path === '/keys')
      return [
        200,
        { keys: [{ ...this.#keys.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] },
      ]
    const code = this.#codes.get(form.get('code') ?? '')
    this.#codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isKnown = form.get('client_id') === CLIENT.id && form.get('client_secret') === CLIENT.secret
    if (!code || !isKnown || challenge !== code.challenge || form.get('redirect_uri') !== code.redirect)
      return [400, { error: 'invalid_grant' }]
    return [200, { access_token: 'access', token_type: 'Bearer', id_token: this.#sign(this.twist(code.claims)) }]
  }

  #sign(claims: Claims): string {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const text = `${part({ alg: 'RS256', kid: 'one' })}.${part(claims)}`
    return `${text}.${createSign('sha256')
      .update(text)
      .sign(this.isForger ? FORGED : this.#keys.privateKey)
      .toString('base64url')}`
  }

  /** Somebody arrives at the address, is let in there, and is sent back: with this query. */
  visit(address: string, who: Claims): string {
    const asked = new URL(address).searchParams
    assert.equal(asked.get('code_challenge_method'), 'S256')
    assert.equal(asked.get('response_type'), 'code')
    const code = randomUUID()
    const at = Math.floor(Date.now() / 1000)
    const claims = { iss: this.issuer, aud: CLIENT.id, iat: at, exp: at + 300, nonce: asked.get('nonce'), ...who }
    const [challenge, redirect] = [asked.get('code_challenge') as string, asked.get('redirect_uri') as string]
    this.#codes.set(code, { claims, challenge, redirect })
    return `?${new URLSearchParams({ code, state: asked.get('state') as string, iss: this.issuer })}`
  }
}
