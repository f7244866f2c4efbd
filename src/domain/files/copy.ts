import { setTimeout as pause } from 'node:timers/promises'
import { FilesUnavailable } from './storage.ts'
import { type FileStore, hashOf } from './store.ts'

/** How many are on their way at a time, each of them in memory. */
const AT_ONCE = 4
const TELL_EVERY = 500

export type CopyResult = {
  copied: number
  there: number
  more: number
  damaged: string[]
  /** Of all that is there now and was to come. */
  keys: Set<string>
}

export type CopyOptions = {
  tell?: (seen: number) => void
  /** What is there may be damaged, and is looked at. */
  isDoubted?: boolean
  isWanted?: (key: string) => boolean
}

/**
 * Copies all files of a store to another one, but for those that are there in the same size: whoever is stopped goes on
 * with what is left. What is not what its name says is not copied. Files that go meanwhile are none that have to come.
 */
export async function copyFiles(from: FileStore, to: FileStore, how: CopyOptions = {}): Promise<CopyResult> {
  const { tell = () => undefined, isDoubted = false, isWanted = () => true } = how
  const there = new Map<string, number>()
  for await (const { key, size } of to.all()) there.set(key, size)
  const result: CopyResult = { copied: 0, there: 0, more: 0, damaged: [], keys: new Set() }
  const files = from.all()
  let seen = 0
  const work = async () => {
    for (let next = await files.next(); !next.done; next = await files.next()) {
      const { key, part, hash, size, name } = next.value
      if (++seen % TELL_EVERY === 0) tell(seen)
      if (!isWanted(key)) continue
      const isThere = there.get(key) === size && !(isDoubted && (await isDamaged(to.in(part), hash)))
      there.delete(key)
      if (isThere) result.there++
      else {
        const bytes = await bytesOf(from.in(part), hash)
        if (!bytes) continue
        if (hashOf(bytes) !== hash) {
          result.damaged.push(name)
          continue
        }
        await to.in(part).put(bytes)
        result.copied++
      }
      result.keys.add(key)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return { ...result, more: there.size }
}

async function bytesOf(files: FileStore, hash: string): Promise<Buffer | undefined> {
  const found = await files.read(hash)
  return found && Buffer.concat(await found.stream.toArray())
}

async function isDamaged(files: FileStore, hash: string): Promise<boolean> {
  const bytes = await bytesOf(files, hash)
  return !bytes || hashOf(bytes) !== hash
}

const AGAIN = 500

/** Waits for files that are not there yet, as for a database; what waiting cannot mend is told at once. */
export async function awaitFiles(
  files: FileStore,
  { seconds, say }: { seconds: number; say: (line: string) => void },
): Promise<void> {
  const begun = performance.now()
  for (let tries = 0; ; tries++) {
    try {
      for (const line of await files.open()) say(line)
      return
    } catch (error) {
      if (!(error instanceof FilesUnavailable) || !error.isAway) throw error
      if (performance.now() - begun >= seconds * 1000) throw error
      if (tries === 0) say(`Waiting up to ${seconds} s for the file storage: ${error.message}`)
      await pause(AGAIN)
    }
  }
}
