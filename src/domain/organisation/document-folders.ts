import { get, list, post, put, remove } from '../../engine/derive.ts'
import { longText, protection, text } from '../../engine/field.ts'
import { amend, erase } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { PROTECTIONS } from '../access/permissions.ts'
import { requireSight } from '../custom/values.ts'

export const documentFolders = resource(
  { table: 'document_folders', one: 'document folder', area: 'organisation' },
  {
    name: text({ required: true, unique: true, example: 'Work permits' }),
    description: longText({ nullable: true, example: 'Work and residence permits of employees' }),
    protection: protection(
      PROTECTIONS,
      'Field group that protects the documents in the folder: only people and API keys that may see this group can see the documents. Null: not protected',
      'personal',
    ),
  },
)

export const documentFolderOperations = [
  list(documentFolders, { comesWhole: true }),
  get(documentFolders),
  post(documentFolders),
  put(documentFolders, {
    async store({ db, body, problems }, before) {
      requireSight(db, before.protection)
      await amend(db, documentFolders, before, body, { problems })
    },
  }),
  remove(documentFolders, {
    async store({ db }, before) {
      requireSight(db, before.protection)
      await erase(db, documentFolders, before)
    },
  }),
]
