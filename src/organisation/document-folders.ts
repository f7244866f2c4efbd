import { plain } from '../engine/derive.ts'
import { longText, text } from '../engine/field.ts'
import { resource } from '../engine/resource.ts'

export const documentFolders = resource(
  { table: 'document_folders', one: 'document folder', area: 'organisation' },
  {
    name: text({ required: true, unique: true, example: 'Work permits' }),
    description: longText({ nullable: true, example: 'Permits of employees from abroad' }),
  },
)

export const documentFolderOperations = plain(documentFolders)
