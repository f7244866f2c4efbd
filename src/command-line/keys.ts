import { createKey, listKeys, revokeKey } from '../domain/access/accounts.ts'
import type { Problem } from '../engine/problem.ts'
import { accountOf } from './accounts.ts'
import type { Opened } from './open.ts'
import { failByOptions, requireName, split } from './option-values.ts'
import type { Command } from './options.ts'
import { fail, say } from './output.ts'

export async function createApiKey({ database, ledger }: Opened, { options }: Command): Promise<void> {
  if (options.expires === '') fail('--expires is empty: give a time like 2030-01-01T00:00:00Z, or leave the option out')
  const rights = {
    name: requireName(options),
    permissions: split(options.permissions),
    withheld: split(options.withheld),
    expires_at: options.expires,
  }
  const key = await createKey(ledger, await accountOf(database, options.account), rights).catch(failByOptions)
  say('API key (copy it now, it is not shown again):')
  say(key)
}

export async function listApiKeys({ database, ledger }: Opened, { options }: Command): Promise<void> {
  for (const key of await listKeys(ledger, await accountOf(database, options.account))) {
    const validity = key.revoked_at ? 'revoked' : (key.expires_at ?? 'no expiry')
    const columns = [key.id, key.hint, key.name, key.permissions.join(','), validity]
    say([...columns, `last used ${key.last_used_at ?? 'never'}`].join('\t'))
  }
}

export async function revokeApiKey({ database, ledger }: Opened, { argument, options }: Command): Promise<void> {
  const [digits] = /^\d{1,15}$/.exec(argument ?? '') ?? []
  const id = Number(digits ?? fail('give the id of the key: key revoke <id> ("key list" shows the ids)'))
  const account = await accountOf(database, options.account)
  const [, ...others] = await revokeKey(ledger, account, id).catch((error) => {
    throw (error as Problem).code === 'not_found'
      ? new Error(`account ${account.id} has no key ${id}. "key list" shows its keys`)
      : error
  })
  const more = others.length > 0 ? `, together with the keys created with it: ${others.join(', ')}` : ''
  say(`Key ${id} is revoked${more}.`)
}
