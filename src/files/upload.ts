import Type from 'typebox'
import { wrong } from '../engine/problem.ts'

/** A file that came with a request, as a part of a multipart body or as a data URI. */
export type Upload = { filename: string; type: string; bytes: Buffer }

/** The schema of a body's file. */
export const file = (note: string) =>
  Type.Unsafe<unknown>({ type: ['object', 'string', 'null'], 'x-file': true, description: note })

const DATA_URI = /^data:([\w.+-]+\/[\w.+-]+)?((?:;[\w-]+=[^;,]*)*);base64,([A-Za-z0-9+/_=\s-]+)$/

export const notAFile = (field: string) => wrong(field, 'invalid', 'must be an uploaded file or a data URI in base64')

/** The upload that was sent, or undefined when the value is none. */
export function readUpload(value: unknown): Upload | undefined {
  if (typeof value === 'string') return readDataUri(value)
  const { bytes, filename, type } = (value ?? {}) as Partial<Upload>
  if (!Buffer.isBuffer(bytes)) return undefined
  return { bytes, filename: bareName(filename ?? ''), type: type ?? 'application/octet-stream' }
}

function readDataUri(text: string): Upload | undefined {
  const match = DATA_URI.exec(text)
  if (!match) return undefined
  const [, type = 'application/octet-stream', parameters = '', data = ''] = match
  const name = /;(?:file)?name=([^;,]*)/.exec(parameters)?.[1] ?? ''
  return { type, filename: bareName(safelyDecoded(name)), bytes: Buffer.from(data, 'base64') }
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The last part of a name, without what a file system or a header could misread. */
function bareName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  return (
    last
      .replace(/[\p{Cc}"]/gu, '')
      .replace(/^\.+/, '')
      .slice(0, 200) || 'file'
  )
}
