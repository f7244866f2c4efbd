import type { Field, Fields } from '../client/fields.ts'

/** Custom fields and table columns of the company, as forms and pages use them. */
export type Custom = {
  name: string
  internal_name: string
  type: 'text' | 'number' | 'date' | 'boolean' | 'single_select' | 'multi_select' | 'employee'
  options?: { id: number; value: string }[]
}

export function fieldOf({ type, options = [] }: Custom): Field {
  const values = options.map(({ value }) => value)
  const fields: Record<Custom['type'], Field> = {
    text: { type: 'string', nullable: true },
    number: { type: 'string', nullable: true, format: 'decimal' },
    date: { type: 'string', nullable: true, format: 'date' },
    boolean: { type: 'boolean', nullable: true },
    single_select: { type: 'string', nullable: true, values },
    multi_select: { type: 'array', items: { type: 'string', values } },
    employee: { type: 'integer', nullable: true, reference: 'employees' },
  }
  return fields[type]
}

/** A form's fields under the names that errors use: `fields.shirt_size`. */
export const fieldsUnder = (prefix: string, all: readonly Custom[]): Fields =>
  Object.fromEntries(all.map((one) => [`${prefix}.${one.internal_name}`, fieldOf(one)]))

export const labelsUnder = (prefix: string, all: readonly Custom[]): Record<string, string> =>
  Object.fromEntries(all.map(({ internal_name, name }) => [`${prefix}.${internal_name}`, name]))

/** Turns a value of a response into one of a request. */
export function sentAs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sentAs)
  if (value && typeof value === 'object') {
    const { id, value: option } = value as { id?: number; value?: unknown }
    return option ?? id ?? null
  }
  return typeof value === 'number' ? String(value) : (value ?? null)
}

export const startUnder = (prefix: string, all: readonly Custom[], values: Record<string, unknown>) =>
  Object.fromEntries(
    all.map(({ internal_name, type }) => {
      const value = values[internal_name]
      const id = type === 'employee' && value && typeof value === 'object' ? (value as { id?: number }).id : undefined
      return [`${prefix}.${internal_name}`, id ?? sentAs(value)]
    }),
  )

export const withoutPrefix = (prefix: string, values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name.slice(prefix.length + 1), value]))
