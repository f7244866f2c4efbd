import { existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { createAccount, createKey, ensureFirstAccount, listKeys, revokeKey } from './access/accounts.ts'
import { listAccounts } from './access/stored-accounts.ts'
import { buildApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import { connect } from './database/connect.ts'
import type { Database } from './database/database.ts'
import { migrate } from './database/migrate.ts'
import { restoreSqlite } from './database/restore.ts'
import type { Open } from './demo/company.ts'
import { fillWithDemo, refusePeople, worthTrying } from './demo/demo.ts'
import { checkFiles } from './files/check.ts'
import type { Account } from './ledger/caller.ts'
import type { Ledger } from './ledger/ledger.ts'
import { dateIn } from './ledger/reader.ts'
import { fileSources } from './operations.ts'
import { furnish } from './organisation/furnish.ts'
import { openService } from './service.ts'
import { VERSION } from './version.ts'

const HELP = `Usage: npm run -s cadre -- <command>

  serve                                    bring the schema up to date and answer requests
  migrate                                  bring the schema up to date
  account create --name X [--time-zone Europe/Berlin] [--currency EUR]
                                           the last line of output is the new account's key
  account list
  key create --name X [--account 1] [--permissions employees:read,teams:*] [--withheld compensation] [--expires 2030-01-01T00:00:00Z]
                                           the last line of output is the key
  key list [--account 1]
  key revoke <id> [--account 1]
  demo                                     fill an empty database with a company of 200 people
  backup <file> [--files <folder>] [--force]
                                           copy the SQLite database while it is in use, and the uploaded files
  restore <file> [--files <folder>]        put a copy in the place of the SQLite database; what was there is kept aside
  files check [--remove]                   files that no record has, and records without their file
  --version                                which version this is

Configuration comes from the environment: HOST, PORT, DATABASE_URL, CADRE_API_KEY, CADRE_FILES, LOG_LEVEL; see the README.`

const COMMANDS = [
  'serve',
  'migrate',
  'account create',
  'account list',
  'key create',
  'key list',
  'key revoke',
  'demo',
  'backup',
  'restore',
  'files check',
]

const say = (line: string) => void process.stdout.write(`${line}\n`)

async function main(words: string[]): Promise<void> {
  const { positionals, values: options } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      'time-zone': { type: 'string' },
      currency: { type: 'string' },
      account: { type: 'string', default: '1' },
      permissions: { type: 'string', default: '*' },
      withheld: { type: 'string' },
      expires: { type: 'string' },
      remove: { type: 'boolean' },
      force: { type: 'boolean' },
      files: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'v' },
    },
  })
  const [first = 'help', second = '', third] = positionals
  const command = ['account', 'key', 'files'].includes(first) ? `${first} ${second}` : first
  if (options.version) return say(VERSION)
  if (options.help || command === 'help') return say(HELP)

  if (!COMMANDS.includes(command)) fail(`there is no command "${command.trim()}"\n\n${HELP}`)
  const config = readConfig(process.env)
  if (command === 'backup') refuseNothing(config.DATABASE_URL)
  if (command === 'restore') return restore(config, second || fail('from where? Give a file'), options.files)
  const database = connect(config.DATABASE_URL, { connections: config.DATABASE_CONNECTIONS })
  const { ledger, files } = openService({ database, filesFolder: config.CADRE_FILES })
  if (command === 'serve') return serve(config, ledger)
  try {
    if (command !== 'backup') await migrate(database)
    const named = () => options.name ?? fail('--name is needed')
    switch (command) {
      case 'migrate':
        return say('The schema is up to date.')
      case 'account create': {
        const given = { name: named(), time_zone: options['time-zone'], currency_code: options.currency }
        const account = await createAccount(ledger, given, furnish)
        say(`Account ${account.id}, ${account.name}. Its key, shown only now:`)
        return say(await createKey(ledger, account, { name: 'First key' }))
      }
      case 'account list':
        for (const { id, name } of await listAccounts(database)) say(`${id}\t${name}`)
        return
      case 'key create': {
        const rights = {
          name: named(),
          permissions: split(options.permissions),
          withheld: split(options.withheld),
          expires_at: options.expires,
        }
        const key = await createKey(ledger, await accountOf(database, options.account), rights)
        say('The key, shown only now:')
        return say(key)
      }
      case 'key list':
        for (const key of await listKeys(ledger, await accountOf(database, options.account))) {
          const validity = key.revoked_at ? 'revoked' : (key.expires_at ?? 'no expiry')
          const columns = [key.id, key.hint, key.name, key.permissions.join(','), validity]
          say([...columns, `last used ${key.last_used_at ?? 'never'}`].join('\t'))
        }
        return
      case 'key revoke': {
        const id = Number(third ?? fail('which key? Give its id'))
        await revokeKey(ledger, await accountOf(database, options.account), id)
        return say(`Key ${id} is revoked.`)
      }
      case 'demo':
        return await demo(config, ledger)
      case 'files check': {
        const remove = options.remove ?? false
        const found = await checkFiles(database, files, fileSources, { remove })
        for (const path of found.orphans) say(`${remove ? 'removed' : 'no record has'} ${path}`)
        for (const record of found.missing) say(`without its file: ${record}`)
        say(`${found.files} files, ${found.orphans.length} without a record, ${found.missing.length} missing.`)
        if (found.missing.length > 0) process.exitCode = 1
        return
      }
      case 'backup': {
        const target = second || fail('where to? Give a file')
        if (existsSync(target) && !options.force) fail(`${target} is already there; --force overwrites it`)
        if (options.files && existsSync(options.files) && !options.force)
          fail(`${options.files} is already there; --force overwrites it`)
        await database.backup(target)
        say(`Copied to ${target}.`)
        // After the database: a file that came later is one that no record of the copy has.
        if (!options.files) return
        await cp(config.CADRE_FILES, options.files, { recursive: true, force: true })
        return say(`Copied the files to ${options.files}.`)
      }
    }
  } finally {
    await database.close()
  }
}

/** Answers requests until it is told to stop, then finishes what is in flight. */
async function serve(config: Config, ledger: Ledger): Promise<void> {
  const { database } = ledger
  try {
    for (const name of await migrate(database)) say(`Brought the schema up to date: ${name}`)
    await listen(config, ledger)
  } catch (error) {
    await database.close()
    throw error
  }
}

async function listen(config: Config, ledger: Ledger): Promise<void> {
  const { database } = ledger
  // With CADRE_API_KEY requests may come at once; a key of our own is made when it can be shown.
  if (config.CADRE_API_KEY) await ensureFirstAccount(ledger, config.CADRE_API_KEY, furnish)
  const app = await buildApp({ config, database })
  const address = await app.listen({ host: config.HOST, port: config.PORT })
  const firstKey = config.CADRE_API_KEY ? undefined : await ensureFirstAccount(ledger, undefined, furnish)
  const key = firstKey ? [`API key, shown only now: ${firstKey}`] : []
  say([`Cadre ${VERSION} answers at ${address}`, ...key, `Reference page: ${address}/docs`].join('\n'))
  app.log.info({ version: VERSION, engine: database.engine }, 'started')
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void app.close())
}

/** Fills an empty database, and says what to look at. */
async function demo(config: Config, ledger: Ledger): Promise<void> {
  const { database } = ledger
  await refusePeople(database)
  const firstKey = await ensureFirstAccount(ledger, config.CADRE_API_KEY, furnish)
  const [account] = (await listAccounts(database)) as [Account]
  const open: Open = (needs) => openService({ ...needs, filesFolder: config.CADRE_FILES })
  const now = new Date()
  await fillWithDemo({ database, account, now, open, say })
  const key = firstKey ?? config.CADRE_API_KEY ?? (await createKey(ledger, account, { name: 'Demo' }))
  const request = (path: string) =>
    `  curl -H 'X-API-KEY: ${key}' 'http://${config.HOST}:${config.PORT}/api/public/v3${path}'`
  say('A company of 200 people is there. Start the service with npm start, and try:')
  say(worthTrying(dateIn(account.time_zone, now)).map(request).join('\n'))
}

/** Puts a copy in place, and the files that belong to it. */
async function restore(config: Config, copy: string, files: string | undefined): Promise<void> {
  const file = /^sqlite:(.+)$/.exec(config.DATABASE_URL)?.[1] ?? fail('PostgreSQL is restored by its own tools')
  if (files !== undefined && !existsSync(files)) fail(`there is no folder ${files}`)
  const aside = restoreSqlite(file, copy)
  // The names of files are hashes of what they hold: those that are there already are the same.
  if (files !== undefined) await cp(files, config.CADRE_FILES, { recursive: true, force: false })
  say(`${file} is now what ${copy} holds.${aside ? ` What was there is ${aside}.` : ''}`)
}

/** A copy of a database that is not there would be an empty one, and found out when it is needed. */
function refuseNothing(address: string): void {
  const file = address.startsWith('sqlite:') ? address.slice('sqlite:'.length) : undefined
  if (file !== undefined && !existsSync(file)) fail(`there is no database at ${file}`)
}

async function accountOf(database: Database, id: string): Promise<Account> {
  const account = (await listAccounts(database)).find((one) => String(one.id) === id)
  return account ?? fail(`there is no account ${id}`)
}

const split = (list: string | undefined) => list?.split(',').map((one) => one.trim()) ?? []

function fail(reason: string): never {
  throw new Error(reason)
}

main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`cadre: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
})
