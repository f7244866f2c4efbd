import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isSeen } from '../engine/outcome.ts'
import { notFound } from '../engine/problem.ts'
import { header, preferred, preferredType, vary } from './http/headers.ts'
import { FOREVER } from './static-response.ts'

/** The pages for people: one document for all their addresses, and the assets that it is made of. */

/** Where the build puts them; what is not there is told of, and the rest of the service answers as ever. */
export const BUILT = fileURLToPath(new URL('../../dist/console', import.meta.url))

/** The scripts and styles of a page. The careers page and the API reference are small and have their own. */
export type PageAssets = { script: string; style: string; preload: string[] }
type Manifest = PageAssets & { careers: PageAssets; reference: PageAssets }

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

/** Beginnings of addresses that are not people's pages: what is unknown there is told as everywhere. */
const NOT_PAGES = /^\/(api|docs|problems|files|avatars|calendars|bundle|healthz|readyz|openapi\.json|favicon)(\/|$|\.)/

/** Addresses that people are handed: the page is there whoever looks. */
const HANDED_OUT = /^\/sign-in(\/|$)/

export function serveConsole(app: FastifyInstance, { base, folder = BUILT }: { base: string; folder?: string }): void {
  const manifest = manifestIn(folder)

  app.get<{ Params: { name: string } }>('/bundle/:name', (request, reply) => {
    const { name } = request.params
    const type = TYPES[name.split('.').at(-1) ?? '']
    const path = join(folder, name)
    if (!type || !/^[\w-]+\.\w+$/.test(name) || !existsSync(path)) throw notFound()
    vary(reply, 'Accept-Encoding')
    reply.header('cache-control', FOREVER).header('etag', `"${name}"`).type(type)
    const seen = header(request, 'if-none-match')
    if (isSeen(seen, `"${name}"`)) return reply.status(304).send()
    const like = preferred(header(request, 'accept-encoding') ?? '', ['br', 'gzip'], (entry, offer) =>
      entry === offer ? 2 : entry === '*' ? 1 : 0,
    )
    const packed = like && `${path}.${like === 'br' ? 'br' : 'gz'}`
    if (!packed || !existsSync(packed)) return reply.send(readFileSync(path))
    return reply.header('content-encoding', like).send(readFileSync(packed))
  })

  const page = (request: FastifyRequest, reply: FastifyReply) => {
    const now = manifest()
    return now ? sendPage(request, reply, now, base) : sendMissing(reply, base)
  }
  app.get('/', page)
  app.get('/*', (request, reply) => {
    const [path = ''] = request.url.split('?')
    // Programs that ask for something that is not there are told so; people are shown the console, which tells them.
    const isForPeople =
      HANDED_OUT.test(path) || preferredType(request, ['application/json', 'text/html']) === 'text/html'
    if (NOT_PAGES.test(path) || !isForPeople) return reply.callNotFound()
    return page(request, reply)
  })
}

/** As it is now: a build may come, or come anew, while the service runs. */
export function manifestIn(folder: string): () => Manifest | undefined {
  const path = join(folder, 'manifest.json')
  let known: { at: number; manifest: Manifest } | undefined
  return () => {
    const at = statSync(path, { throwIfNoEntry: false })?.mtimeMs
    if (at === undefined) return undefined
    if (known?.at !== at) known = { at, manifest: JSON.parse(readFileSync(path, 'utf8')) as Manifest }
    return known.manifest
  }
}

/** Only our own scripts run, and those that they load; nothing comes from elsewhere, and only who is named frames it. */
const policy = (nonce: string, framedBy: string) =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "connect-src 'self'",
    "media-src 'self' blob:",
    "frame-src 'self' blob:",
    "object-src 'none'",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${framedBy}`,
  ].join('; ')

/** The headers of a page. `isFramed`: pages of others may show it within theirs. */
export function guard(reply: FastifyReply, nonce: string, isFramed = false): FastifyReply {
  if (!isFramed) reply.header('x-frame-options', 'DENY')
  return reply
    .header('content-security-policy', policy(nonce, isFramed ? '*' : "'none'"))
    .header('referrer-policy', 'same-origin')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()')
    .type('text/html; charset=utf-8')
}

/** Whoever comes without a session is shown the sign-in at once, instead of asking in vain who they are. */
const hasSession = (request: FastifyRequest) => /(?:^|[\s-])cadre_session=/.test(header(request, 'cookie') ?? '')

function sendPage(request: FastifyRequest, reply: FastifyReply, manifest: Manifest, base: string): FastifyReply {
  const made = (nonce: string) => document(manifest, base, nonce, hasSession(request))
  // Asked for each time, and never the same: a nonce is used once.
  reply.header('cache-control', 'private, no-cache')
  const nonce = randomBytes(16).toString('base64')
  return guard(reply, nonce).send(made(nonce))
}

export const attribute = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** The lines of a document's head that load it. */
export const loading = ({ script, style, preload }: PageAssets, base: string, nonce: string) =>
  `<link rel="stylesheet" href="${base}/bundle/${style}">
${preload.map((name) => `<link rel="modulepreload" href="${base}/bundle/${name}" nonce="${nonce}">\n`).join('')}<script type="module" src="${base}/bundle/${script}" nonce="${nonce}"></script>`

const document = (manifest: Manifest, base: string, nonce: string, isKnown: boolean) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="cadre-base" content="${attribute(base)}">
<meta name="cadre-nonce" nonce="${nonce}">
<meta name="cadre-session" content="${isKnown ? 'some' : 'none'}">
<meta name="robots" content="noindex">
<title>Cadre</title>
<link rel="icon" href="${base}/favicon.svg">
${loading(manifest, base, nonce)}
</head>
<body>
<div id="root"></div>
<noscript>Turn on JavaScript in your browser to use Cadre. The API is described at ${base}/docs.</noscript>
</body>
</html>
`

export const sendMissing = (reply: FastifyReply, base: string) => {
  reply.header('cache-control', 'no-store')
  return guard(reply.status(503), randomBytes(16).toString('base64')).send(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Cadre</title></head>
<body>
<h1>The console is not built yet</h1>
<p>Run <code>npm run build</code>, which takes a second, then reload this page; <code>npm start</code> does it by itself.</p>
<p>The interface answers as ever: <a href="${base}/docs">its reference</a>.</p>
</body>
</html>
`)
}
