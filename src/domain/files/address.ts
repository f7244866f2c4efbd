import { Folder } from './folder.ts'
import { Bucket } from './s3.ts'
import type { FileStorage } from './storage.ts'

/** `s3://bucket/prefix` → a bucket of an object store; anything else is a folder. */
function bucketAt(address: string): { bucket: string; prefix: string } | undefined {
  const [, scheme, rest = ''] = /^([a-z][a-z0-9+.-]+):\/\/(.*)$/is.exec(address) ?? []
  if (!scheme && !/^s3:/i.test(address)) return undefined
  const [, bucket, prefix = ''] =
    /^([a-z0-9][a-z0-9._-]{1,61}[a-z0-9])(?:\/([\w!.*'()-]+(?:\/[\w!.*'()-]+)*)?\/?)?$/.exec(rest) ?? []
  if (scheme !== 's3' || !bucket || prefix.split('/').some((part) => part === '.' || part === '..'))
    throw new Error('Configuration: CADRE_FILES must be a folder or s3://bucket/prefix')
  return { bucket, prefix }
}

/** The file storage that `CADRE_FILES` names. */
export function storageAt(address: string): FileStorage {
  const bucket = bucketAt(address)
  return bucket ? new Bucket(bucket) : new Folder(address)
}

/** The folder of files, if they lie in one. */
export const folderOf = (address: string): string | undefined => (bucketAt(address) ? undefined : address)
