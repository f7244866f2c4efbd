import Type from 'typebox'
import { get, listAll, MOST_OWNED, post, remove } from '../../engine/derive.ts'
import { choice, derived, hidden, orNull, reference, text, told, url } from '../../engine/field.ts'
import { isRecord } from '../../engine/filter.ts'
import { type FieldProblem, notFound, refuse, wrong } from '../../engine/problem.ts'
import { attempt, checkAll, erase, insertAll, type Rule } from '../../engine/records.ts'
import { card, resource } from '../../engine/resource.ts'
import type { Query, Reader } from '../../records/reader.ts'
import { fileColumns, filesIn } from '../files/columns.ts'
import { addressOf } from '../files/tickets.ts'
import { FILE_GOES } from '../files/undo-guards.ts'
import { file, notAFile, readUpload } from '../files/upload.ts'
import { documentFolders } from '../organisation/document-folders.ts'

const folderOfDocument = card(documentFolders, 'FolderOfDocument', [
  'id',
  'name',
  'description',
  'created_at',
  'updated_at',
])

const kept = ['id', 'type', 'link', 'file_hash']

export const employeeDocuments = resource(
  {
    table: 'employee_documents',
    one: 'employee document',
    area: 'employees',
    path: '/employees/{employee_id}/documents',
  },
  {
    employee_id: reference('employees', { required: true, owner: true }),
    name: text({ required: true, example: 'Contract' }),
    type: { ...choice(['link', 'file'], { required: true }), input: null },
    link: hidden(url(), told('url')),
    ...fileColumns,
    url: derived(
      Type.String({
        description: 'The link; for a file, a temporary address that works without an API key until `expires_at`',
      }),
      kept,
      (row: DocumentFile, db) => (row.type === 'link' ? row.link : addressOf(db, fileOf(row)).url),
    ),
    expires_at: derived(orNull(Type.String({ format: 'date-time' })), kept, (row: DocumentFile, db) =>
      row.type === 'link' ? null : addressOf(db, fileOf(row)).expires_at,
    ),
    document_folder_id: reference('document_folders', { required: true, show: () => folderOfDocument }),
    // Shown by its id as well: clients of this interface read the one or the other.
    folder_id: derived(Type.Integer(), ['document_folder_id'], (row) => row.document_folder_id, {
      as: 'document_folder_id',
    }),
  },
)

type DocumentFile = { id: number; type: string; link: string; file_hash: string }

const fileOf = ({ id, file_hash }: DocumentFile) => ({ of: 'employee_documents', id, hash: file_hash })

/** Documents that are files. */
export const documentFiles = filesIn(employeeDocuments.table, 'documents')

/** Either an address or a file, not both. */
function problemsOf(body: { url?: unknown; document?: unknown }): FieldProblem[] {
  const hasUrl = typeof body.url === 'string'
  const hasFile = body.document !== undefined && body.document !== null && body.document !== ''
  if (hasUrl && hasFile) return [wrong('url', 'not_allowed', 'cannot be sent together with document')]
  if (!hasUrl && !hasFile) return [wrong('url', 'required', 'is required when no document is sent')]
  if (hasFile && !readUpload(body.document)) return [notAFile('document')]
  return []
}

/** The folders whose documents are withheld from the caller. */
async function withheldFolders(db: Reader): Promise<number[]> {
  const { withheld } = db.caller
  if (withheld.size === 0) return []
  const query = db
    .from('document_folders')
    .select(['id', 'protection'])
    .where('protection', 'in', [...withheld])
  const rows = await query.execute()
  for (const { protection } of rows) db.omitted.add(protection)
  return rows.map(({ id }) => id)
}

/** Documents in a folder that is withheld are not there for the caller. */
const seen = {
  async narrow(query: Query, db: Reader) {
    const hidden = await withheldFolders(db)
    return hidden.length > 0 ? query.where('employee_documents.document_folder_id', 'not in', hidden) : query
  },
  indexedColumns: [],
}

const intoSeenFolder: Rule<typeof employeeDocuments> = async ({ db, after, fail }) => {
  if ((await withheldFolders(db)).includes(after.document_folder_id))
    fail('document_folder_id', 'forbidden', 'is a folder whose field group is hidden from you. Choose another folder')
}

export const documentOperations = [
  listAll(employeeDocuments, {
    always: seen,
    filters: { document_folder_id: isRecord(employeeDocuments, 'document_folder_id') },
  }),
  get(employeeDocuments, { always: seen }),
  post(employeeDocuments, {
    most: MOST_OWNED,
    note: 'Send either a link (`url`) or a file (`document`) of at most 25 MiB.',
    more: {
      url: Type.String({ format: 'uri', maxLength: 2048, examples: ['https://example.com/contract.pdf'] }),
      document: file('The file, as a part of a multipart body or as a data URI'),
    },
    async store({ db, body, problems, files }) {
      if (!problems.some(({ field }) => field === 'url' || field === 'document')) problems.push(...problemsOf(body))
      const upload = readUpload(body.document)
      const { name, document_folder_id, employee_id } = body
      const kept = upload
        ? { type: 'file' as const, file_name: upload.filename, file_type: upload.type }
        : { type: 'link' as const, link: body.url }
      const one = attempt(db, employeeDocuments, null, { name, document_folder_id, employee_id, ...kept }, problems)
      await checkAll(db, employeeDocuments, [one], [intoSeenFolder])
      refuse(problems)
      // The file is kept last, when nothing can be refused any more.
      const file_hash = upload ? await files.in('documents').save(upload.bytes) : null
      const [id] = await insertAll(db, employeeDocuments, [{ ...one.after, file_hash }])
      return id as number
    },
  }),
  remove(employeeDocuments, {
    note: FILE_GOES,
    async store({ db }, before) {
      if ((await withheldFolders(db)).includes(before.document_folder_id)) throw notFound()
      await erase(db, employeeDocuments, before)
    },
  }),
]
