import Type from 'typebox'
import { get, listAll, post, remove } from '../../engine/derive.ts'
import { derived, loadedTogether, orNull, reference, text } from '../../engine/field.ts'
import type { FileSource } from '../../engine/file-source.ts'
import { allowed, type Files } from '../../engine/operation.ts'
import { type FieldProblem, invalid, wrong } from '../../engine/problem.ts'
import { erase, insertAll, rowsOf } from '../../engine/records.ts'
import { card, resource } from '../../engine/resource.ts'
import { schemaOf } from '../../engine/schema.ts'
import { fetchShape, listsFor } from '../../engine/shape.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { ownFileColumns } from '../files/columns.ts'
import { addressOf } from '../files/tickets.ts'
import { FILE_GOES } from '../files/undo-guards.ts'
import { file, notAFile, readUpload, type Upload } from '../files/upload.ts'
import { requireApprovable } from './conditions.ts'

/** Files of leave requests: a doctor's note, say. */

const PART = 'leave'
const MOST_FILES = 10

type AttachmentFile = { id: number; file_hash: string }

const kept = ['id', 'file_hash']
const address = ({ id, file_hash }: AttachmentFile, db: Reader) =>
  addressOf(db, { of: 'leave_attachments', id, hash: file_hash })

export const leaveAttachments = resource(
  {
    table: 'leave_attachments',
    one: 'leave attachment',
    area: 'leave',
    path: '/leave_requests/{leave_request_id}/attachments',
  },
  {
    leave_request_id: reference('leave_requests', { required: true, owner: true, part: true }),
    filename: text({
      required: true,
      note: 'Name of the file, with its extension; by default that of the uploaded file',
      example: 'note.pdf',
    }),
    ...ownFileColumns,
    url: derived(
      Type.String({ description: 'Temporary address of the file, which works without an API key until `expires_at`' }),
      kept,
      (row: AttachmentFile, db) => address(row, db).url,
    ),
    expires_at: derived(
      Type.String({
        format: 'date-time',
        description: 'When the address in `url` stops working; read the record again to get a new one',
      }),
      kept,
      (row: AttachmentFile, db) => address(row, db).expires_at,
    ),
  },
)

export const leaveFiles: FileSource = {
  table: 'leave_attachments',
  named: 'file_hash',
  columns: ['file_hash', 'filename', 'file_type'],
  fileOf: ({ file_hash, filename, file_type }) => ({ part: PART, hash: file_hash, name: filename, type: file_type }),
}

const attachmentCard = card(leaveAttachments, 'LeaveAttachmentCard', ['id', 'filename', 'url', 'expires_at'])

/** The files as a request shows them, and the address of the first, where older clients look for the only one. */
export const attachmentFields = loadedTogether(
  {
    attachments: () => Type.Array(schemaOf(attachmentCard)),
    attachment_url: () =>
      orNull(Type.String({ deprecated: true, description: 'Address of the first attachment; see `attachments`' })),
  },
  async (db, ids) => {
    const own = db.from('leave_attachments').where('leave_attachments.leave_request_id', 'in', ids)
    const rows = await fetchShape(db, attachmentCard, own, { also: ['leave_request_id'] })
    const lists = listsFor(
      ids,
      rows.map(({ row, record }) => [row.leave_request_id, record]),
    )
    return new Map([...lists].map(([id, all]) => [id, { attachments: all, attachment_url: all[0]?.url ?? null }]))
  },
)

const FILE = 'as a part of a multipart body or as a data URI; at most 25 MiB'

/** How files come with a request. */
export const attachmentInput = {
  attachment: file(`A file, ${FILE}`),
  attachments: Type.Array(file(`A file, ${FILE}`), { maxItems: MOST_FILES, description: `Files, each ${FILE}` }),
}

type AttachmentInput = { attachment?: unknown; attachments?: unknown[] }

/** The files that were sent: what is none, is a problem. */
export function readAttachments(
  { attachment = null, attachments = [] }: AttachmentInput,
  problems: FieldProblem[],
): Upload[] {
  const sent = [
    ...(attachment === null || attachment === '' ? [] : [{ field: 'attachment', value: attachment }]),
    ...attachments.map((value, index) => ({ field: `attachments[${index}]`, value })),
  ]
  return sent.flatMap(({ field, value }) => {
    const upload = readUpload(value)
    if (!upload) problems.push(notAFile(field))
    return upload ?? []
  })
}

/** Keeps a file; what is refused afterwards takes it away again. */
async function keep(files: Files, leave_request_id: number, { filename, type, bytes }: Upload) {
  return { leave_request_id, filename, file_type: type, file_hash: await files.in(PART).save(bytes) }
}

/** Adds files to a request, but for those that it has already: whoever sends again what is there changes nothing. */
export async function addAttachments(db: Writer, files: Files, requestId: number, uploads: Upload[]): Promise<void> {
  if (uploads.length === 0) return
  const own = db.from('leave_attachments').where('leave_request_id', '=', requestId)
  const there = await rowsOf(leaveAttachments, own)
  const all = [...there]
  for (const upload of uploads) {
    const one = await keep(files, requestId, upload)
    const isThere = all.some(({ filename, file_hash }) => filename === one.filename && file_hash === one.file_hash)
    if (!isThere) all.push(one as (typeof there)[number])
  }
  if (all.length > MOST_FILES)
    throw invalid(
      wrong(
        'attachments',
        'too_many',
        `has too many files: a leave request can have at most ${MOST_FILES} files, and this one already has ${there.length}`,
      ),
    )
  await insertAll(db, leaveAttachments, all.slice(there.length))
}

export const leaveAttachmentOperations = [
  listAll(leaveAttachments),
  get(leaveAttachments),
  allowed(
    'leave:request',
    post(leaveAttachments, {
      most: MOST_FILES,
      optional: ['filename'],
      more: { attachment: attachmentInput.attachment },
      async store({ db, params, body, problems, files }) {
        const upload = readUpload(body.attachment)
        if (!upload) problems.push(notAFile('attachment'))
        if (!upload || problems.length > 0) throw invalid(problems)
        const kept = await keep(files, params.leave_request_id, upload)
        const [id] = await insertAll(db, leaveAttachments, [{ ...kept, filename: body.filename ?? kept.filename }])
        return id as number
      },
    }),
  ),
  allowed(
    'leave:request',
    remove(leaveAttachments, {
      note: FILE_GOES,
      async store({ db }, before) {
        await erase(db, leaveAttachments, before)
        const request = db
          .from('leave_requests')
          .where('id', '=', before.leave_request_id)
          .where('state', '=', 'approved')
        const approved = await request
          .select(['id', 'employee_id', 'leave_type_id', 'override_reason'])
          .executeTakeFirst()
        if (approved) await requireApprovable(db, approved as Parameters<typeof requireApprovable>[1])
      },
    }),
  ),
]
