import hooks from 'node:async_hooks'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { isCompared } from './engines.ts'
import type { FromWorker, ToWorker } from './pool.ts'
import { forgetParts, newParts } from './statements.ts'
import { wrongTables } from './tables.ts'

/**
 * A process that runs the test files its parent sends, one after another. Loading and warming up the service costs more
 * than most files, so many files share a process. Each file is a suite: its `before` and `after` stay its own.
 */
const require = createRequire(import.meta.url)
const STAT = '/proc/self/stat'
const tell = (message: FromWorker) => void process.send?.(message)

// By default the runner follows every promise, to name the test that an uncaught error belongs to. That is a fifth of all
// work here. Without it such an error still fails the run, but under the name of the file.
const { createHook } = hooks
hooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false })
const { suite } = require('node:test') as typeof import('node:test')

process.on('uncaughtExceptionMonitor', (error) => tell({ type: 'stray', error: String(error?.stack ?? error) }))
process.on('unhandledRejection', (error: any) => tell({ type: 'stray', error: String(error?.stack ?? error) }))
process.on('disconnect', () => process.exit(1))

process.on('message', async (message: ToWorker) => {
  if (message.file === null) process.exit()
  const { file, timeout } = message
  const earlier = computed()
  // Loaded with `require`, at once: otherwise the runner would not know which suite the tests belong to.
  await suite(file, { timeout }, () => void require(resolve(file)))
  // What nobody waited for may fail only now; after this it would be taken for the next file's.
  await turn()
  await pause(20)
  for (const error of wrongTables()) tell({ type: 'stray', error })
  tell({ type: 'statements', statements: isCompared(file) ? newParts() : forgetParts(), cpu: computed() - earlier })
})
tell({ type: 'ready' })

/** What this process and those that it has started, and that have ended, have computed so far, in milliseconds. */
function computed(): number {
  const { user, system } = process.cpuUsage()
  // After the name of the program: of its children, 13 and 14 words on, in hundredths of a second.
  const words = existsSync(STAT) ? readFileSync(STAT, 'utf8').split(') ')[1]?.split(' ') : undefined
  return (user + system) / 1000 + (Number(words?.[13] ?? 0) + Number(words?.[14] ?? 0)) * 10
}
