import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import { FIELD_GROUPS } from '../domain/access/permissions.ts'
import type { Resource } from '../engine/declaration.ts'
import type { Operation } from '../engine/operation.ts'
import { GUIDES } from './chapters.ts'
import { BUILT, manifestIn } from './console.ts'
import { groupsInWords } from './field-groups.ts'
import { openApi } from './openapi/document.ts'
import { PROBLEM_STYLE, serveProblemPages } from './problem-pages.ts'
import { referencePage } from './reference-page.ts'
import { type StaticResponse, sendStatic, serveStatic, staticResponse } from './static-response.ts'

/** What the pages need to know about the service, and the path prefix it is served under. */
export type ServiceInfo = {
  operations: readonly Operation[]
  kinds: readonly Resource[]
  version: string
  base?: string
}

const DESCRIPTION = `The HTTP API of Cadre, a self-hosted HR service: people, organisation, recruitment, reviews, time, leave, assets and knowledge base.

- **Authentication.** Send your API key in the header \`X-API-KEY\`, or as \`Authorization: Bearer\`.
- **Requests.** Bodies are JSON, forms or multipart, with the same field names and results; you can also send fields in the query.
  \`PUT\` is a partial update, the same as \`PATCH\`: omitted fields keep their values, null or an empty form value clears a field.
- **Responses.** A record comes as \`{"data": …}\`, a list as \`{"data": […], "metadata": …}\` in pages of 50 (\`per_page\`,
  at most 200), ordered by \`sort\`.
- **Errors.** An error is a problem document (RFC 9457) that names every invalid field. \`/problems\` explains each error code. An unknown
  parameter that looks like a filter is rejected, with a suggestion for the right name.`

const guides = Object.entries(GUIDES).map(([name, text]) => `## ${name}\n\n${text}`)

export const apiDocument = ({ operations, kinds, version, base = '' }: ServiceInfo) =>
  openApi(operations, kinds, base, {
    title: 'Cadre',
    version,
    description: [DESCRIPTION, ...guides, groupsInWords(kinds, FIELD_GROUPS)].join('\n\n'),
  })

/** Only our own scripts and styles are loaded, and only our own server is asked. The pages of problems hold their style. */
const CONTENT_POLICY = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", PROBLEM_STYLE],
    imgSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
}

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f5f5b"/><path d="M22 11.5A7.5 7.5 0 1 0 22 20.5" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round"/></svg>`

/** What is there for people and machines besides the interface: the reference, its document, and the state of health. */
export async function pages(app: FastifyInstance, ready: () => Promise<void>, about: ServiceInfo): Promise<void> {
  serveStatic(app, '/openapi.json', () =>
    staticResponse('application/json; charset=utf-8', JSON.stringify(apiDocument(about))),
  )
  app.get('/healthz', (_request, reply) => reply.send({ status: 'ok', version: about.version }))
  app.get('/readyz', async (_request, reply) => {
    await ready()
    return reply.send({ status: 'ready' })
  })
  for (const path of ['/favicon.svg', '/favicon.ico'])
    serveStatic(app, path, () => staticResponse('image/svg+xml', ICON, 'public, max-age=86400'))

  const { base = '' } = about
  const manifest = manifestIn(BUILT)
  let shown: { script: string | undefined; page: StaticResponse } | undefined
  await app.register(async (scope) => {
    // Whether the service is only ever reached by TLS is for the operator's proxy to say.
    await scope.register(helmet, { contentSecurityPolicy: CONTENT_POLICY, strictTransportSecurity: false })
    scope.get('/docs', (request, reply) => {
      const made = manifest()?.reference
      if (shown?.script !== made?.script || !shown) shown = { script: made?.script, page: referencePage(about, made) }
      return sendStatic(request, reply, shown.page)
    })
    serveProblemPages(scope, base)
  })
}
