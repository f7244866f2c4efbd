import { plain } from '../../engine/derive.ts'
import { choice, text } from '../../engine/field.ts'
import { resource } from '../../engine/resource.ts'

const ICONS = [
  'fas fa-laptop',
  'fas fa-desktop',
  'far fa-mobile',
  'far fa-tv',
  'far fa-tablet',
  'far fa-watch-smart',
  'far fa-print',
  'far fa-chair-office',
  'far fa-laptop-mobile',
] as const

export const assetCategories = resource(
  { table: 'asset_categories', one: 'asset category', area: 'assets' },
  {
    name: text({ required: true, unique: true, example: 'Headsets' }),
    icon: choice(ICONS, { required: true, note: 'Icon of the category, by its Font Awesome class names' }),
  },
)

export const assetCategoryOperations = plain(assetCategories)
