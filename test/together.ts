import hooks from 'node:async_hooks'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'

const require = createRequire(import.meta.url)

/**
 * Runs test files in this process, one after another and each with its own service: loading and warming up the whole
 * service once for each file costs more than most files. A file is a suite, so that its `before` and `after` stay its own.
 */
export function runTogether(files: string[], timeout: number): void {
  followNoPromises()
  // Only now: the runner makes its hook as it is loaded.
  const { suite } = require('node:test') as typeof import('node:test')
  // At once, as `require` does, or the runner would not know whose tests they are.
  for (const file of files) suite(file, { timeout }, () => void require(resolve(file)))
}

/**
 * The runner follows every promise of the process, those of the service too, to tell whose test an error that nobody
 * caught belongs to: a fifth of all work. Without it such an error fails the run all the same, only not under a test's name.
 */
function followNoPromises(): void {
  const { createHook } = hooks
  hooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false })
}
