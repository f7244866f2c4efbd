import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import { FIELD_GROUPS } from '../access/permissions.ts'
import type { Resource } from '../engine/declaration.ts'
import type { Operation } from '../engine/operation.ts'
import { GUIDES } from './chapters.ts'
import { openApi } from './openapi.ts'
import { serveProblemPages } from './problem-pages.ts'
import { referencePage } from './reference-page.ts'
import { sendStill, serveStill, still } from './still.ts'
import { groupsInWords } from './withheld.ts'

/** What the pages tell about the service, and below which path it is reached. */
export type About = { operations: readonly Operation[]; kinds: readonly Resource[]; version: string; base?: string }

const DESCRIPTION = `The HTTP API of Cadre, a self-hosted HR service: people, organisation, recruitment, reviews, time, leave, assets and knowledge base.

- **Authentication.** Send your API key in the header \`X-API-KEY\`, or as \`Authorization: Bearer\`.
- **Requests.** Bodies are JSON, forms or multipart, with the same field names and results; you can also send fields in the query.
  \`PUT\` is a partial update, the same as \`PATCH\`: omitted fields keep their values, null or an empty form value clears a field.
- **Responses.** A record comes as \`{"data": …}\`, a list as \`{"data": […], "metadata": …}\` in pages of 50 (\`per_page\`,
  at most 200), ordered by \`sort\`.
- **Errors.** An error is a problem document (RFC 9457) that names every invalid field. \`/problems\` explains each error code. An unknown
  parameter that looks like a filter is rejected, with a suggestion for the right name.`

const guides = Object.entries(GUIDES).map(([name, text]) => `## ${name}\n\n${text}`)

export const apiDocument = ({ operations, kinds, version, base = '' }: About) =>
  openApi(operations, kinds, base, {
    title: 'Cadre',
    version,
    description: [DESCRIPTION, ...guides, groupsInWords(kinds, FIELD_GROUPS)].join('\n\n'),
  })

/** Only our own server is spoken to, and only our own scripts run; the reference styles itself in the page. */
const contentPolicy = (scripts: () => string) => ({
  useDefaults: false,
  directives: {
    defaultSrc: ["'self'"],
    scriptSrc: ["'self'", scripts],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'blob:'],
    fontSrc: ["'self'", 'data:'],
    workerSrc: ["'self'", 'blob:'],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
})

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f5f5b"/><path d="M22 11.5A7.5 7.5 0 1 0 22 20.5" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round"/></svg>`

/** What is there for people and machines besides the interface: the reference, its document, and the state of health. */
export async function pages(app: FastifyInstance, ready: () => Promise<void>, about: About): Promise<void> {
  serveStill(app, '/openapi.json', () => still('application/json; charset=utf-8', JSON.stringify(apiDocument(about))))
  app.get('/healthz', (_request, reply) => reply.send({ status: 'ok', version: about.version }))
  app.get('/readyz', async (_request, reply) => {
    await ready()
    return reply.send({ status: 'ready' })
  })
  for (const path of ['/favicon.svg', '/favicon.ico'])
    serveStill(app, path, () => still('image/svg+xml', ICON, 'public, max-age=86400'))

  const { base = '' } = about
  const reference = () => referencePage(base)
  await app.register(async (scope) => {
    // Whether the service is only ever reached by TLS is for the operator's proxy to say.
    let scripts: string[] = []
    scope.addHook('onRequest', async () => {
      ;({ scripts } = await reference())
    })
    const contentSecurityPolicy = contentPolicy(() => scripts.join(' '))
    await scope.register(helmet, { contentSecurityPolicy, strictTransportSecurity: false })
    scope.get('/docs', async (request, reply) => sendStill(request, reply, (await reference()).page))
    scope.get<{ Params: { name: string } }>('/docs/:name', async (request, reply) => {
      const { address, script } = await reference()
      return request.params.name === address ? sendStill(request, reply, script) : reply.callNotFound()
    })
    serveProblemPages(scope, base)
  })
}
