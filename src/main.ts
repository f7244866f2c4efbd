import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { readCommand } from './command-line/options.ts'
import { collectGarbageEarly, setAllocator } from './memory.ts'
import { hearAsFirst } from './signals.ts'

// Before there is a listener for signals: a signal that was received and not yet handled would be lost.
if (process.argv.includes('serve')) {
  setAllocator()
  collectGarbageEarly()
}

/**
 * Where every process begins. The signal that has workers replaced (`SIGUSR2`) would end a process that does not listen to it:
 * one that is still starting, and each worker when it is sent to all. So it is heard before the rest is loaded.
 */
process.on('SIGUSR2', () => undefined)
hearAsFirst()

// What was compiled once need not be at the next start; where it cannot be written, it is compiled every time.
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'compiled'))

// What any command makes is for the eyes of this user alone.
process.umask(0o077)

function fail(error: unknown): void {
  process.stderr.write(`cadre: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}

function read() {
  try {
    return readCommand(process.argv.slice(2))
  } catch (error) {
    return void fail(error)
  }
}

const command = read()
if (command && 'output' in command) process.stdout.write(`${command.output}\n`)
else if (command) {
  const { run } = await import('./command-line/index.ts')
  run(command).catch(fail)
}
