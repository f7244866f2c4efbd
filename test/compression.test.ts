import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { type Service, startService } from './harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'cadre-files-'))
let service: Service
before(async () => {
  service = await startService({ config: { CADRE_FILES: folder } })
  for (let n = 0; n < 20; n++) await service.make('/divisions', { name: `Division ${n}` })
})
after(async () => {
  await service.stop()
  rmSync(folder, { recursive: true })
})

type Raw = { status: number; headers: Record<string, string | string[] | undefined>; bytes: Buffer }

/** An answer as it comes over the wire. */
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<Raw>((resolve, reject) => {
    const url = new URL(
      path.startsWith('/api') || !path.startsWith('/divisions') ? path : `/api/v3${path}`,
      service.url,
    )
    request(url, { method, headers: { 'x-api-key': service.key, ...headers } }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part) => parts.push(part))
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(parts) }),
      )
    })
      .on('error', reject)
      .end()
  })

const DECODERS: Record<string, (bytes: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
}

test('a long response is compressed with the preferred encoding and decodes to the same bytes', async () => {
  const plain = await ask('/divisions')
  assert.equal(plain.headers['content-encoding'], undefined)
  for (const [accepted, expected] of [
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['zstd', 'zstd'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['br;q=0, zstd;q=0.1, gzip;q=0.2', 'gzip'],
    ['GZIP', 'gzip'],
    ['*', 'zstd'],
    ['*;q=0.1, gzip', 'gzip'],
    ['zstd;q=0, *', 'br'],
    ['gzip;q=0', undefined],
    ['identity', undefined],
    ['deflate', undefined],
    ['*;q=0', undefined],
    [';;q=,,', undefined],
    ['', undefined],
  ] as const) {
    const answer = await ask('/divisions', { 'accept-encoding': accepted })
    assert.equal(answer.headers['content-encoding'], expected, accepted)
    assert.equal(answer.headers.vary, 'Accept-Encoding')
    assert.equal(answer.headers['content-length'], String(answer.bytes.length))
    const text = expected ? DECODERS[expected]!(answer.bytes) : answer.bytes
    assert.deepEqual(text, plain.bytes, accepted)
    if (expected) assert.ok(answer.bytes.length < plain.bytes.length / 2)
  }
})

test('short responses, empty responses and files are not compressed', async () => {
  const accepted = { 'accept-encoding': 'br, gzip' }
  for (const path of ['/divisions/1', '/divisions/999'])
    assert.equal((await ask(path, accepted)).headers['content-encoding'], undefined)
  assert.equal((await ask('/divisions/20', accepted, 'DELETE')).headers['content-encoding'], undefined)
  const { id } = await service.hire()
  const data = new FormData()
  data.append('name', 'Text')
  data.append('document_folder_id', (await service.make('/document_folders', { name: 'Texts' })).id)
  data.append('document', new Blob(['text '.repeat(1000)], { type: 'text/plain' }), 'text.txt')
  const document = await service.send('POST', `/employees/${id}/documents`, { multipart: data })
  const file = await ask(new URL(document.body.data.url).pathname, accepted)
  assert.equal(file.headers['content-encoding'], undefined)
  assert.equal(file.bytes.length, 5000)
})

test('the ETag of a compressed response works for If-None-Match and If-Match', async () => {
  const accepted = { 'accept-encoding': 'br' }
  const list = await ask('/divisions', accepted)
  const tag = list.headers.etag as string
  // Other bytes than those of the plain answer, so by RFC 9110 not the same strong tag.
  assert.match(tag, /^W\/"/)
  for (const headers of [accepted, {}]) {
    const again = await ask('/divisions', { ...headers, 'if-none-match': tag } as Record<string, string>)
    assert.equal(again.status, 304)
    assert.equal(again.headers.vary, 'Accept-Encoding')
    assert.equal(again.bytes.length, 0)
  }
  const address = 'x'.repeat(3000)
  const { id } = await service.make('/locations', { name: 'Here', address })
  const seen = await ask(`/api/v3/locations/${id}`, accepted)
  assert.equal(seen.headers['content-encoding'], 'br')
  const guarded = { headers: { 'if-match': seen.headers.etag as string } }
  assert.equal((await service.put(`/locations/${id}`, { name: 'There' }, guarded)).status, 200)
  assert.equal((await service.put(`/locations/${id}`, { name: 'Nowhere' }, guarded)).status, 412)
})

test('HEAD describes the compressed response without a body', async () => {
  const answer = await ask('/divisions', { 'accept-encoding': 'gzip' }, 'HEAD')
  assert.equal(answer.headers['content-encoding'], 'gzip')
  assert.equal(answer.bytes.length, 0)
})
