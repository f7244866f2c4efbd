import Type from 'typebox'
import type { FileSource } from '../../engine/file-source.ts'
import { alsoAt, operation } from '../../engine/operation.ts'
import { invalid, Problem, wrong } from '../../engine/problem.ts'
import { amend, find } from '../../engine/records.ts'
import { recordId, schemaOf, wrapped } from '../../engine/schema.ts'
import { showOne } from '../../engine/shape.ts'
import { file, readUpload } from '../files/upload.ts'
import { employees } from './employees.ts'

const LARGEST = 5 * 1024 * 1024

const KINDS = ['png', 'jpg', 'webp'] as const

/** The kind of an image by its first bytes, whatever it is called. */
export function imageKind(bytes: Buffer): (typeof KINDS)[number] | undefined {
  if (bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return 'png'
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'jpg'
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'webp'
  return undefined
}

/** Where pictures lie. */
export const AVATARS = 'avatars'

export const avatarFiles: FileSource = {
  table: 'employees',
  named: 'avatar',
  namesFor: (hash) => KINDS.map((kind) => `${hash}.${kind}`),
  columns: ['avatar'],
  fileOf: ({ avatar }) => avatar && { part: AVATARS, hash: avatar.split('.')[0], name: avatar, type: '' },
}

const updateAvatar = operation(
  {
    id: 'updateEmployeeAvatar',
    method: 'PUT',
    path: '/employees/{id}/avatar',
    summary: 'Set the picture of an employee',
    note: 'PNG, JPEG or WebP of at most 5 MiB, as a part of a multipart body or as a data URI. Null, or an empty form value, removes the picture. The previous picture is lost: undo cannot restore it.',
    area: 'employees',
    params: Type.Object({ id: recordId('employees') }),
    body: Type.Object(
      { avatar: file('The picture: PNG, JPEG or WebP of at most 5 MiB') },
      { title: 'UpdateEmployeeAvatar' },
    ),
    answer: wrapped(schemaOf(employees.whole)),
  },
  async ({ db, params, body, files }) => {
    const before = await find(db, employees, params.id)
    const isTakenAway = body.avatar === null || body.avatar === ''
    const avatar = isTakenAway ? null : await keepPicture(body.avatar, (bytes) => files.in(AVATARS).save(bytes))
    await amend(db, employees, before, { avatar })
    return { body: await showOne(db, employees.whole, params.id) }
  },
)

export const avatarOperations = [updateAvatar, alsoAt(updateAvatar, '/employees/{id}/update_avatar', 'AtOldAddress')]

async function keepPicture(sent: unknown, save: (bytes: Buffer) => Promise<string>): Promise<string> {
  const upload = readUpload(sent)
  const kind = upload && imageKind(upload.bytes)
  if (!kind) throw invalid(wrong('avatar', 'invalid', 'must be a PNG, JPEG or WebP image'))
  if (upload.bytes.length > LARGEST)
    throw new Problem(413, 'too_large', 'avatar is too large: at most 5 MiB are allowed.')
  return `${await save(upload.bytes)}.${kind}`
}
