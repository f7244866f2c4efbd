import { parseArgs } from 'node:util'
import { VERSION } from '../version.ts'
import { HELP } from './help.ts'
import { fail } from './output.ts'

/** Parses the command line before the service is loaded, so that help, the version and mistakes are answered at once. */

const OPTIONS = {
  name: { type: 'string' },
  'time-zone': { type: 'string' },
  currency: { type: 'string' },
  account: { type: 'string' },
  role: { type: 'string' },
  permissions: { type: 'string', default: '*' },
  withheld: { type: 'string' },
  expires: { type: 'string' },
  remove: { type: 'boolean' },
  'dry-run': { type: 'boolean', default: false },
  undo: { type: 'boolean', default: false },
  force: { type: 'boolean' },
  files: { type: 'string' },
  head: { type: 'string', multiple: true },
  'env-file': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const

/** What a command does about the schema: migrates it; creates it if there is none; requires the current version; accepts any version; uses no database. */
export type SchemaUse = 'migrates' | 'creates' | 'requires' | 'any' | 'none'

type CommandRules = {
  schema: SchemaUse
  /** It cannot work without the uploaded files. */
  usesFiles?: true
  /** One more word may follow its name. */
  takesArgument?: true
  options?: readonly (keyof typeof OPTIONS)[]
}

/**
 * All commands. The service may be running on the same database, in this version or another. So only commands that
 * replace it change the schema, and commands that work with records need the schema of this version. Backups copy any.
 */
const COMMANDS = {
  serve: { schema: 'migrates', usesFiles: true },
  migrate: { schema: 'migrates' },
  demo: { schema: 'creates', usesFiles: true },
  'account create': { schema: 'creates', options: ['name', 'time-zone', 'currency'] },
  'account list': { schema: 'requires' },
  'key create': { schema: 'requires', options: ['name', 'account', 'permissions', 'withheld', 'expires'] },
  'key list': { schema: 'requires', options: ['account'] },
  'key revoke': { schema: 'requires', takesArgument: true, options: ['account'] },
  'person invite': { schema: 'requires', takesArgument: true, options: ['role', 'name', 'account'] },
  'person reset': { schema: 'requires', takesArgument: true, options: ['account'] },
  retention: { schema: 'requires', usesFiles: true, options: ['dry-run', 'account'] },
  distribute: { schema: 'requires', options: ['dry-run', 'undo'] },
  'files check': { schema: 'requires', usesFiles: true, options: ['remove'] },
  'files copy': { schema: 'none', takesArgument: true },
  doctor: { schema: 'none' },
  // The command itself rejects the argument, and says how to pass a ledger head.
  'audit verify': { schema: 'requires', takesArgument: true, options: ['account', 'head'] },
  backup: { schema: 'any', takesArgument: true, options: ['files', 'force'] },
  restore: { schema: 'any', takesArgument: true, options: ['files'] },
} as const satisfies Record<string, CommandRules>

export type CommandName = keyof typeof COMMANDS
type Options = ReturnType<typeof parse>['values']

export type Command = {
  name: CommandName
  argument: string | undefined
  options: Options
  schema: SchemaUse
  usesFiles: boolean
}

/** A text to print at once, or a valid command to run. */
export function readCommand(given: string[]): { output: string } | Command {
  const { positionals: words, values: options, tokens } = parse(given)
  const [first = 'help', second = ''] = words
  const name = ['account', 'key', 'person', 'files', 'audit'].includes(first) ? `${first} ${second}` : first
  if (options.version) return { output: VERSION }
  if (options.help || name === 'help') return { output: HELP }
  if (!isCommand(name)) fail(`unknown command "${name.trim()}"\n\n${HELP}`)

  const rules: CommandRules = COMMANDS[name]
  const { length } = name.split(' ')
  const most = rules.takesArgument ? length + 1 : length
  if (words.length > most) fail(`unexpected argument ${words[most]} for "${name}"`)
  const allowed: readonly string[] = ['env-file', ...(rules.options ?? [])]
  for (const token of tokens)
    if (token.kind === 'option' && !allowed.includes(token.name)) fail(`unknown option ${token.rawName} for "${name}"`)
  return { name, argument: words[length], options, schema: rules.schema, usesFiles: rules.usesFiles ?? false }
}

const parse = (args: string[]) => parseArgs({ args, tokens: true, allowPositionals: true, options: OPTIONS })

const isCommand = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name)
