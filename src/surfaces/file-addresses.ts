import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findKeyById } from '../domain/access/keys.ts'
import { findAccount } from '../domain/access/stored-accounts.ts'
import { DOWNLOAD } from '../domain/audits/logged-reads.ts'
import { isLeaving } from '../domain/files/remove-unused.ts'
import type { ByteRange } from '../domain/files/storage.ts'
import type { FileStore } from '../domain/files/store.ts'
import { type FetchedFile, fileAt } from '../domain/files/tickets.ts'
import { AVATARS } from '../domain/people/avatars.ts'
import { rightsOfPerson } from '../domain/sign-in/people.ts'
import { AccessScope } from '../engine/access-scope/access-scope.ts'
import type { Service } from '../engine/call/service.ts'
import type { Resource } from '../engine/declaration.ts'
import type { FileSource } from '../engine/file-source.ts'
import type { Operation } from '../engine/operation.ts'
import { permits } from '../engine/permission.ts'
import { notFound, Problem } from '../engine/problem.ts'
import { groupsOf } from '../engine/protection.ts'
import { find } from '../engine/records.ts'
import { ownerOf } from '../engine/resource.ts'
import type { Caller } from '../records/caller.ts'
import { readAs } from '../records/ledger.ts'
import type { ReadLog } from '../records/reads.ts'
import { noteActor } from './http/log.ts'

/** Types that a browser shows without running anything; everything else is just bytes. */
const HARMLESS = /^(application\/pdf|image\/(png|jpeg|webp|gif)|text\/plain)$/

/**
 * The routes of files and avatars. They need no key: the address itself is the permission, as long as whoever was given it
 * may still read the record.
 */
export function serveFiles(
  app: FastifyInstance,
  service: Pick<Service, 'ledger' | 'scopes' | 'kinds'>,
  files: FileStore,
  { sources, kinds, reads }: { sources: readonly FileSource[]; kinds: readonly Resource[]; reads: ReadLog },
): void {
  const { database, clock } = service.ledger
  const avatars = files.in(AVATARS)
  const owners = new Map(kinds.map((of) => [of.table, ownerOf(of)]))
  const noteDownload = ({ of: { account, of, id }, ownerId, by }: FetchedFile, requestId: string) =>
    reads.add({ accountId: account, actor: by, personId: null, requestId, operation: DOWNLOAD, isAlwaysNoted: true }, [
      {
        what: 'file',
        resource: of,
        record_id: id,
        owner: ownerId === null ? null : (owners.get(of)?.to ?? null),
        owner_id: ownerId,
      },
    ])

  app.get<{ Params: { '*': string } }>('/files/*', async (request, reply) => {
    const file = await fileAt(database, sources, request.params['*'], clock(), (table) => owners.get(table)?.column)
    if (!file || !(await mayStillRead(service, file))) throw notFound()
    noteActor(request, file.of.account, file.by)
    const name = encodeURIComponent(file.name).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)
    const bytes = await bytesFor(request, reply, files.in(file.part), file.hash)
    if (request.method === 'GET') noteDownload(file, String(request.id))
    return guarded(reply)
      .header('content-disposition', `attachment; filename*=UTF-8''${name}`)
      .header('cache-control', 'private, no-store')
      .type(HARMLESS.test(file.type) ? file.type : 'application/octet-stream')
      .send(bytes)
  })

  app.get<{ Params: { name: string } }>('/avatars/:name', async (request, reply) => {
    const [hash = '', extension = '', ...more] = request.params.name.split('.')
    const type = IMAGE_TYPES.get(extension)
    if (!type || more.length > 0) throw notFound()
    if (await isLeaving(database, sources, { part: AVATARS, hash })) throw notFound()
    const bytes = await bytesFor(request, reply, avatars, hash)
    // Long enough for a page, short enough for a picture that was taken away.
    return guarded(reply).header('cache-control', 'private, max-age=3600').type(type).send(bytes)
  })

  app.get<{ Params: { letters: string } }>('/avatars/initials/:letters.svg', (request, reply) =>
    guarded(reply)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .type('image/svg+xml; charset=utf-8')
      .send(drawInitials(request.params.letters)),
  )
}

/** The bytes of a hash as they come from the store, or those of them that are asked for; the reply says which. */
async function bytesFor({ method, headers }: FastifyRequest, reply: FastifyReply, files: FileStore, hash: string) {
  const isBare = method === 'HEAD'
  // What is not understood, or depends on a version, is answered with everything: that is always right.
  const [, from, to] = (headers['if-range'] ? null : /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '')) ?? []
  const isPart = !isBare && Boolean(from || to)
  const size = isBare || isPart ? await files.sizeOf(hash) : undefined
  const span = isPart && size !== undefined ? spanOf(from, to, size) : undefined
  if (span && span.start > span.end) {
    reply.header('content-range', `bytes */${size}`)
    throw new Problem(416, 'no_such_range', `The requested range is outside the file, which has ${size} bytes.`)
  }
  const found = isBare && size !== undefined ? { size, stream: Readable.from([]) } : await files.read(hash, span)
  if (!found) throw notFound()
  const length = span ? span.end - span.start + 1 : found.size
  reply.header('accept-ranges', 'bytes')
  if (!Number.isNaN(length)) reply.header('content-length', length)
  if (span) reply.code(206).header('content-range', `bytes ${span.start}-${span.end}/${found.size}`)
  if (!isBare) return found.stream
  // Asked only whether it is there, a store may say less than when it is asked for it.
  found.stream.destroy()
  return Readable.from([])
}

/** `bytes=100-199`, `bytes=100-`, and `bytes=-100`, which are the last. */
function spanOf(from = '', to = '', size: number): ByteRange {
  const start = from ? Number(from) : Math.max(0, size - Number(to))
  return { start, end: from && to ? Math.min(Number(to), size - 1) : size - 1 }
}

/** May whoever was given the address still read the record whose file it is? Of old ones it is not told who that was. */
async function mayStillRead(
  { ledger, scopes, kinds }: Pick<Service, 'ledger' | 'scopes' | 'kinds'>,
  { by, of: { account: accountId, of: table, id } }: FetchedFile,
): Promise<boolean> {
  const { database, clock } = ledger
  if (by.kind !== 'key' && by.kind !== 'person') return true
  const account = await findAccount(database, accountId)
  const of = kinds.get(table)
  if (!account || !of) return false
  const rights =
    by.kind === 'key'
      ? await findKeyById(database, accountId, by.id, clock())
      : await rightsOfPerson(database, account, by.id, clock())
  if (!rights || !permits(rights.permissions, of.readWith)) return false
  const { personId, permissions, withheld, grants } = rights
  const who = { account, actor: by, personId, permissions, withheld, ...(grants ? { grants } : {}) }
  const caller: Caller = { ...who, origin: '', address: null, requestId: '', correlationId: '' }
  return readAs(ledger, caller, async (whole) => {
    const reading = { permission: of.readWith } as Operation
    const db = grants ? whole.withVisibility(await AccessScope.of(whole, scopes, kinds, reading)) : whole
    const isThere = await find(db, of, id).catch(() => null)
    const groups = [...((await groupsOf(whole, kinds, of, [id])).get(id) ?? []), ...(of.group ? [of.group] : [])]
    const isWithheld = (group: string) =>
      withheld.has(group) ||
      (grants?.every((grant) => grant.withheld.has(group) || !permits(grant.permissions, of.readWith)) ?? false)
    return isThere !== null && !groups.some(isWithheld)
  })
}

const IMAGE_TYPES = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['webp', 'image/webp'],
])

/** Whatever the bytes are, a browser must not run them. */
const guarded = (reply: FastifyReply) =>
  reply
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")

/** Two letters on a colour that goes with them. */
export function drawInitials(letters: string): string {
  const shown = [...letters].slice(0, 2).join('')
  const escaped = shown.replace(/[<>&"']/g, (one) => `&#${one.charCodeAt(0)};`)
  const hue = [...shown].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0) * 47, 0) % 360
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="96" height="96" fill="hsl(${hue} 45% 42%)"/><text x="48" y="50" fill="#fff" font-family="system-ui,sans-serif" font-size="38" text-anchor="middle" dominant-baseline="middle">${escaped}</text></svg>`
}
