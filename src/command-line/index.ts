import { connectingTo, readConfig } from '../config.ts'
import { connect } from '../database/connect.ts'
import { readEnvironment } from '../environment.ts'
import { createAccountWithKey, listAllAccounts } from './accounts.ts'
import { restoreBackup, writeBackup } from './backup.ts'
import { createDemo } from './demo.ts'
import { distributeOrGather } from './distribute.ts'
import { printFindings } from './doctor.ts'
import { checkAllFiles, copyFiles } from './files.ts'
import { createApiKey, listApiKeys, revokeApiKey } from './keys.ts'
import { type Opened, open, requireDatabaseFile } from './open.ts'
import type { Command, CommandName } from './options.ts'
import { say } from './output.ts'
import { createSignInLink } from './people.ts'
import { eraseDue } from './retention.ts'
import { serve } from './serve.ts'
import { verifyLedgers } from './verify.ts'

/** Commands that `run` starts before it opens the database. */
type Early = 'doctor' | 'restore' | 'files copy' | 'serve'

/** Commands that work on an open database. */
const COMMANDS: Record<Exclude<CommandName, Early>, (opened: Opened, command: Command) => Promise<void>> = {
  migrate: async () => say('The schema is up to date.'),
  demo: createDemo,
  'account create': createAccountWithKey,
  'account list': listAllAccounts,
  'key create': createApiKey,
  'key list': listApiKeys,
  'key revoke': revokeApiKey,
  'person invite': createSignInLink,
  'person reset': createSignInLink,
  retention: eraseDue,
  distribute: distributeOrGather,
  'files check': checkAllFiles,
  'audit verify': verifyLedgers,
  backup: writeBackup,
}

/** Runs a command. */
export async function run(command: Command): Promise<void> {
  const { name, options } = command
  const environmentFile = readEnvironment({ given: options['env-file'], isService: name === 'serve' })
  if (name === 'doctor') return printFindings(environmentFile)
  const config = readConfig(process.env)
  if (name === 'restore') return restoreBackup(config, command)
  if (name === 'files copy') return copyFiles(config, command)
  if (name === 'serve') return serve(config, command, environmentFile)
  if (command.schema === 'requires' || name === 'backup') requireDatabaseFile(config.DATABASE_URL)
  // `distribute` refuses to run while others are connected, so it opens only one connection itself.
  const limit = name === 'distribute' ? { connections: 1 } : {}
  const database = connect(config.DATABASE_URL, { ...connectingTo(config), ...limit })
  try {
    await COMMANDS[name](await open(config, database, command), command)
  } finally {
    await database.close()
  }
}
