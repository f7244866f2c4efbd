import { hidden, text, told, toldAsThere } from '../../engine/field.ts'
import type { FileSource } from '../../engine/file-source.ts'

/** What a record keeps of a file that it may have. */
export const fileColumns = {
  file_hash: hidden(text(), toldAsThere('file')),
  file_name: hidden(text(), told('file_name')),
  file_type: hidden(text(), told('file_type')),
}

/** What a record keeps that is a file, whose name it shows. */
export const ownFileColumns = {
  file_hash: hidden(text({ required: true }), toldAsThere('file')),
  file_type: hidden(text({ required: true }), told('file_type')),
}

/** Records of a table with these columns; the bytes lie in a part of the store. */
export const filesIn = (table: string, part: string): FileSource => ({
  table,
  named: 'file_hash',
  columns: ['file_hash', 'file_name', 'file_type'],
  fileOf: ({ file_hash, file_name, file_type }) =>
    file_hash && { part, hash: file_hash, name: file_name, type: file_type },
})
