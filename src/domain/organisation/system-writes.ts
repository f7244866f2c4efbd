import type { Account, Caller } from '../../records/caller.ts'
import { type Ledger, writeAs } from '../../records/ledger.ts'
import type { Writer } from '../../records/write.ts'
import { listAccounts } from '../access/stored-accounts.ts'

/** What the service writes by itself, on nobody's behalf: that a day has come is nobody's doing. */
const nobody = (account: Account): Caller => ({
  account,
  actor: { kind: 'system' },
  personId: null,
  permissions: [],
  withheld: new Set(),
  origin: '',
  address: null,
  requestId: '-',
  correlationId: '-',
})

/** Does some work in each of these accounts, one after the other. */
export async function writeInAccounts(
  ledger: Ledger,
  ids: ReadonlySet<number>,
  operation: string,
  work: (db: Writer) => Promise<void>,
): Promise<void> {
  for (const account of ids.size > 0 ? await listAccounts(ledger.database) : [])
    if (ids.has(account.id)) await writeAs(ledger, nobody(account), operation, work)
}
