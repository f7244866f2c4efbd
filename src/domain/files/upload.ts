import Type from 'typebox'
import { Problem, wrong } from '../../engine/problem.ts'

/** A file that came with a request, as a part of a multipart body or as a data URI. */
export type Upload = { filename: string; type: string; bytes: Buffer }

/** The schema of a body's file. */
export const file = (note: string) =>
  Type.Unsafe<unknown>({ type: ['object', 'string', 'null'], 'x-file': true, description: note })

export const notAFile = (field: string) => wrong(field, 'invalid', 'must be an uploaded file or a base64 data URI')

const LARGEST = 25 * 1024 * 1024

export const fileTooLarge = () => new Problem(413, 'too_large', 'The file is too large: at most 25 MiB are allowed.')

/** The upload that was sent, or undefined when the value is none. */
export function readUpload(value: unknown): Upload | undefined {
  const upload = readAny(value)
  // In base64 a larger one may fit into the body: a file is as large as its bytes, however it is sent.
  if (upload && upload.bytes.length > LARGEST) throw fileTooLarge()
  return upload
}

function readAny(value: unknown): Upload | undefined {
  if (typeof value === 'string') return readDataUri(value)
  const { bytes, filename, type } = (value ?? {}) as Partial<Upload>
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return undefined
  return { bytes, filename: bareName(filename ?? ''), type: type ?? 'application/octet-stream' }
}

const HEAD = /^data:([\w.+-]+\/[\w.+-]+)?((?:;[\w-]+=[^;,]*)*);base64$/

/** The head of a data URI is read by a pattern; its bytes, which may be many, are not. */
function readDataUri(text: string): Upload | undefined {
  const comma = text.indexOf(',')
  const match = comma > 0 && comma < 2000 ? HEAD.exec(text.slice(0, comma)) : null
  if (!match) return undefined
  const [, type = 'application/octet-stream', parameters = ''] = match
  const bytes = readBase64(text.slice(comma + 1))
  const name = /;(?:file)?name=([^;,]*)/.exec(parameters)?.[1] ?? ''
  return bytes && { type, filename: bareName(safelyDecoded(name)), bytes }
}

/** The bytes, if it is base64 all through: the decoder itself would skip what is not. */
function readBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  // A pattern finds the first that is no digit ten times as fast as a loop: of a large file there are thirty million, and
  // nobody else is answered meanwhile.
  const first = text.search(/[^\w+/-]/)
  let digits = first === -1 ? text.length : first
  let padding = 0
  for (let at = digits; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x20 || (code >= 0x09 && code <= 0x0d)) continue
    if (code === 0x3d && ++padding <= 2) continue
    if (code > 0x7a || padding > 0 || !BASE64.has(code)) return undefined
    digits++
  }
  return digits > 0 && bytes.length > 0 ? bytes : undefined
}

const BASE64 = new Set(
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_'].map((one) => one.charCodeAt(0)),
)

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
