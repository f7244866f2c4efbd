import { parseArgs } from 'node:util'
import { VERSION } from './version.ts'

/** Parses the command line before the service is loaded, so that help, the version and mistakes are answered at once. */

const HELP = `Usage: npm run -s cadre -- <command>

  serve                                    bring the schema up to date and answer requests
  migrate                                  bring the schema up to date, while the service is stopped
  account create --name X [--time-zone Europe/Berlin] [--currency EUR]
                                           the last line of output is the new account's key
  account list
  key create --name X [--account 1] [--permissions employees:read,teams:*] [--withheld compensation] [--expires 2030-01-01T00:00:00Z]
                                           the last line of output is the key
  key list [--account 1]
  key revoke <id> [--account 1]
  person invite <e-mail> [--role owner] [--name X] [--account 1]
                                           let somebody sign in; the last line of output is their link
  person reset <e-mail> [--account 1]      the last line is a link by which they set a new password
  demo                                     fill an empty database with a company of 200 people
  backup <file> [--files <folder>] [--force]
                                           copy the SQLite database while it is in use, and the uploaded files
  restore <file> [--files <folder>]        put a copy in the place of the SQLite database; what was there is kept aside
  retention [--dry-run] [--account 1]      erase those whose data is kept no longer, by the rules that somebody has set;
                                           exit code 1 when somebody who is due could not be erased
  distribute [--undo] [--dry-run]          spread the accounts over the nodes of a PostgreSQL database that has Citus, while the
                                           service is stopped; broken off, it goes on when it is run again. With --undo, bring
                                           all tables back to one machine
  files check [--remove]                   files that no record has, and records without their file
  files copy <folder or s3://bucket/prefix>
                                           copy all files there from where CADRE_FILES says, but for those that are there
  doctor                                   check configuration, database, schema, files, clock and disk space: a line each says
                                           ok, or the problem and what to do; exit code 1 when there is a problem
  audit verify [--account 1] [--head <account>:<number>:<hash>]
                                           walk the ledger's chain, name the first break, and print the head: kept
                                           elsewhere and given again, it shows whether anything before it was changed
  --version                                which version this is
  --env-file <file>                        with any command: read settings from this file, as the service does. Without it,
                                           /etc/cadre/environment is read where it exists. What the environment has wins

Only demo, account create, serve and migrate make a database where there is none, and say so. Only serve and migrate change the schema of a database that is there; backup and restore take any.
Configuration comes from the environment: HOST, PORT, DATABASE_URL, CADRE_API_KEY, CADRE_FILES, WORKERS, LOG_LEVEL; see the README.`

/**
 * What each command does about the schema. A service may be running on it, of this version or of another: so only what
 * takes its place changes a schema, and what works with records needs the one of this version. A copy is of any.
 */
const COMMANDS = new Map<string, Need>([
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

/** Brings the schema up to date; makes it where there is none; needs that of this version; takes any; has to do with none. */
export type Need = 'brings' | 'begins' | 'needs' | 'any' | 'none'

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

  const need = COMMANDS.get(command) ?? fail(`there is no command "${command.trim()}"\n\n${HELP}`)
  const taken = WORDS.get(command) ?? command.split(' ').length
  if (words.length > taken) fail(`what is ${words[taken]}? "${command}" takes no such word`)
  for (const token of tokens)
    if (token.kind === 'option' && token.name !== 'env-file' && !OPTIONS.get(command)?.includes(token.name))
      fail(`"${command}" takes no ${token.rawName}`)
  return { command, need, words, options }
}

export type Command = Exclude<ReturnType<typeof readCommand>, { said: string }>

function fail(reason: string): never {
  throw new Error(reason)
}
