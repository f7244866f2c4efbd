import type { Operation } from '../operation.ts'
import { invalid, wrong } from '../problem.ts'
import { bodyOf } from './body.ts'

/** The fields of an operation's body that take files. */
const fileFields = ({ body }: Operation) =>
  Object.entries((body?.properties ?? {}) as Record<string, any>).flatMap(([name, schema]) =>
    schema['x-file'] || schema.items?.['x-file'] ? name : [],
  )

/** The values that a request sent in file fields, whether they are files or not. */
export const filesIn = (operation: Operation, body: Record<string, unknown>) =>
  fileFields(operation).flatMap((name) => body[name] ?? [])

const isFile = (value: unknown) => Buffer.isBuffer((value as { bytes?: unknown } | null)?.bytes)

/** 422 for files in unknown fields: they would be lost without the sender's knowledge. */
export function refuseLostFiles(operation: Operation, body: unknown, unknown: readonly string[]): void {
  if (unknown.length === 0) return
  const sent = bodyOf(body)
  const lost = unknown.filter((name) => [sent[name]].flat().some(isFile))
  if (lost.length === 0) return
  const fields = fileFields(operation)
  const message = fields.length
    ? `is not a file field of this operation: send the file as ${fields.join(' or ')}`
    : 'is a file, but this operation does not accept files'
  throw invalid(lost.map((name) => wrong(name, 'unknown', message)))
}
