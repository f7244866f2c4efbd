import { verifyLedger } from '../records/verify.ts'
import { accountsOf } from './accounts.ts'
import type { Opened } from './open.ts'
import type { Command } from './options.ts'
import { fail, say } from './output.ts'

/** Checks the hash chain of the ledger of each account, and prints the ledger head to check against later. */
export async function verifyLedgers({ database }: Opened, { argument, options }: Command): Promise<void> {
  if (argument !== undefined)
    fail(`unexpected argument ${argument}. Pass the ledger head that an earlier "audit verify" printed with --head`)
  const stored = (options.head ?? []).map(headIn)
  const accounts = await accountsOf(database, options.account)
  for (const { accountId } of stored)
    if (!accounts.some((one) => one.id === accountId))
      fail(`--head names account ${accountId}, which does not exist or is not the account of --account`)
  for (const account of accounts) {
    const heads = stored.filter(({ accountId }) => accountId === account.id)
    const { head, broken } = await verifyLedger(database, account.id, heads)
    const title = `Account ${account.id}, ${account.name}`
    if (broken) {
      process.exitCode = 1
      say(
        `${title}: BROKEN at ledger entry ${broken.number}: ${broken.reason}. The ${head.number} entries before it are intact.`,
      )
    } else {
      say(`${title}: ${head.number} ledger entries, all intact. Ledger head (store it outside this database):`)
      say(`${account.id}:${head.number}:${head.hash}`)
    }
  }
}

function headIn(text: string) {
  const [, account, number, hash] = /^(\d{1,15}):(\d{1,15}):([\w-]{43})$/.exec(text) ?? []
  if (!account || !Number(number) || !hash)
    fail(`--head must be <account>:<number>:<hash>, as "audit verify" prints it`)
  return { accountId: Number(account), number: Number(number), hash }
}
