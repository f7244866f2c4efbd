import type { Operation } from '../../engine/operation.ts'
import { CHAPTERS, chapterOf, OTHER } from '../chapters.ts'
import { PREFIX } from '../http/routes.ts'
import { bodies } from './bodies.ts'
import { parametersOf, SHARED_PARAMETERS } from './parameters.ts'
import { responsesOf, sharedErrors, sharedHeaders } from './responses.ts'
import { type Json, type RecordKind, Schemas } from './schemas.ts'

/** The OpenAPI 3.1 document of the operations. */
export function openApi(
  operations: readonly Operation[],
  kinds: readonly RecordKind[],
  base: string,
  about: { title: string; version: string; description: string },
): Json {
  const schemas = new Schemas(kinds)
  const paths: Json = {}
  for (const operation of operations) {
    paths[operation.path] ??= {}
    paths[operation.path][operation.method.toLowerCase()] = describe(operation, schemas, base)
  }
  const used = new Set(operations.map((operation) => chapterOf(operation).name))
  const chapters = [...CHAPTERS, OTHER].filter(({ name }) => used.has(name))
  return {
    openapi: '3.1.0',
    info: { ...about, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: base + PREFIX }],
    security: [{ key: [] }, { bearer: [] }],
    tags: chapters.map(({ name, about }) => ({ name, description: about })),
    'x-tagGroups': [...Map.groupBy(chapters, ({ part }) => part)].map(([name, inside]) => ({
      name,
      tags: inside.map((chapter) => chapter.name),
    })),
    paths,
    components: {
      securitySchemes: {
        key: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-KEY',
          description: 'API key. The first one is printed at the first start; create more at `/api_keys`',
        },
        bearer: { type: 'http', scheme: 'bearer', description: 'The same API key, as `Authorization: Bearer`' },
      },
      headers: sharedHeaders(),
      parameters: SHARED_PARAMETERS,
      responses: sharedErrors(schemas),
      schemas: schemas.all(),
    },
  }
}

function describe(operation: Operation, schemas: Schemas, base: string): Json {
  const { body } = operation
  const parameters = parametersOf(operation, schemas)
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: [schemas.definition(operation), operation.note, requirement(operation)].filter(Boolean).join(' '),
    tags: [chapterOf(operation).name],
    ...(operation.path.startsWith('/api/') ? { servers: [{ url: base || '/' }] } : {}),
    ...(operation.permission ? {} : { security: [] }),
    ...(parameters.length ? { parameters } : {}),
    ...(body
      ? {
          requestBody: {
            required: Boolean(body.required?.length) && !operation.inQuery,
            content: bodies(operation, body, schemas),
          },
        }
      : {}),
    responses: responsesOf(operation, schemas),
  }
}

/** What a caller needs, unless the note has said it together with further permissions. */
function requirement({ permission, note }: Operation): string | null {
  if (permission === null) return 'No API key required.'
  const isSaid = note?.split('. ').some((one) => one.startsWith('Requires') && one.includes(`\`${permission}\``))
  return isSaid ? null : `Requires the \`${permission}\` permission.`
}
