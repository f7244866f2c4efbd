import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { connect } from '../../src/database/connect.ts'
import { storageAt } from '../../src/domain/files/address.ts'
import { checkFiles } from '../../src/domain/files/check.ts'
import { fileSources } from '../../src/operations.ts'
import { openService } from '../../src/service.ts'
import { FILE_PLACES, type FilePlace } from '../file-places.ts'
import { type Service, sender, startService } from '../harness.ts'
import { PICTURE } from '../samples.ts'
import { longTest } from '../thorough.ts'

const MEBIBYTE = 1024 * 1024
let place: FilePlace
let service: Service
let now = new Date('2036-06-15T12:10:00Z')
let path: string

function upload(bytes: Buffer | string, name: string, type = 'application/pdf', fields: Record<string, string> = {}) {
  const multipart = new FormData()
  for (const [field, value] of Object.entries({ name: 'Doc', document_folder_id: '1', ...fields }))
    multipart.append(field, value)
  multipart.append('document', new Blob([bytes as any], { type }), name)
  return service.send('POST', `${path}/documents`, { multipart })
}

test('while the file folder is unmounted requests fail with 503, and files are back with the folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cadre-unmounted-'))
  const mounted = join(folder, 'files')
  const own = await startService({ config: { CADRE_FILES: mounted } })
  try {
    await own.make('/document_folders', { name: 'Contracts' })
    const documents = `/employees/${(await own.hire()).id}/documents`
    const document = { name: 'Doc', document_folder_id: 1, document: 'data:text/plain;base64,QQ==' }
    const { url } = await own.make(documents, document)
    renameSync(mounted, join(folder, 'elsewhere'))
    for (const status of [
      (await fetch(url)).status,
      (await own.post(documents, { ...document, document: 'data:text/plain;base64,QkI=' })).status,
    ])
      assert.equal(status, 503)
    assert.ok(!existsSync(mounted))
    writeFileSync(mounted, '')
    assert.equal((await own.post(documents, document)).status, 503)
    rmSync(mounted)
    renameSync(join(folder, 'elsewhere'), mounted)
    assert.equal(await (await fetch(url)).text(), 'A')
    assert.equal((await own.post(documents, document)).status, 201)
  } finally {
    await own.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('uploading the same bytes again replaces a damaged file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cadre-damaged-'))
  const own = await startService({ config: { CADRE_FILES: folder } })
  try {
    await own.make('/document_folders', { name: 'Contracts' })
    const documents = `/employees/${(await own.hire()).id}/documents`
    const document = { name: 'Doc', document_folder_id: 1, document: 'data:text/plain;base64,R09PRA==' }
    await own.make(documents, document)
    const names = readdirSync(folder, { recursive: true }).map(String)
    const file = join(folder, names.find((name) => /[0-9a-f]{64}$/.test(name)) ?? '')
    for (const wrong of ['', 'BAD!']) {
      writeFileSync(file, wrong)
      assert.equal(await (await fetch((await own.make(documents, document)).url)).text(), 'GOOD')
    }
    rmSync(file)
    mkdirSync(file)
    assert.equal((await own.post(documents, document)).status, 503)
    const [{ url }] = (await own.get(documents)).body.data
    assert.equal((await fetch(url)).status, 404)
  } finally {
    await own.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a restarted service does not create a new file folder when records already have files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cadre-unmounted-'))
  const [mounted, elsewhere] = [join(folder, 'files'), join(folder, 'elsewhere')]
  const first = await startService({ config: { CADRE_FILES: mounted } })
  const apps: { close: () => Promise<unknown> }[] = []
  const anew = async () => {
    const config = { ...readConfig({ CADRE_FILES: mounted }), LOG_LEVEL: 'silent' as const }
    const app = await buildApp({ config, database: connect(first.databaseUrl) })
    apps.push(app)
    return sender(await app.listen({ host: '127.0.0.1', port: 0 }), first.key)
  }
  try {
    await first.make('/document_folders', { name: 'Contracts' })
    const documents = `/employees/${(await first.hire()).id}/documents`
    const document = { name: 'Doc', document_folder_id: 1, document: 'data:text/plain;base64,QQ==' }
    const { id } = await first.make(documents, document)
    const statuses = async (send: typeof first.send) => {
      const { url } = (await send('GET', `${documents}/${id}`)).body.data
      return [(await send('GET', url)).status, (await send('POST', documents, { json: document })).status]
    }
    const while_there = await anew()
    renameSync(mounted, elsewhere)
    const since_gone = await anew()
    assert.deepEqual(await statuses(while_there), [503, 503])
    assert.deepEqual(await statuses(since_gone), [503, 503])
    assert.ok(!existsSync(mounted))
    // What lies where a disk is to be mounted makes no store of it.
    mkdirSync(mounted)
    writeFileSync(join(mounted, '.keep'), '')
    await storageAt(mounted).open()
    assert.deepEqual(await statuses(since_gone), [503, 503])
    assert.deepEqual(readdirSync(mounted), ['.keep'])
    // Nor does a store that lies below it.
    const above = storageAt(folder)
    await above.open()
    assert.equal(await above.isBegun(), false)
    // Whoever says so begins anew.
    writeFileSync(join(mounted, '.cadre-files'), '')
    assert.deepEqual(await statuses(since_gone), [404, 201])
    rmSync(mounted, { recursive: true })
    renameSync(elsewhere, mounted)
    assert.deepEqual(await statuses(while_there), [200, 201])
  } finally {
    for (const app of apps) await app.close()
    await first.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('while the file folder is away deletions wait and do not pile up', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cadre-unmounted-'))
  const mounted = join(folder, 'files')
  const own = await startService({ config: { CADRE_FILES: mounted } })
  try {
    await own.make('/document_folders', { name: 'Contracts' })
    const documents = `/employees/${(await own.hire()).id}/documents`
    const { id } = await own.make(documents, {
      name: 'A',
      document_folder_id: 1,
      document: 'data:text/plain;base64,QQ==',
    })
    const { ledger } = openService({ database: own.database, filesAt: mounted })
    renameSync(mounted, join(folder, 'elsewhere'))
    assert.equal((await own.delete(`${documents}/${id}`)).status, 204)
    for (let times = 0; times < 3; times++) await ledger.afterCommit.runPending()
    assert.deepEqual(
      (await ledger.afterCommit.pending()).map(({ kind }) => kind),
      ['drop_file'],
    )
    renameSync(join(folder, 'elsewhere'), mounted)
    await ledger.afterCommit.runPending()
    assert.deepEqual(await ledger.afterCommit.pending(), [])
  } finally {
    await own.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

for (const [where, open] of Object.entries(FILE_PLACES))
  describe(where, () => {
    before(async () => {
      place = await open()
      service = await startService({ config: { CADRE_FILES: place.address }, clock: () => now })
      await service.post('/document_folders', { name: 'Contracts' })
      await service.post('/document_folders', { name: 'Letters' })
      const { id } = (await service.post('/employees', { first_name: 'Ada', last_name: 'L' })).body.data
      path = `/employees/${id}`
    })
    after(async () => {
      await service.stop()
      await place.stop()
    })

    // The limit is the same for both.
    const testOfSize = where === 'in a folder' ? test : longTest
    const uri = (length: number) => `data:application/pdf;base64,${Buffer.alloc(length, 65).toString('base64')}`
    const post = (document: string) => service.post(`${path}/documents`, { name: 'L', document_folder_id: 1, document })
    longTest('a file as a data URI may have at most 25 MiB', async () => {
      const most = 25 * 1024 * 1024
      const largest = await post(uri(most))
      assert.deepEqual([largest.status, (await post(uri(most + 1))).status], [201, 413])
      await service.delete(`${path}/documents/${largest.body.data.id}`)
    })

    test('malformed base64 is rejected', async () => {
      assert.equal((await post(`data:text/plain;base64,QQ==${'='.repeat(1000)}`)).status, 422)
    })

    describe('documents', () => {
      test('can be links with all documented fields', async () => {
        const made = await service.send('POST', `${path}/documents`, {
          form: { url: 'https://example.com/a.pdf', document_folder_id: 1, name: 'Contract' },
        })
        assert.equal(made.status, 201)
        const { id, created_at, updated_at, document_folder, ...rest } = made.body.data
        assert.deepEqual(rest, {
          name: 'Contract',
          type: 'link',
          url: 'https://example.com/a.pdf',
          expires_at: null,
          document_folder_id: document_folder.id,
        })
        assert.deepEqual(Object.keys(document_folder), ['id', 'name', 'description', 'created_at', 'updated_at'])
        assert.equal(
          (await service.post(`${path}/documents`, { name: 'X', document_folder_id: 1, url: 'javascript:alert(1)' }))
            .body.errors[0].field,
          'url',
        )
        assert.equal(
          (await service.post(`${path}/documents`, { name: 'X', document_folder_id: 1 })).body.errors[0].code,
          'required',
        )
        assert.equal((await service.get(`${path}/documents?document_folder_id=2`)).body.data.length, 0)
        assert.equal((await service.get(`${path}/documents?document_folder_id=1`)).body.data.length, 1)
        assert.equal((await service.delete('/document_folders/1')).status, 409)
      })

      test('are downloaded from signed URLs that expire, and never open as a page', async () => {
        const made = await upload('%PDF-1.7 secret', 'contract ü.pdf')
        assert.equal(made.status, 201, made.text)
        const { url, type, expires_at } = made.body.data
        assert.equal(type, 'file')
        assert.equal(expires_at, '2036-06-15T14:00:00.000Z')
        const file = await fetch(url)
        assert.equal(await file.text(), '%PDF-1.7 secret')
        assert.equal(file.headers.get('content-disposition'), "attachment; filename*=UTF-8''contract%20%C3%BC.pdf")
        assert.equal(file.headers.get('x-content-type-options'), 'nosniff')
        assert.match(file.headers.get('content-security-policy') ?? '', /sandbox/)
        assert.equal((await fetch(`${url}x`)).status, 404)
        assert.equal((await fetch(url.replace(/.$/, (last: string) => (last === 'A' ? 'B' : 'A')))).status, 404)
        now = new Date('2036-06-15T14:00:00Z')
        assert.equal((await fetch(url)).status, 404)
        now = new Date('2036-06-15T12:10:00Z')
        assert.equal((await service.delete(`${path}/documents/${made.body.data.id}`)).status, 204)
      })

      test('support range requests to resume a download', async () => {
        const { url, id } = (await upload('0123456789', 'digits.txt', 'text/plain')).body.data
        const ask = async (headers: Record<string, string>, method = 'GET') => {
          const answer = await fetch(url, { method, headers })
          const [range, length] = ['content-range', 'content-length'].map((name) => answer.headers.get(name))
          return [answer.status, range, length, answer.status === 416 ? '' : await answer.text()]
        }
        assert.deepEqual(await ask({ range: 'bytes=2-4' }), [206, 'bytes 2-4/10', '3', '234'])
        assert.deepEqual(await ask({ range: 'bytes=7-' }), [206, 'bytes 7-9/10', '3', '789'])
        assert.deepEqual(await ask({ range: 'bytes=-2' }), [206, 'bytes 8-9/10', '2', '89'])
        assert.deepEqual(await ask({ range: 'bytes=8-99' }), [206, 'bytes 8-9/10', '2', '89'])
        assert.deepEqual(await ask({ range: 'bytes=-99' }), [206, 'bytes 0-9/10', '10', '0123456789'])
        for (const range of ['bytes=10-', 'bytes=10-12', 'bytes=5-4', 'bytes=-0'])
          assert.deepEqual((await ask({ range })).slice(0, 2), [416, 'bytes */10'], range)
        const all = [200, null, '10', '0123456789']
        for (const range of ['bytes=-', 'bytes=0-1,4-5', 'lines=1-2', 'bytes=a-b'])
          assert.deepEqual(await ask({ range }), all, range)
        assert.deepEqual(await ask({ range: 'bytes=2-4', 'if-range': '"another"' }), all)
        assert.deepEqual(await ask({}), all)
        assert.deepEqual(await ask({ range: 'bytes=2-4' }, 'HEAD'), [200, null, '10', ''])
        assert.equal((await fetch(url)).headers.get('accept-ranges'), 'bytes')
        await service.delete(`${path}/documents/${id}`)
        for (const method of ['GET', 'HEAD']) assert.equal((await ask({ range: 'bytes=2-4' }, method))[0], 404)
      })

      test('can be sent as data URIs, and identical bytes are stored once', async () => {
        const document = `data:text/html;name=page.html;base64,${Buffer.from('<script>alert(1)</script>').toString('base64')}`
        const [one, two] = [
          await service.post(`${path}/documents`, { name: 'A', document_folder_id: 1, document }),
          await upload('<script>alert(1)</script>', 'b.png', 'image/png'),
        ]
        assert.equal(one.status, 201, one.text)
        const page = await fetch(one.body.data.url)
        assert.equal(page.headers.get('content-type'), 'application/octet-stream')
        assert.match(page.headers.get('content-disposition') ?? '', /^attachment/)
        assert.equal(await (await fetch(two.body.data.url)).text(), '<script>alert(1)</script>')
        const kept = place.keys().map((key) => key.split('/').at(-1))
        assert.equal(new Set(kept).size, kept.length)
        assert.equal(
          (await service.post(`${path}/documents`, { name: 'A', document_folder_id: 1, document: 'not a file' })).body
            .errors[0].field,
          'document',
        )
        assert.equal(
          (await service.post(`${path}/documents`, { name: 'A', document_folder_id: 1, document: { bytes: 'x' } })).body
            .errors[0].field,
          'document',
        )
      })

      testOfSize('of 25 MiB are accepted, and one byte more is rejected', async () => {
        assert.equal((await upload(Buffer.alloc(25 * MEBIBYTE), 'large.bin')).status, 201)
        const larger = await upload(Buffer.alloc(25 * MEBIBYTE + 1), 'larger.bin')
        assert.equal(larger.status, 413)
        assert.equal(larger.body.code, 'too_large')
      })

      test('with a path in the file name keep only its last part', async () => {
        for (const name of ['../../etc/passwd', '..\\..\\windows\\system.ini', '/etc/shadow']) {
          const { body } = await upload(`content of ${name}`, name)
          const file = await fetch(body.data.url)
          const shown = decodeURIComponent(file.headers.get('content-disposition')?.split("''")[1] ?? '')
          assert.match(shown, /^(passwd|system\.ini|shadow)$/)
        }
        for (const key of place.keys()) assert.match(key, /^documents\/[0-9a-f]{2}\/[0-9a-f]{64}$/)
      })

      test('of a rejected write leave no file behind', async () => {
        const before = place.keys()
        const document = `data:text/plain;base64,${Buffer.from('never to be kept').toString('base64')}`
        const refused = await service.post(`${path}/documents`, { name: 'D', document_folder_id: 987_654, document })
        assert.equal(refused.status, 422)
        assert.deepEqual(place.keys(), before)
      })

      test('are checked against the records: files without a record and records without a file are found', async () => {
        const { body } = await upload('to be lost', 'lost.txt')
        const hash = createHash('sha256').update('to be lost').digest('hex')
        const [there, elsewhere] = [`documents/${hash.slice(0, 2)}/${hash}`, `documents/ab/${'ab'.repeat(32)}`]
        const lying = storageAt(place.address)
        await lying.copy(there, elsewhere)
        await lying.remove(there)
        const { files } = openService({ database: service.database, filesAt: place.address })
        const look = (remove: boolean) =>
          checkFiles(service.database, files, fileSources, { remove, now: new Date(Date.now() + 4_000_000) })
        const found = await look(true)
        assert.ok(found.orphans.includes(lying.nameOf(elsewhere)))
        assert.deepEqual(found.missing, [`employee_documents ${body.data.id} of account ${service.account.id}`])
        assert.deepEqual((await look(false)).orphans, [])
        await service.delete(`${path}/documents/${body.data.id}`)
      })

      test('in a truncated multipart body are rejected and leave nothing behind', async () => {
        const count = (await service.get(`${path}/documents`)).body.data.length
        const boundary = 'xyz'
        const cut = `--${boundary}\r\nContent-Disposition: form-data; name="name"\r\n\r\nDoc\r\n--${boundary}\r\nContent-Disposition: form-data; name="document"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\nhalf of`
        const status = await new Promise((resolve, reject) => {
          const { hostname, port } = new URL(service.url)
          const headers = {
            'x-api-key': service.key,
            'content-type': `multipart/form-data; boundary=${boundary}`,
            'content-length': Buffer.byteLength(cut),
          }
          const sent = request(
            { hostname, port, method: 'POST', path: `/api/v3${path}/documents`, headers },
            (response) => {
              response.resume()
              resolve(response.statusCode)
            },
          )
          sent.on('error', reject)
          sent.end(cut)
        })
        assert.equal(status, 400)
        assert.equal((await service.get(`${path}/documents`)).body.data.length, count)
      })
    })

    test('expires and expires_on of a certification must agree, and one follows from the other', async () => {
      const all = `${path}/certifications`
      const bare = { name: 'First aid', issuer: 'Red Cross' }
      const day = '2040-01-31'
      const shown = ({ expires, expires_on }: any) => [expires, expires_on]
      for (const [sent, expected] of [
        [{}, [false, null]],
        [{ expires_on: day }, [true, day]],
        [{ expires: null, expires_on: day }, [true, day]],
        [{ expires: true, expires_on: day }, [true, day]],
        [{ expires: false, expires_on: null }, [false, null]],
      ] as const)
        assert.deepEqual(shown(await service.make(all, { ...bare, ...sent })), expected, JSON.stringify(sent))
      const wrong = async (answer: Promise<any>) =>
        (await answer).body.errors?.map(({ field, code }: any) => `${field} ${code}`)
      assert.deepEqual(await wrong(service.post(all, { ...bare, expires: false, expires_on: day })), [
        'expires mismatch',
      ])
      assert.deepEqual(await wrong(service.post(all, { ...bare, expires: true })), ['expires_on required'])
      assert.deepEqual(await wrong(service.post(all, { ...bare, expires: true, expires_on: 'soon' })), [
        'expires_on invalid',
      ])

      const made = await service.make(all, bare)
      const one = `${all}/${made.id}`
      const change = async (json: object) => shown((await service.put(one, json)).body.data)
      assert.deepEqual(await change({ expires_on: day }), [true, day])
      assert.deepEqual(await change({ issuer: 'Cross' }), [true, day])
      assert.deepEqual(await change({ expires: true }), [true, day])
      assert.deepEqual(await wrong(service.put(one, { expires: false })), ['expires mismatch'])
      assert.deepEqual(await wrong(service.put(one, { expires: true, expires_on: null })), ['expires_on required'])
      assert.deepEqual(await change({ expires_on: null }), [false, null])
      assert.deepEqual(await wrong(service.put(one, { expires: true })), ['expires_on required'])
      assert.deepEqual(await change({ ...made, expires: true, expires_on: day }), [true, day])
      assert.deepEqual(await change({ expires: false, expires_on: '' }), [false, null])
    })

    describe('attachments of certifications', () => {
      const certificate = { name: 'First aid', issuer: 'Red Cross' }
      const uri = (text: string) => `data:text/plain;name=aid.txt;base64,${Buffer.from(text).toString('base64')}`
      const kept = () => place.keys().filter((key) => key.startsWith('certifications/'))

      test('are sent as data URI or multipart, downloaded from a signed URL, replaced and removed', async () => {
        const bare = await service.make(`${path}/certifications`, certificate)
        assert.deepEqual([bare.attachment_url, bare.attachment_expires_at], [null, null])
        const made = await service.make(`${path}/certifications`, { ...certificate, attachment: uri('first') })
        const one = `${path}/certifications/${made.id}`
        assert.equal(made.attachment_expires_at, '2036-06-15T14:00:00.000Z')
        const first = await fetch(made.attachment_url)
        assert.deepEqual(
          [await first.text(), first.headers.get('content-disposition')],
          ['first', "attachment; filename*=UTF-8''aid.txt"],
        )
        assert.equal((await service.put(one, { issuer: 'Cross' })).body.data.attachment_url, made.attachment_url)

        const multipart = new FormData()
        multipart.append('attachment', new Blob(['second'], { type: 'application/pdf' }), 'aid.pdf')
        const replaced = (await service.send('PUT', one, { multipart })).body.data
        assert.equal(replaced.issuer, 'Cross')
        assert.equal(await (await fetch(replaced.attachment_url)).text(), 'second')
        assert.equal((await fetch(made.attachment_url)).status, 404)
        assert.equal(kept().length, 1, 'the bytes of the first are gone')

        const without = (await service.put(one, { attachment: null })).body.data
        assert.deepEqual([without.attachment_url, (await fetch(replaced.attachment_url)).status], [null, 404])
        assert.equal(kept().length, 0)
      })

      test('that are not files are rejected with all other errors and leave nothing behind', async () => {
        const refused = await service.post(`${path}/certifications`, {
          name: '',
          issuer: 'I',
          issued_on: '2030-01-01',
          expires_on: '2029-01-01',
          attachment: 'not a file',
        })
        assert.deepEqual(refused.body.errors.map((error: any) => error.field).sort(), [
          'attachment',
          'expires_on',
          'name',
        ])
        const { id } = await service.make(`${path}/certifications`, { ...certificate, attachment: uri('kept') })
        const wrong = { attachment: uri('never'), expires_on: '1999-01-01', issued_on: '2000-01-01' }
        assert.equal((await service.put(`${path}/certifications/${id}`, wrong)).status, 422)
        assert.equal(kept().length, 1)
        await service.delete(`${path}/certifications/${id}`)
        assert.equal(kept().length, 0, 'a file goes with its record')
      })
    })

    describe('avatars', () => {
      test('can also be set at /update_avatar with the same rules', async () => {
        const set = await service.put(`${path}/update_avatar`, { avatar: PICTURE })
        assert.deepEqual([set.status, set.body.data.id], [200, Number(path.split('/').at(-1))])
        assert.match(set.body.data.avatar_url, /\.png$/)
        const multipart = new FormData()
        multipart.append('avatar', new Blob([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 9])]), 'me.png')
        assert.match((await service.send('PUT', `${path}/update_avatar`, { multipart })).body.data.avatar_url, /\.jpg$/)
        assert.equal((await service.put(`${path}/update_avatar`, { avatar: 'me.png' })).body.errors[0].field, 'avatar')
        assert.equal((await service.put('/employees/987654/update_avatar', { avatar: PICTURE })).status, 404)
        for (const nothing of [{ json: { avatar: null } }, { json: { avatar: '' } }, { form: { avatar: '' } }]) {
          await service.put(`${path}/update_avatar`, { avatar: PICTURE })
          const cleared = await service.send('PUT', `${path}/update_avatar`, nothing)
          assert.match(cleared.body.data?.avatar_url, /initials/, cleared.text)
        }
        assert.equal((await service.put(`${path}/update_avatar`, {})).status, 422)
      })

      test('are recognised as images by content, and served from this service', async () => {
        const set = await service.send('PUT', `${path}/avatar`, { json: { avatar: PICTURE } })
        assert.equal(set.status, 200, set.text)
        assert.match(set.body.data.avatar_url, /\/avatars\/[0-9a-f]{64}\.png$/)
        const picture = await fetch(set.body.data.avatar_url)
        assert.equal(picture.headers.get('content-type'), 'image/png')
        const multipart = new FormData()
        multipart.append('avatar', new Blob([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])]), 'me.png')
        assert.match((await service.send('PUT', `${path}/avatar`, { multipart })).body.data.avatar_url, /\.jpg$/)
        assert.match(
          (await service.send('PUT', `${path}/avatar`, { json: { avatar: null } })).body.data.avatar_url,
          /\/avatars\/initials\/AL\.svg$/,
        )
      })

      test('that are not images, or too large, are rejected', async () => {
        const send = (bytes: Buffer, name: string) => {
          const multipart = new FormData()
          multipart.append('avatar', new Blob([bytes as any], { type: 'image/png' }), name)
          return service.send('PUT', `${path}/avatar`, { multipart })
        }
        assert.equal(
          (await send(Buffer.from('<html><script>alert(1)</script>'), 'picture.png')).body.errors[0].code,
          'invalid',
        )
        assert.equal(
          (
            await send(
              Buffer.concat([Buffer.from(PICTURE.split(',')[1] as string, 'base64'), Buffer.alloc(5 * MEBIBYTE)]),
              'big.png',
            )
          ).status,
          413,
        )
        assert.equal((await service.put(`${path}/avatar`, { avatar: 'https://example.com/me.png' })).status, 422)
        assert.match((await service.get(path)).body.data.avatar_url, /initials/)
      })
    })
  })
