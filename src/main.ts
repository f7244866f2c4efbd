import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { hearAsFirst } from './signals.ts'

/**
 * Where every process begins. The signal that has workers replaced (`SIGUSR2`) would end a process that does not listen to it:
 * one that is still starting, and each worker when it is sent to all. So it is heard before the rest is loaded.
 */
process.on('SIGUSR2', () => undefined)
hearAsFirst()

// What was compiled once need not be at the next start; where it cannot be written, it is compiled every time.
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'compiled'))

await import('./command-line.ts')
