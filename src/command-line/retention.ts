import { eraseAllDue } from '../domain/privacy/command-line.ts'
import { accountsOf } from './accounts.ts'
import type { Opened } from './open.ts'
import type { Command } from './options.ts'
import { say } from './output.ts'

/** Erases people who are due, in one account or in all, and prints how many. */
export async function eraseDue({ database, ledger }: Opened, { options }: Command): Promise<void> {
  const isTrial = options['dry-run']
  for (const account of await accountsOf(database, options.account)) {
    const all = await eraseAllDue(ledger, account, { isTrial, tell: say })
    const counts = all.map(({ kind, count }) => `${count} ${kind}`).join(' and ')
    const refused = all.reduce((sum, one) => sum + one.refused.length, 0)
    const rest = refused > 0 ? `, ${refused} could not be erased` : ''
    say(`Account ${account.id}, ${account.name}: ${counts} ${isTrial ? 'would be erased' : 'erased'}${rest}.`)
    if (refused > 0) process.exitCode = 1
  }
}
