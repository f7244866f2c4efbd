import { get, list, MOST_OWNED, post, put, remove } from '../../engine/derive.ts'
import { classNames, hexColor, integer, longText, readOnly, reference, text } from '../../engine/field.ts'
import { LAST, nextPlace, renumber } from '../../engine/order.ts'
import { amend, create, erase } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import type { Reader } from '../../records/reader.ts'
import { personShort } from '../people/person.ts'

export const categories = resource(
  {
    table: 'knowledge_base_categories',
    one: 'knowledge base category',
    area: 'knowledge',
    path: '/knowledge_base/categories',
  },
  {
    name: text({ required: true, unique: true, searched: true, example: 'Working here' }),
    description: longText({ example: 'Everything about working here, from onboarding to offboarding' }),
    css_class: classNames({
      note: 'CSS classes, separated by spaces, that pages can use to show the category',
      example: 'kb-welcome',
    }),
    emoji: text({ max: 32, example: '👋' }),
    hex_color: hexColor({
      note: 'Colour that pages can use to show the category, as hexadecimal digits such as `#2e7d32`',
    }),
    position: integer({
      supplied: true,
      min: 1,
      max: MOST_OWNED,
      note: 'Position among the categories, starting at 1; last by default',
    }),
    created_by_id: readOnly(reference('employees', { show: () => personShort })),
  },
)

const all = (db: Reader) => db.from('knowledge_base_categories')

export const categoryOperations = [
  list(categories, { order: 'position', sorts: ['position'] }),
  get(categories),
  post(categories, {
    most: MOST_OWNED,
    async store({ db, body, problems }) {
      const { position, ...sent } = body
      const made = { ...sent, position: await nextPlace(all(db)), created_by_id: db.caller.personId }
      const id = await create(db, categories, made, { problems })
      if (position) await renumber(db, categories, all(db), { id, to: position })
      return id
    },
  }),
  put(categories, {
    async store({ db, body, problems }, before) {
      const { position, ...sent } = body
      await amend(db, categories, before, sent, { problems })
      if (position !== undefined) await renumber(db, categories, all(db), { id: before.id, to: position ?? LAST })
    },
  }),
  remove(categories, {
    async store({ db }, before) {
      await erase(db, categories, before)
      await renumber(db, categories, all(db))
    },
  }),
]
