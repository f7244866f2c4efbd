import { setFlagsFromString } from 'node:v8'

/**
 * Settings of the C library's allocator on Linux. By default it learns to keep blocks as large as those that were freed before, once
 * for each thread. Checking a password takes 19 MiB, so after a dozen sign-ins it would keep 130 MiB for good. With these settings,
 * blocks of 4 MiB and more go back to the system as soon as they are freed.
 */
export const ALLOCATOR = {
  MALLOC_MMAP_THRESHOLD_: String(4 * 1024 * 1024),
  MALLOC_TRIM_THRESHOLD_: String(8 * 1024 * 1024),
}

type Execve = (file: string, args: readonly string[], environment: NodeJS.ProcessEnv) => never

/**
 * Applies them. The allocator reads its settings when a program starts, so the process executes its own program again: it keeps its
 * id, its arguments and its standard streams. Workers inherit the settings. An operator's own settings are kept.
 */
export function setAllocator(): void {
  const { execve } = process as { execve?: Execve }
  const isSet = Object.keys(process.env).some((name) => name.startsWith('MALLOC_') || name === 'GLIBC_TUNABLES')
  // A process with a channel to its parent would lose the channel.
  if (process.platform !== 'linux' || !execve || isSet || process.connected) return
  execve(process.execPath, [process.argv0, ...process.execArgv, ...process.argv.slice(1)], {
    ...process.env,
    ...ALLOCATOR,
  })
}

/**
 * Has the garbage collector run when the heap has grown by half since it last ran. By default, on a machine with much memory, it waits
 * until the heap is several times as large: 300 MB of which 100 are in use, and with it all that objects hold outside the heap.
 */
export function collectGarbageEarly(): void {
  setFlagsFromString('--heap-growing-percent=50')
}
