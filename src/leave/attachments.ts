import Type from 'typebox'
import { get, listAll, post, remove } from '../engine/derive.ts'
import { derived, hidden, loadedTogether, orNull, reference, text } from '../engine/field.ts'
import type { Files } from '../engine/operation.ts'
import { type FieldProblem, refuse, wrong } from '../engine/problem.ts'
import { insertAll } from '../engine/records.ts'
import { card, resource } from '../engine/resource.ts'
import { schemaOf } from '../engine/schema.ts'
import { fetchShape, listsFor } from '../engine/shape.ts'
import type { FileSource } from '../files/source.ts'
import { addressOf } from '../files/tickets.ts'
import { file, notAFile, readUpload, type Upload } from '../files/upload.ts'
import type { Reader } from '../ledger/reader.ts'
import type { Writer } from '../ledger/write.ts'

/** Files of leave requests: a doctor's note, say. */

const PART = 'leave'
export const MOST_FILES = 10

type Kept = { id: number; file_hash: string }

const kept = ['id', 'file_hash']
const address = ({ id, file_hash }: Kept, db: Reader) => addressOf(db, { of: 'leave_attachments', id, hash: file_hash })

export const leaveAttachments = resource(
  {
    table: 'leave_attachments',
    one: 'leave attachment',
    area: 'leave',
    path: '/leave_requests/{leave_request_id}/attachments',
  },
  {
    leave_request_id: reference('leave_requests', { required: true, owner: true, part: true }),
    filename: text({ required: true, note: 'That of the file when not sent', example: 'note.pdf' }),
    file_hash: hidden(text({ required: true })),
    file_type: hidden(text({ required: true })),
    url: derived(
      Type.String({ description: 'A signed address of the file' }),
      kept,
      (row: Kept, db) => address(row, db).url,
    ),
    expires_at: derived(
      Type.String({ format: 'date-time', description: 'Until when the address works' }),
      kept,
      (row: Kept, db) => address(row, db).expires_at,
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
      orNull(Type.String({ deprecated: true, description: 'That of the first attachment: see `attachments`' })),
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

type SentFiles = { attachment?: unknown; attachments?: unknown[] }

/** The files that were sent: what is none, is a problem. */
export function readAttachments(
  { attachment = null, attachments = [] }: SentFiles,
  before: number,
  problems: FieldProblem[],
): Upload[] {
  const sent = [
    ...(attachment === null || attachment === '' ? [] : [{ field: 'attachment', value: attachment }]),
    ...attachments.map((value, index) => ({ field: `attachments[${index}]`, value })),
  ]
  if (before + sent.length > MOST_FILES)
    problems.push(wrong('attachments', 'too_many', `may be ${MOST_FILES} at most, of which ${before} are there`))
  return sent.flatMap(({ field, value }) => {
    const upload = readUpload(value)
    if (!upload) problems.push(notAFile(field))
    return upload ?? []
  })
}

/** Keeps files, when nothing can be refused any more. */
export async function keepAttachments(
  db: Writer,
  files: Files,
  requestId: number,
  uploads: Upload[],
): Promise<number[]> {
  const rows: { leave_request_id: number; filename: string; file_hash: string; file_type: string }[] = []
  for (const { filename, type: file_type, bytes } of uploads)
    rows.push({ leave_request_id: requestId, filename, file_type, file_hash: await files.in(PART).save(bytes) })
  return insertAll(db, leaveAttachments, rows)
}

export const leaveAttachmentOperations = [
  listAll(leaveAttachments),
  get(leaveAttachments),
  post(leaveAttachments, {
    most: MOST_FILES,
    optional: ['filename'],
    more: { attachment: attachmentInput.attachment },
    async store({ db, params, body, problems, files }) {
      const upload = readUpload(body.attachment)
      if (!upload) problems.push(notAFile('attachment'))
      refuse(problems)
      const named = upload && { ...upload, filename: body.filename ?? upload.filename }
      const [id] = await keepAttachments(db, files, params.leave_request_id, named ? [named] : [])
      return id as number
    },
  }),
  remove(leaveAttachments),
]
