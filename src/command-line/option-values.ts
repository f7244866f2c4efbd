import type { Command } from './options.ts'
import { fail } from './output.ts'

export const requireName = ({ name }: Command['options']): string =>
  name ?? fail('--name is required: give a name with --name <name>')

/** `a, b` as a list. */
export const split = (list: string | undefined) => list?.split(',').map((one) => one.trim()) ?? []

/** The option that sets a field. */
const OPTION_OF: Record<string, string> = {
  name: '--name',
  time_zone: '--time-zone',
  currency_code: '--currency',
  permissions: '--permissions',
  withheld: '--withheld',
  expires_at: '--expires',
}

/** Fails with the message of an error, in which options replace field names. */
export const failByOptions = (error: Error) =>
  fail(error.message.replace(/(?<=^|; )\w+/g, (field) => OPTION_OF[field] ?? field))
