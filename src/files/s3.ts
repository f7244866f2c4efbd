import type { Readable } from 'node:stream'
import type { S3 } from '@aws-sdk/client-s3'
import { FilesUnavailable, type Lying, MARK, type Place, type Span } from './place.ts'

/** How long is waited for an answer, in which no bytes are; and while a turn waits with us, which may be everybody's. */
const PATIENCE = 5_000
const PATIENCE_IN_TURN = 500
/** How long the bytes of a file may take to get there: shorter than whoever sent them is kept waiting. */
const UPLOAD_PATIENCE = 25_000
/** After an answer that did not come, how long nobody waits for another. */
const PAUSE = 2_000

type Failure = { name?: string; message?: string; code?: string; $metadata?: { httpStatusCode?: number } }
type Named = { bucket: string; prefix: string }
/** What all have who ask the same store. */
type Line = { s3: Promise<S3> | undefined; silentUntil: number }
type Until = { abortSignal: AbortSignal }

/** A bucket of an object store that speaks S3. Who we are, where it is and in which region say the variables of AWS. */
export class Bucket implements Place {
  readonly isFar = true
  readonly #named: Named
  readonly #bucket: string
  readonly #prefix: string
  readonly #line: Line
  readonly #patience: number

  constructor(named: Named, line: Line = { s3: undefined, silentUntil: 0 }, patience = PATIENCE) {
    this.#named = named
    this.#bucket = named.bucket
    this.#prefix = named.prefix && `${named.prefix}/`
    this.#line = line
    this.#patience = patience
  }

  get inTurn(): Bucket {
    return new Bucket(this.#named, this.#line, PATIENCE_IN_TURN)
  }

  get #name() {
    return this.nameOf('').replace(/\/$/, '')
  }

  nameOf(key: string): string {
    return `s3://${this.#bucket}/${this.#prefix}${key}`
  }

  /** Tries everything that will be needed, so that a wrong setting is told by the start and not by an upload. */
  async open(): Promise<string[]> {
    const Bucket = this.#bucket
    await this.#ask((s3, until) => s3.listObjectsV2({ Bucket, Prefix: this.#prefix, MaxKeys: 1 }, until))
    await this.write(MARK, Buffer.alloc(0))
    await this.copy(MARK, `${MARK}-tried`)
    await this.remove(`${MARK}-tried`)
    // Not every store knows of versions, and not every key may ask.
    const versions = await this.#ask((s3, until) => s3.getBucketVersioning({ Bucket }, until)).catch(() => undefined)
    return versions?.Status ? [`The bucket ${Bucket} keeps versions: ${OF_VERSIONS}`] : []
  }

  async sizeOf(key: string): Promise<number | undefined> {
    return (await this.#askFor((s3, until) => s3.headObject(this.#at(key), until)))?.ContentLength
  }

  async read(key: string, span?: Span) {
    const Range = span && `bytes=${span.start}-${span.end}`
    const found = await this.#askFor((s3, until) => s3.getObject({ ...this.#at(key), Range }, until))
    const size = Number(found?.ContentRange?.split('/')[1] ?? found?.ContentLength)
    return found && { size, stream: found.Body as Readable }
  }

  async write(key: string, Body: Buffer): Promise<void> {
    // The request is signed with the hash of the bytes: the store refuses others.
    const ContentLength = Body.length
    await this.#ask((s3, until) => s3.putObject({ ...this.#at(key), Body, ContentLength }, until), UPLOAD_PATIENCE)
  }

  async copy(from: string, to: string): Promise<boolean> {
    const { Bucket, Key } = this.#at(from)
    const CopySource = `${Bucket}/${Key.split('/').map(encodeURIComponent).join('/')}`
    return (await this.#askFor((s3, until) => s3.copyObject({ ...this.#at(to), CopySource }, until))) !== undefined
  }

  async remove(key: string): Promise<void> {
    await this.#ask((s3, until) => s3.deleteObject(this.#at(key), until))
  }

  async removeAll(under: string): Promise<void> {
    for await (const { key } of this.list(under)) await this.remove(key)
  }

  async *list(under = ''): AsyncGenerator<Lying> {
    const where = { Bucket: this.#bucket, Prefix: this.#prefix + (under && `${under}/`) }
    let next: string | undefined
    do {
      const page = await this.#ask((s3, until) => s3.listObjectsV2({ ...where, ContinuationToken: next }, until))
      for (const { Key = '', Size = 0, LastModified = new Date() } of page.Contents ?? [])
        yield { key: Key.slice(this.#prefix.length), size: Size, since: LastModified }
      next = page.IsTruncated ? page.NextContinuationToken : undefined
    } while (next)
  }

  #at = (key: string) => ({ Bucket: this.#bucket, Key: this.#prefix + key })

  /** The answer, or undefined when there is no such file. A bucket that is not there is a failure. */
  async #askFor<T>(question: (s3: S3, until: Until) => Promise<T>): Promise<T | undefined> {
    try {
      return await this.#ask(question)
    } catch (error) {
      const { name, $metadata } = ((error as Error).cause ?? {}) as Failure
      if ($metadata?.httpStatusCode === 404 && (name === 'NoSuchKey' || name === 'NotFound')) return undefined
      throw error
    }
  }

  async #ask<T>(question: (s3: S3, until: Until) => Promise<T>, patience = this.#patience): Promise<T> {
    if (Date.now() < this.#line.silentUntil) throw new FilesUnavailable(`${this.#name} does not answer`)
    // Loaded when it is needed: it takes longer than all the rest of a start.
    this.#line.s3 ??= import('@aws-sdk/client-s3').then((sdk) => new sdk.S3(settings()))
    const s3 = await this.#line.s3
    const given = new AbortController()
    const timer = setTimeout(() => given.abort(), patience)
    try {
      return await question(s3, { abortSignal: given.signal })
    } catch (error) {
      if (given.signal.aborted) this.#line.silentUntil = Date.now() + PAUSE
      throw this.#explained(error as Failure, given.signal.aborted)
    } finally {
      // From here on a stream may take its time: whoever reads it is waited for.
      clearTimeout(timer)
    }
  }

  #explained(error: Failure, isSilent: boolean): FilesUnavailable {
    const { name = '', code, $metadata: { httpStatusCode: status = 0 } = {} } = error
    const because = (why: string, more = {}) => new FilesUnavailable(`${this.#name} ${why}`, { cause: error, ...more })
    const refused = (why: string) => because(`cannot be used: ${why}`, { isAway: false })
    if (isSilent) return because('does not answer')
    if (status === 507 || /Quota|StorageFull/.test(name)) return because('is full', { isFull: true })
    if (status === 301 || ELSEWHERE.includes(name))
      return refused(`the bucket is in another region: set AWS_REGION${regionIn(error)}`)
    const why = REFUSALS.get(name)
    if (why) return refused(why)
    if (status === 403) return refused(`the key may not do all that is needed, to list, get, put and delete (${name})`)
    if (status >= 400 && status < 500 && ![404, 408, 429].includes(status)) return refused(name)
    if (/region is missing/i.test(error.message ?? '')) return refused('set AWS_REGION')
    return because(`cannot be reached: ${code ?? (status ? `${status} ${name}` : error.message)}`)
  }
}

const OF_VERSIONS = 'what is erased stays in it until its lifecycle rule removes old versions'

const ELSEWHERE = ['PermanentRedirect', 'AuthorizationHeaderMalformed', 'IllegalLocationConstraintException']

/** What waiting does not mend, in words that say what to mend. */
const REFUSALS = new Map([
  ['NoSuchBucket', 'there is no such bucket: make it, or mend CADRE_FILES'],
  ['InvalidBucketName', 'there can be no such bucket: mend CADRE_FILES'],
  ['InvalidAccessKeyId', 'the store does not know AWS_ACCESS_KEY_ID'],
  ['SignatureDoesNotMatch', 'AWS_SECRET_ACCESS_KEY does not belong to AWS_ACCESS_KEY_ID'],
  ['CredentialsProviderError', 'there is no key: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give us a role'],
  ['ExpiredToken', 'AWS_SESSION_TOKEN has expired'],
  ['InvalidToken', 'AWS_SESSION_TOKEN is not valid'],
  ['RequestTimeTooSkewed', 'the clock of this machine, or of the store, is wrong'],
])

function regionIn(error: Failure): string {
  const { Region, $response } = error as { Region?: string; $response?: { headers?: Record<string, string> } }
  const region = Region ?? $response?.headers?.['x-amz-bucket-region']
  return region ? ` to ${region}` : ''
}

/** Of an endpoint of one's own the buckets are paths, and its region is what it says or nothing that matters. */
function settings(environment = process.env) {
  const isOwn = Boolean(environment.AWS_ENDPOINT_URL_S3 || environment.AWS_ENDPOINT_URL)
  const region = environment.AWS_REGION || environment.AWS_DEFAULT_REGION || (isOwn ? 'us-east-1' : undefined)
  return {
    ...(region ? { region } : {}),
    forcePathStyle: isOwn,
    // Other stores than that of AWS do not know the newer checksums; the signature holds the hash of the bytes.
    requestChecksumCalculation: 'WHEN_REQUIRED' as const,
    responseChecksumValidation: 'WHEN_REQUIRED' as const,
    // Slow readers must not keep others from the store.
    requestHandler: { connectionTimeout: 3_000, httpAgent: { maxSockets: 1_000 }, httpsAgent: { maxSockets: 1_000 } },
  }
}
