import { valuesIn } from '../enum-descriptions.ts'

export const words = (name: string) => name.replaceAll('_', ' ')

export const sentenceCase = (text: string) => text.replace(/^\w/, (letter) => letter.toUpperCase())

/** A description, and what each of the values means. */
export function withValues(description: string, schema: any): string {
  const values = valuesIn(schema)
  return values ? `${description.replace(/\.$/, '')}. ${values}` : description
}

/** ` (also accepted as …)`, for programs that know a field by another name. */
export const otherNames = (schema: any) =>
  schema['x-also']?.length
    ? ` (also accepted as ${schema['x-also'].map((one: string) => `\`${one}\``).join(', ')})`
    : ''
