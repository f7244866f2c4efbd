import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { nest } from './nest.ts'

const MEBIBYTE = 1024 * 1024

/** What a body may have that holds no file. */
export const BODY_LIMIT = 2 * MEBIBYTE

/** A file may also come inside JSON, which makes it a third longer. */
export const FILE_BODY_LIMIT = 36 * MEBIBYTE

/** Forms and multipart beside JSON: the same names spell the same body in all of them. */
export async function acceptBodies(app: FastifyInstance): Promise<void> {
  await app.register(multipart, {
    limits: { fileSize: 25 * MEBIBYTE, files: 1, fields: 1000, fieldSize: 35 * MEBIBYTE, parts: 1001 },
  })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, nest(new URLSearchParams(body as string))),
  )
  app.addHook('preValidation', async (request) => {
    if (request.isMultipart()) request.body = await readMultipart(request)
  })
}

/** Fields and files of a multipart body under their names, spelled as in a form. */
async function readMultipart(request: FastifyRequest): Promise<unknown> {
  const pairs: [string, unknown][] = []
  for await (const part of request.parts()) {
    const value =
      part.type === 'file' ? { filename: part.filename, type: part.mimetype, bytes: await part.toBuffer() } : part.value
    pairs.push([part.fieldname, value])
  }
  return nest(pairs)
}
