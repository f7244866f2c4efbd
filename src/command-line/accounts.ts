import type { Database } from '../database/database.ts'
import { createAccount, createKey } from '../domain/access/accounts.ts'
import { FIRST, findAccount, reachAccounts } from '../domain/access/stored-accounts.ts'
import { createDefaultRecords } from '../domain/organisation/default-records.ts'
import { setUpLink } from '../domain/sign-in/command-line.ts'
import { linkAddress } from '../domain/sign-in/links.ts'
import type { Account } from '../records/caller.ts'
import type { Opened } from './open.ts'
import { failByOptions, requireName } from './option-values.ts'
import type { Command } from './options.ts'
import { fail, say } from './output.ts'
import { publicAddress } from './public-address.ts'

export async function createAccountWithKey({ config, ledger }: Opened, { options }: Command): Promise<void> {
  const given = { name: requireName(options), time_zone: options['time-zone'], currency_code: options.currency }
  const account = await createAccount(ledger, given, createDefaultRecords).catch(failByOptions)
  const token = await setUpLink(ledger, account)
  say(`Created account ${account.id}, ${account.name}. Set-up link for its first owner (valid for a week):`)
  say(linkAddress(publicAddress(config), token as string, account.id))
  say('API key (copy it now, it is not shown again):')
  say(await createKey(ledger, account, { name: 'First key' }))
}

export async function listAllAccounts({ database }: Opened): Promise<void> {
  for (const { id, name } of await accountsOf(database)) say(`${id}\t${name}`)
}

/** The account of the option `--account`: the first one if it is omitted. */
export async function accountOf(database: Database, id = String(FIRST)): Promise<Account> {
  const account = /^[1-9]\d{0,14}$/.test(id) ? await findAccount(database, Number(id)) : undefined
  return account ?? fail(`there is no account ${id}. "account list" shows all accounts`)
}

/** The account of the option `--account`, or all accounts. If some cannot be reached, a message says so and the exit code is 1. */
export async function accountsOf(database: Database, id?: string): Promise<Account[]> {
  if (id !== undefined) return [await accountOf(database, id)]
  const { rows, unreachable } = await reachAccounts(database)
  warnUnreachable(unreachable)
  return rows
}

export function warnUnreachable(accounts: readonly number[]): void {
  if (accounts.length === 0) return
  process.stderr.write(`cadre: ${unreachable(accounts)}\n`)
  process.exitCode = 1
}

export const unreachable = (accounts: readonly number[]): string =>
  `${accounts.length === 1 ? 'Account' : 'Accounts'} ${accounts.join(', ')} cannot be reached, because the database node that stores ${accounts.length === 1 ? 'it' : 'them'} is down.`
