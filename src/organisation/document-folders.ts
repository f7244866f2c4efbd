import { plain } from '../engine/derive.ts'
import { longText, text } from '../engine/field.ts'
import { resource } from '../engine/resource.ts'

export const documentFolders = resource(
  { table: 'document_folders', one: 'document folder', area: 'organisation' },
  {
    name: text({ required: true, unique: true, example: 'Contracts' }),
    description: longText({ nullable: true, example: 'Signed employment contracts' }),
  },
)

export const documentFolderOperations = plain(documentFolders)
