import Type from 'typebox'
import type { Row, Sent } from '../../engine/declaration.ts'
import { type Body, get, listAll, MOST_OWNED, post, put, remove } from '../../engine/derive.ts'
import { boolean, date, derived, orNull, reference, text, url } from '../../engine/field.ts'
import type { Call } from '../../engine/operation.ts'
import { refuse } from '../../engine/problem.ts'
import { attempt, checkAll, holdTo, insertAll, type Rule, storeChanges } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { inOrder } from '../../engine/rule.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { fileColumns, filesIn } from '../files/columns.ts'
import { addressOf } from '../files/tickets.ts'
import { FILE_GOES } from '../files/undo-guards.ts'
import { file, notAFile, readUpload } from '../files/upload.ts'

type CertificationFile = { id: number; file_hash: string | null }

const kept = ['id', 'file_hash']
const addressFor = (db: Reader, { id, file_hash: hash }: CertificationFile) =>
  hash === null ? null : addressOf(db, { of: 'certifications', id, hash })

export const certifications = resource(
  {
    table: 'certifications',
    one: 'certification',
    area: 'employees',
    path: '/employees/{employee_id}/certifications',
  },
  {
    employee_id: reference('employees', { required: true, owner: true }),
    name: text({ required: true, example: 'First aid' }),
    issuer: text({ required: true, example: 'Red Cross' }),
    issued_on: date({ example: '2024-03-01' }),
    expires: boolean({
      default: false,
      note: 'Whether the certification expires; by default true if `expires_on` has a date. If true, `expires_on` is required',
    }),
    expires_on: date({ example: '2026-03-01' }),
    url: url({ example: 'https://example.com/certificate' }),
    ...fileColumns,
    attachment_url: derived(
      orNull(
        Type.String({
          description:
            'Temporary address of the attached file, which works without an API key; null if there is no file',
        }),
      ),
      kept,
      (row: CertificationFile, db) => addressFor(db, row)?.url ?? null,
    ),
    attachment_expires_at: derived(
      orNull(
        Type.String({
          format: 'date-time',
          description: 'When the address in `attachment_url` stops working; read the record again to get a new one',
        }),
      ),
      kept,
      (row: CertificationFile, db) => addressFor(db, row)?.expires_at ?? null,
    ),
  },
)

export const certificationFiles = filesIn(certifications.table, 'certifications')

const more = {
  attachment: file(
    'File of the certificate, as a part of a multipart body or as a data URI; at most 25 MiB. Null removes it',
  ),
}

/** A date says that it expires, and none that it does not, unless something else is said. */
function withExpiry({ expires, ...sent }: Sent<typeof certifications>): Sent<typeof certifications> {
  if (typeof expires === 'boolean') return { ...sent, expires }
  return sent.expires_on === undefined ? sent : { ...sent, expires: sent.expires_on !== null }
}

/** What was stored before this was a rule stays as it is until it is changed. */
const expiresByItsDate: Rule<typeof certifications> = ({ before, after, problems, fail }) => {
  const isUntouched = before && before.expires === after.expires && before.expires_on === after.expires_on
  if (isUntouched || problems.some(({ field }) => field === 'expires_on')) return
  if (after.expires && after.expires_on === null) fail('expires_on', 'required', 'is required when expires is true')
  if (!after.expires && after.expires_on !== null)
    fail('expires', 'mismatch', 'cannot be false when expires_on has a date')
}

const rules = [inOrder('issued_on', 'expires_on'), expiresByItsDate]
holdTo(certifications, rules)

/** Checks everything that was sent, and keeps the file when nothing can be refused any more. */
async function save(
  { db, body, problems, files }: Call<Writer, any, any, Body<typeof certifications, typeof more>>,
  before: Row<typeof certifications> | null,
): Promise<number> {
  const { attachment, ...sent } = body
  const upload = readUpload(attachment)
  if (attachment && !upload) problems.push(notAFile('attachment'))
  const one = attempt(db, certifications, before, withExpiry(sent), problems)
  await checkAll(db, certifications, [one], rules)
  refuse(problems)
  if (attachment !== undefined)
    Object.assign(one.changes, {
      file_hash: upload ? await files.in('certifications').save(upload.bytes) : null,
      file_name: upload?.filename ?? null,
      file_type: upload?.type ?? null,
    })
  if (!before) return (await insertAll(db, certifications, [{ ...one.after, ...one.changes }]))[0] as number
  await storeChanges(db, certifications, [one])
  return before.id
}

export const certificationOperations = [
  listAll(certifications),
  get(certifications),
  post(certifications, { most: MOST_OWNED, more, store: (call) => save(call, null) }),
  put(certifications, {
    more,
    async store(call, before) {
      await save(call, before)
    },
  }),
  remove(certifications, { note: FILE_GOES }),
]
