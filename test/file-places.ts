import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MARK } from '../src/domain/files/storage.ts'
import { useObjectStore } from './s3-server.ts'

/** Where the files of a service under test lie. */
export type FilePlace = {
  /** For `CADRE_FILES`. */
  address: string
  /** All that lies there, but for the mark: `documents/ab/abcd…`. */
  keys: () => string[]
  stop: () => Promise<void>
}

/** What holds of files holds wherever they lie. */
export const FILE_PLACES: Record<string, () => Promise<FilePlace>> = {
  async 'in a folder'() {
    const folder = mkdtempSync(join(tmpdir(), 'cadre-files-'))
    return {
      address: folder,
      keys: () =>
        readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((one) => one.isFile() && one.name !== MARK)
          .map((one) => join(one.parentPath, one.name).slice(folder.length + 1)),
      stop: async () => rmSync(folder, { recursive: true, force: true }),
    }
  },
  async 'in an object store'() {
    const { address, keys, stop } = await useObjectStore()
    const prefix = `${address.replace('s3://cadre/', '')}/`
    return {
      address,
      stop,
      keys: () => keys().flatMap((key) => (key === prefix + MARK ? [] : key.slice(prefix.length))),
    }
  },
}
