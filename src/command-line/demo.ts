import type { Open } from '../demo/company.ts'
import { createKey, ensureFirstAccount } from '../domain/access/accounts.ts'
import { listAccounts } from '../domain/access/stored-accounts.ts'
import { createDefaultRecords } from '../domain/organisation/default-records.ts'
import type { Account } from '../records/caller.ts'
import { dateIn } from '../records/reader.ts'
import { openService } from '../service.ts'
import type { Opened } from './open.ts'
import { say } from './output.ts'
import { publicAddress } from './public-address.ts'

/** Fills an empty database with the demo company, and prints requests and sign-ins to try. */
export async function createDemo({ config, database, ledger }: Opened): Promise<void> {
  const { fillWithDemo, refusePeople, worthTrying } = await import('../demo/demo.ts')
  const { DEMO_PASSWORD, makeDemoSignIns } = await import('../demo/sign-ins.ts')
  await refusePeople(database)
  const { firstKey, notice } = await ensureFirstAccount(ledger, config.CADRE_API_KEY, createDefaultRecords)
  if (notice) say(notice)
  const [account] = (await listAccounts(database)) as [Account]
  const open: Open = (needs) => openService({ ...needs, filesAt: config.CADRE_FILES })
  const now = new Date()
  await fillWithDemo({ database, account, now, open, say })
  const signIns = await makeDemoSignIns(ledger, account)
  const key = firstKey ?? config.CADRE_API_KEY ?? (await createKey(ledger, account, { name: 'Demo' }))
  const request = (path: string) =>
    `  curl -H 'X-API-KEY: ${key}' 'http://${config.HOST}:${config.PORT}/api/public/v3${path}'`
  say('The demo company with 200 people is ready. Start the service with npm start, then try:')
  say(worthTrying(dateIn(account.time_zone, now)).map(request).join('\n'))
  say(`Or sign in at ${publicAddress(config)} with the password ${DEMO_PASSWORD}:`)
  for (const { as, name, email } of signIns) say(`  ${as.padEnd(10)} ${email.padEnd(36)} ${name}`)
}
