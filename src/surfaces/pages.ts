import helmet from '@fastify/helmet'
import reference from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'
import { probe } from '../database/probe.ts'
import type { Operation } from '../engine/operation.ts'
import { openApi } from './openapi.ts'

/** What the pages tell about the service. */
export type About = { operations: readonly Operation[]; version: string }

const DESCRIPTION = `Employees and their records, recruitment, teams, and the organisation around them.

Send your key in the header \`X-API-KEY\`. Bodies may be forms, JSON or multipart, with the same names and the same
result. Single records come as \`{"data": …}\`, lists as \`{"data": […], "metadata": …}\` in pages of 50. A failure is a
problem document that names every wrong field.`

export const apiDocument = ({ operations, version }: About) =>
  openApi(operations, { title: 'Cadre', version, description: DESCRIPTION })

/** Only our own server is spoken to; the reference styles itself in the page. */
const CONTENT_POLICY = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'self'"],
    scriptSrc: ["'self'", "'unsafe-inline'", "'unsafe-eval'"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'blob:'],
    fontSrc: ["'self'", 'data:'],
    workerSrc: ["'self'", 'blob:'],
    frameAncestors: ["'none'"],
  },
}

/** What is there for people and machines besides the interface: the reference, its document, and the state of health. */
export async function pages(app: FastifyInstance, database: Database, about: About): Promise<void> {
  const document = JSON.stringify(apiDocument(about))
  const ready = probe(database)

  app.get('/', (_request, reply) => reply.redirect('/docs'))
  app.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(document))
  app.get('/healthz', (_request, reply) => reply.send({ status: 'ok', version: about.version }))
  app.get('/readyz', async (_request, reply) => {
    await ready()
    return reply.send({ status: 'ready' })
  })
  await app.register(async (scope) => {
    // Whether the service is only ever reached by TLS is for the operator's proxy to say.
    await scope.register(helmet, { contentSecurityPolicy: CONTENT_POLICY, strictTransportSecurity: false })
    await scope.register(reference, {
      routePrefix: '/docs',
      configuration: {
        url: '/openapi.json',
        pageTitle: 'Cadre API',
        withDefaultFonts: false,
        showDeveloperTools: 'never',
        agent: { disabled: true },
        mcp: { disabled: true },
        hideClientButton: true,
        telemetry: false,
        theme: 'default',
      },
    })
  })
}
