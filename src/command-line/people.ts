import { invitePerson, resetPerson } from '../domain/sign-in/command-line.ts'
import { linkAddress } from '../domain/sign-in/links.ts'
import { accountOf } from './accounts.ts'
import type { Opened } from './open.ts'
import type { Command } from './options.ts'
import { fail, say } from './output.ts'
import { publicAddress } from './public-address.ts'

/** `person invite` and `person reset`: both print a sign-in link. */
export async function createSignInLink(
  { config, database, ledger }: Opened,
  { name: command, argument, options }: Command,
): Promise<void> {
  const email = argument ?? fail(`give the e-mail address of the person: ${command} <e-mail>`)
  const account = await accountOf(database, options.account)
  const { name, role } = options
  const token = await (command === 'person invite'
    ? invitePerson(ledger, account, { email, name, role })
    : resetPerson(ledger, account, email))
  say('Sign-in link (works once; copy it now, it is not shown again):')
  say(linkAddress(publicAddress(config), token, account.id))
}
