import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { S3 } from '@aws-sdk/client-s3'
import { type ByteRange, DRAFTS, type FileStorage, FilesUnavailable, MARK, type StoredObject } from './storage.ts'

/** How long is waited for an answer, in which no bytes are; and while a turn waits with us, which may be everybody's. */
const PATIENCE = 5_000
const PATIENCE_IN_TURN = 2_000
/** How long all that a turn asks for may take together. */
const WHOLE_TURN = 10_000
/** How long the next bytes of a file may be on their way. */
const STALLED = 30_000
/** How long the bytes of a file may take to get there: shorter than whoever sent them is kept waiting. */
const UPLOAD_PATIENCE = 25_000
/** After an answer that did not come, how long nobody waits for another who would not wait longer. */
const PAUSE = 2_000
/** How often it is looked whether an answer has come. */
const LOOK = 20

type S3Failure = { name?: string; message?: string; code?: string; $metadata?: { httpStatusCode?: number } }
type BucketAddress = { bucket: string; prefix: string }
/** State that all users of the same store share. */
type SharedConnection = {
  s3: Promise<S3> | undefined
  /** The same, for what is tried once only. */
  once: Promise<S3> | undefined
  silentUntil: number
  patience: number
  isBegun: boolean
}
/** The time by which all requests of one turn must be done. It is set by the first request. */
type TimeBudget = { until?: number }
type RequestOptions = { patience?: number; isOnce?: boolean }
type AbortOptions = { abortSignal: AbortSignal }

/** A bucket of an object store that speaks S3. Who we are, where it is and in which region say the variables of AWS. */
export class Bucket implements FileStorage {
  readonly isFar = true
  readonly #named: BucketAddress
  readonly #bucket: string
  readonly #prefix: string
  readonly #line: SharedConnection
  readonly #patience: number
  readonly #budget: TimeBudget | undefined

  constructor(
    named: BucketAddress,
    line: SharedConnection = { s3: undefined, once: undefined, silentUntil: 0, patience: 0, isBegun: false },
    patience = PATIENCE,
    budget?: TimeBudget,
  ) {
    this.#named = named
    this.#bucket = named.bucket
    this.#prefix = named.prefix && `${named.prefix}/`
    this.#line = line
    this.#patience = patience
    this.#budget = budget
  }

  get inTurn(): Bucket {
    return new Bucket(this.#named, this.#line, PATIENCE_IN_TURN, {})
  }

  /** Looked for until it is so: another process may be the one that begins. */
  async isBegun(): Promise<boolean> {
    this.#line.isBegun ||= (await this.sizeOf(MARK)) !== undefined
    return this.#line.isBegun
  }

  /** The first file that is kept marks the place. */
  async #begin(key: string): Promise<void> {
    if (this.#line.isBegun || key.startsWith(`${DRAFTS}/`) || key.startsWith(MARK)) return
    await this.mark()
  }

  async mark(): Promise<void> {
    await this.#put(MARK, Buffer.alloc(0))
    this.#line.isBegun = true
  }

  /** A store that is away for a while comes back by itself, and all else works meanwhile. */
  async check(): Promise<void> {}

  get #name() {
    return this.nameOf('').replace(/\/$/, '')
  }

  nameOf(key: string): string {
    return `s3://${this.#bucket}/${this.#prefix}${key}`
  }

  /** Tries everything that will be needed, so that a wrong setting is told by the start and not by an upload. */
  async open(): Promise<string[]> {
    const Bucket = this.#bucket
    await this.#lookAround()
    const [tried, copied] = [`${MARK}-tried`, `${MARK}-copied`]
    await this.#put(tried, Buffer.alloc(0))
    await this.copy(tried, copied)
    for (const key of [tried, copied]) await this.remove(key)
    await this.isBegun()
    // Not every store knows of versions, and not every key may ask.
    const versions = await this.#ask((s3, until) => s3.getBucketVersioning({ Bucket }, until)).catch(() => undefined)
    return versions?.Status ? [`The bucket ${Bucket} has versioning enabled: ${OF_VERSIONS}`] : []
  }

  #lookAround = () =>
    this.#ask((s3, until) => s3.listObjectsV2({ Bucket: this.#bucket, Prefix: this.#prefix, MaxKeys: 1 }, until))

  async sizeOf(key: string): Promise<number | undefined> {
    const found = await this.#askFor((s3, until) => s3.headObject(this.#at(key), until))
    // Of a bucket that is not there it is told in the same words.
    if (!found) await this.#lookAround()
    return found?.ContentLength
  }

  async read(key: string, span?: ByteRange) {
    const Range = span && `bytes=${span.start}-${span.end}`
    const found = await this.#askFor((s3, until) => s3.getObject({ ...this.#at(key), Range }, until))
    const size = Number(found?.ContentRange?.split('/')[1] ?? found?.ContentLength)
    return found && { size, stream: Readable.from(this.#unlessStalled(found.Body as Readable), { objectMode: false }) }
  }

  /** Whoever reads is waited for; whoever sends is not. */
  async *#unlessStalled(body: Readable): AsyncGenerator<Buffer> {
    const chunks: AsyncIterator<Buffer> = body[Symbol.asyncIterator]()
    try {
      for (;;) {
        const given = new AbortController()
        const stalled = pause(STALLED, 'stalled' as const, { signal: given.signal, ref: false })
        const next = await Promise.race([chunks.next(), stalled]).finally(() => given.abort())
        if (next === 'stalled')
          throw new FilesUnavailable(`${this.#name} closed the connection in the middle of a file`)
        if (next.done) return
        yield next.value
      }
    } finally {
      body.destroy()
    }
  }

  async write(key: string, bytes: Buffer): Promise<void> {
    await this.#begin(key)
    await this.#put(key, bytes, { patience: UPLOAD_PATIENCE })
  }

  async #put(key: string, Body: Buffer, asking?: RequestOptions): Promise<void> {
    // The request is signed with the hash of the bytes: the store refuses others.
    const ContentLength = Body.length
    await this.#ask((s3, until) => s3.putObject({ ...this.#at(key), Body, ContentLength }, until), asking)
  }

  async copy(from: string, to: string): Promise<boolean> {
    await this.#begin(to)
    const { Bucket, Key } = this.#at(from)
    const CopySource = `${Bucket}/${Key.split('/').map(encodeURIComponent).join('/')}`
    return (await this.#askFor((s3, until) => s3.copyObject({ ...this.#at(to), CopySource }, until))) !== undefined
  }

  async remove(key: string): Promise<void> {
    // Once: that a second try was answered does not say that the first one is not still under way.
    await this.#ask((s3, until) => s3.deleteObject(this.#at(key), until), { isOnce: true })
  }

  /** A part is nothing but the beginning of names. */
  async tidy(): Promise<void> {}

  async *list(under = ''): AsyncGenerator<StoredObject> {
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
  async #askFor<T>(question: (s3: S3, until: AbortOptions) => Promise<T>): Promise<T | undefined> {
    try {
      return await this.#ask(question)
    } catch (error) {
      const { name, $metadata } = ((error as Error).cause ?? {}) as S3Failure
      if ($metadata?.httpStatusCode === 404 && (name === 'NoSuchKey' || name === 'NotFound')) return undefined
      throw error
    }
  }

  async #ask<T>(question: (s3: S3, until: AbortOptions) => Promise<T>, asking: RequestOptions = {}): Promise<T> {
    const { isOnce = false } = asking
    const patience = Math.min(asking.patience ?? this.#patience, this.#left())
    // That there was no answer within a turn says little to somebody who can wait ten times as long.
    if (Date.now() < this.#line.silentUntil && this.#patience <= this.#line.patience)
      throw new FilesUnavailable(`${this.#name} does not respond`, { isAnswer: true })
    // Loaded when it is needed: it takes longer than all the rest of a start.
    const line = isOnce ? 'once' : 's3'
    const tries = isOnce ? { maxAttempts: 1 } : {}
    this.#line[line] ??= import('@aws-sdk/client-s3').then((sdk) => new sdk.S3({ ...settings(), ...tries }))
    const s3 = await this.#line[line]
    const given = new AbortController()
    // Time in which this process stood still is none in which an answer could have been seen: it counts as one look.
    let looks = patience / LOOK
    const looking = setInterval(() => --looks <= 0 && given.abort(), LOOK)
    try {
      return await question(s3, { abortSignal: given.signal })
    } catch (error) {
      // For what is taken away nobody waits, so nobody else is kept from asking.
      if (given.signal.aborted && !isOnce)
        Object.assign(this.#line, { silentUntil: Date.now() + PAUSE, patience: this.#patience })
      throw this.#explained(error as S3Failure, given.signal.aborted)
    } finally {
      // From here on a stream may take its time: whoever reads it is waited for.
      clearInterval(looking)
    }
  }

  /** How much of its time a turn has left. */
  #left(): number {
    if (!this.#budget) return Number.POSITIVE_INFINITY
    this.#budget.until ??= Date.now() + WHOLE_TURN
    const left = this.#budget.until - Date.now()
    if (left <= 0) throw new FilesUnavailable(`${this.#name} responds too slowly`, { isAnswer: true })
    return left
  }

  #explained(error: S3Failure, isSilent: boolean): FilesUnavailable {
    const { name = '', code, $metadata: { httpStatusCode: status = 0 } = {} } = error
    // Whoever stands in between answers 408, 429 or 5xx, and what it has passed on may still be carried out.
    const isAnswer = status >= 400 && status < 500 && ![408, 429].includes(status)
    const because = (why: string, more = {}) =>
      new FilesUnavailable(`${this.#name} ${why}`, { cause: error, isAnswer, ...more })
    const refused = (why: string) => because(`cannot be used: ${why}`, { isAway: false })
    if (isSilent) return because('does not respond')
    if (status === 507 || /Quota|StorageFull/.test(name)) return because('is full', { isFull: true })
    if (status === 301 || ELSEWHERE.includes(name))
      return refused(`the bucket is in another region. Set AWS_REGION${regionIn(error)}`)
    const why = REFUSALS.get(name)
    if (why) return refused(why)
    if (status === 403) return refused(`the access key needs permission to list, get, put and delete objects (${name})`)
    if (status >= 400 && status < 500 && ![404, 408, 429].includes(status)) return refused(name)
    if (/region is missing/i.test(error.message ?? '')) return refused('set AWS_REGION')
    return because(`cannot be reached: ${code ?? (status ? `${status} ${name}` : error.message)}`)
  }
}

const OF_VERSIONS = 'erased files remain in it until a lifecycle rule removes old versions'

const ELSEWHERE = ['PermanentRedirect', 'AuthorizationHeaderMalformed', 'IllegalLocationConstraintException']

/** What waiting does not mend, in words that say what to mend. */
const REFUSALS = new Map([
  ['NoSuchBucket', 'the bucket does not exist. Create it, or correct CADRE_FILES'],
  ['InvalidBucketName', 'the bucket name is invalid. Correct CADRE_FILES'],
  ['InvalidAccessKeyId', 'the object store does not know AWS_ACCESS_KEY_ID. Correct it'],
  ['SignatureDoesNotMatch', 'AWS_SECRET_ACCESS_KEY does not belong to AWS_ACCESS_KEY_ID. Correct it'],
  [
    'CredentialsProviderError',
    'there are no credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or assign an IAM role',
  ],
  ['ExpiredToken', 'AWS_SESSION_TOKEN has expired. Set a new one'],
  ['InvalidToken', 'AWS_SESSION_TOKEN is not valid. Correct it'],
  [
    'RequestTimeTooSkewed',
    'the clocks of this machine and of the object store differ. Set the right time, for example with NTP',
  ],
])

function regionIn(error: S3Failure): string {
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
