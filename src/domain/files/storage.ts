import type { Readable } from 'node:stream'

/** A stored file, by its key: `documents/ab/abcd…`. */
export type StoredObject = { key: string; size: number; since: Date }

/** The first and the last byte, both included. */
export type ByteRange = { start: number; end: number }

/** Stores bytes in a folder or in a bucket of an object store. It knows nothing of their meaning. */
export interface FileStorage {
  /** Whether bytes are long on their way there: then they are brought before a turn, and only put in place within it. */
  readonly isFar: boolean
  /** The same, for one turn, which has others wait: what does not answer soon is given up. */
  readonly inTurn: FileStorage
  /** Whether something was ever kept here, as far as can be seen. */
  isBegun(): Promise<boolean>
  /** How people call what lies under a key. */
  nameOf(key: string): string
  /** Makes sure that it can be used, or says what is wrong; answers with what an operator should know. */
  open(): Promise<string[]>
  /** Marks it as the place of our files. */
  mark(): Promise<void>
  /** Fails while every upload would be refused until somebody mends it. Asks nobody outside this machine. */
  check(): Promise<void>
  sizeOf(key: string): Promise<number | undefined>
  /** The size is that of the whole; not every store tells it, then it is no number. */
  read(key: string, span?: ByteRange): Promise<{ size: number; stream: Readable } | undefined>
  /** When it resolves the bytes are kept, whole and under their name, whatever is switched off. */
  write(key: string, bytes: Buffer): Promise<void>
  /** False, if there is nothing to copy. */
  copy(from: string, to: string): Promise<boolean>
  /** When it resolves nothing lies there. */
  remove(key: string): Promise<void>
  /** Takes away what is left of a part in which nothing lies any more. */
  tidy(under: string): Promise<void>
  /** In the order of their keys. */
  list(under?: string): AsyncGenerator<StoredObject>
}

/** Unfinished writes lie here. */
export const DRAFTS = '.drafts'

/** Says of a place that it is the one: a disk that is not mounted must not look like an empty store. */
export const MARK = '.cadre-files'

/**
 * Tells of keys, one after the other in their order, which are of files of ours, and of which part. Another store that lies
 * within this one is none of ours; its mark comes before the rest of it.
 */
export function filesAmong(): (key: string) => { part: string; hash: string } | undefined {
  const others: string[] = []
  return (key) => {
    if (key.endsWith(`/${MARK}`)) others.push(key.slice(0, -MARK.length))
    if (others.some((other) => key.startsWith(other))) return undefined
    const [, part, hash] = /^(.*)\/[0-9a-f]{2}\/([0-9a-f]{64})$/.exec(key) ?? []
    return part && hash ? { part, hash } : undefined
  }
}

/** What to do about a place without its marker, though records have files. */
export const noMarker = (place: Pick<FileStorage, 'nameOf' | 'isFar'>): string =>
  `${place.nameOf('')} does not contain the marker file ${MARK}, although the database refers to uploaded files. ${
    place.isFar
      ? `Check CADRE_FILES. If it is the right bucket, create an empty object with the name ${MARK} in it.`
      : `Check CADRE_FILES, and that the folder is mounted. If it is the right folder, create an empty file with the name ${MARK} in it.`
  }`

/** The files cannot be got at: nobody's fault who asks for them. */
export class FilesUnavailable extends Error {
  /** Whether waiting may mend it; otherwise somebody has to. */
  readonly isAway: boolean
  readonly isFull: boolean
  /** It was refused, or nothing was asked: nothing is still on its way. */
  readonly isAnswer: boolean
  /** What callers are told, where waiting does not help. */
  readonly told: string | undefined

  constructor(message: string, more: FilesFailure = {}) {
    super(message, { cause: more.cause })
    this.told = more.told
    this.isAway = more.isAway ?? true
    this.isFull = more.isFull ?? false
    this.isAnswer = more.isAnswer ?? false
  }
}

type FilesFailure = { cause?: unknown; isAway?: boolean; isFull?: boolean; isAnswer?: boolean; told?: string }

/** Uploads are refused until somebody looks at the place. */
export const unmarked = (place: Pick<FileStorage, 'nameOf' | 'isFar'>): FilesUnavailable =>
  new FilesUnavailable(noMarker(place), { isAnswer: true, told: UNUSABLE })

export const UNUSABLE = 'The file storage is not usable. Ask the administrator of this service to check it.'
