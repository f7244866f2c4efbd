import { parseArgs } from 'node:util'
import { VERSION } from './version.ts'

/** Parses the command line before the service is loaded, so that help, the version and mistakes are answered at once. */

const HELP = `Usage: npm run -s cadre -- <command> [options]

  serve                                    migrate the database schema and start the service
  migrate                                  migrate the database schema; stop the service first
  account create --name X [--time-zone Europe/Berlin] [--currency EUR]
                                           create an account; the last line of output is its API key
  account list                             list accounts
  key create --name X [--account 1] [--permissions employees:read,teams:*] [--withheld compensation] [--expires 2030-01-01T00:00:00Z]
                                           create an API key; the last line of output is the key
  key list [--account 1]                   list API keys
  key revoke <id> [--account 1]            revoke an API key and the keys created with it
  person invite <e-mail> [--role owner] [--name X] [--account 1]
                                           give a person access; the last line of output is their sign-in link
  person reset <e-mail> [--account 1]      reset a password; the last line of output is a link to set a new one
  demo                                     fill an empty database with a demo company of 200 people
  backup <file> [--files <folder>] [--force]
                                           back up the SQLite database, and the uploaded files; the service may be running
  restore <file> [--files <folder>]        restore a backup of the SQLite database; the current database is renamed, not deleted
  retention [--dry-run] [--account 1]      erase people whose retention period is over;
                                           exit code 1 if somebody who is due could not be erased
  distribute [--undo] [--dry-run]          distribute the accounts over the nodes of a PostgreSQL database with Citus; stop the
                                           service first. If it is interrupted, run it again to continue.
                                           --undo moves all tables back to one machine
  files check [--remove]                   find files without a record and records without their file; --remove deletes the former
  files copy <folder or s3://bucket/prefix>
                                           copy all files from CADRE_FILES to another place; files that are already there are skipped
  doctor                                   check configuration, database, schema, files, clock and disk space, and say what to do;
                                           exit code 1 if there is a problem
  audit verify [--account 1] [--head <account>:<number>:<hash>]
                                           check the hash chain of the change ledger and print its head. Store the head elsewhere
                                           and pass it with --head later to detect changes of earlier entries
  --version                                print the version
  --env-file <file>                        for any command: read settings from this file. The default is /etc/cadre/environment,
                                           if it exists. Variables that are already set take precedence

Only serve, migrate, demo and account create create a database. Only serve and migrate change the schema of an existing database.
Settings come from environment variables such as HOST, PORT, DATABASE_URL, CADRE_API_KEY, CADRE_FILES, WORKERS and LOG_LEVEL;
see docs/configuration.md.`

/**
 * What each command does about the schema. A service may be running on it, of this version or of another: so only what
 * takes its place changes a schema, and what works with records needs the one of this version. A copy is of any.
 */
const COMMANDS = new Map<string, SchemaUse>([
  ['serve', 'brings'],
  ['migrate', 'brings'],
  ['demo', 'begins'],
  ['account create', 'begins'],
  ['account list', 'needs'],
  ['key create', 'needs'],
  ['key list', 'needs'],
  ['key revoke', 'needs'],
  ['person invite', 'needs'],
  ['person reset', 'needs'],
  ['retention', 'needs'],
  ['distribute', 'needs'],
  ['files check', 'needs'],
  ['files copy', 'none'],
  ['doctor', 'none'],
  ['audit verify', 'needs'],
  ['backup', 'any'],
  ['restore', 'any'],
])

/** Commands that take more words than they are called by; `audit verify` says itself how a head is given. */
const WORDS = new Map([
  ['restore', 2],
  ['backup', 2],
  ['key revoke', 3],
  ['person invite', 3],
  ['person reset', 3],
  ['files copy', 3],
  ['audit verify', 3],
])

/** Options that commands take; those that are not here take none. */
const OPTIONS = new Map([
  ['account create', ['name', 'time-zone', 'currency']],
  ['key create', ['name', 'account', 'permissions', 'withheld', 'expires']],
  ['key list', ['account']],
  ['key revoke', ['account']],
  ['person invite', ['role', 'name', 'account']],
  ['person reset', ['account']],
  ['retention', ['dry-run', 'account']],
  ['distribute', ['dry-run', 'undo']],
  ['files check', ['remove']],
  ['audit verify', ['account', 'head']],
  ['backup', ['files', 'force']],
  ['restore', ['files']],
])

/** What a command does about the schema: migrates it; creates it if there is none; requires the current version; accepts any version; uses no database. */
export type SchemaUse = 'brings' | 'begins' | 'needs' | 'any' | 'none'

/** What there is to be said at once, or a command that is known, with the words and options that it takes. */
export function readCommand(given: string[]) {
  const {
    positionals: words,
    values: options,
    tokens,
  } = parseArgs({
    args: given,
    tokens: true,
    allowPositionals: true,
    options: {
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
    },
  })
  const [first = 'help', second = ''] = words
  const command = ['account', 'key', 'person', 'files', 'audit'].includes(first) ? `${first} ${second}` : first
  if (options.version) return { said: VERSION } as const
  if (options.help || command === 'help') return { said: HELP } as const

  const need = COMMANDS.get(command) ?? fail(`unknown command "${command.trim()}"\n\n${HELP}`)
  const taken = WORDS.get(command) ?? command.split(' ').length
  if (words.length > taken) fail(`unexpected argument ${words[taken]} for "${command}"`)
  for (const token of tokens)
    if (token.kind === 'option' && token.name !== 'env-file' && !OPTIONS.get(command)?.includes(token.name))
      fail(`unknown option ${token.rawName} for "${command}"`)
  return { command, need, words, options }
}

export type Command = Exclude<ReturnType<typeof readCommand>, { said: string }>

function fail(reason: string): never {
  throw new Error(reason)
}
