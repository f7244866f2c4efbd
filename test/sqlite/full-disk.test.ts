import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import { sender, startService } from '../harness.ts'
import { runHere, type ServiceHere, startHere } from '../in-process.ts'
import { type ServiceProcess, startProcess } from '../process.ts'
import { PICTURE } from '../samples.ts'
import { longTest } from '../thorough.ts'

const KEY = 'a-key-for-the-full-disk-0123456789-abc'

/** A place that can be full: where it is, and how it gets and stops being so. */
type Disk = {
  folder: string
  fill: (service: ServiceProcess) => void
  free: (service: ServiceProcess) => void
  remove: () => void
}

/** A disk of its own, as small as that: full in every sense. */
function smallDisk(): Disk {
  const folder = mkdtempSync(join(tmpdir(), 'cadre-full-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', folder], { stdio: 'ignore' })
  const filler = join(folder, 'filler')
  return {
    folder,
    fill() {
      for (const size of [1 << 20, 1 << 12])
        for (let isLeft = true; isLeft; ) {
          try {
            writeFileSync(filler, Buffer.alloc(size), { flag: 'a' })
          } catch {
            isLeft = false
          }
        }
    },
    free: () => rmSync(filler),
    remove() {
      execFileSync('umount', [folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** No file of the process may grow any more. */
function limitedFiles(): Disk {
  const folder = mkdtempSync(join(tmpdir(), 'cadre-full-'))
  const limit = (service: ServiceProcess, size: string) =>
    execFileSync('prlimit', ['--pid', String(service.child.pid), `--fsize=${size}:unlimited`])
  return {
    folder,
    fill: (service) => limit(service, String(statSync(join(folder, 'cadre.db-wal')).size)),
    free: (service) => limit(service, 'unlimited'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const canMount = () => {
  try {
    smallDisk().remove()
    return true
  } catch {
    return false
  }
}

// One of them is in the gate: the real thing, where this user may mount it.
for (const [name, make] of Object.entries({ 'a full disk': smallDisk, 'files that may not grow': limitedFiles }))
  (make === smallDisk || !canMount() ? test : longTest)(
    `with ${name} writes fail and change nothing, reads work, and writes work again with free space`,
    async (context) => {
      let disk: Disk
      try {
        disk = make()
        if (make === limitedFiles) execFileSync('prlimit', ['--version'])
      } catch {
        return context.skip(make === smallDisk ? 'this user may not mount a disk' : 'there is no prlimit here')
      }
      const files = join(disk.folder, 'files')
      const environment = {
        DATABASE_URL: `sqlite:${join(disk.folder, 'cadre.db')}`,
        CADRE_API_KEY: KEY,
        CADRE_FILES: files,
      }
      if (process.env.TEST_TEMPLATE) copyFileSync(process.env.TEST_TEMPLATE, join(disk.folder, 'cadre.db'))
      const service = await startProcess({ ...environment, LOG_LEVEL: 'silent' })
      let again: ServiceHere | undefined
      let send = sender(service.url, KEY)
      const acknowledged: string[] = []
      let n = 0
      const add = async () => {
        const division = `Division ${++n}`
        const { status } = await send('POST', '/divisions', { json: { name: division } })
        if (status === 201) acknowledged.push(division)
        return status
      }
      const stored = async () => {
        const names: string[] = []
        for (let page = 1, pages = 1; page <= pages; page++) {
          const { status, body } = await send('GET', `/divisions?page=${page}`)
          assert.equal(status, 200)
          pages = body.metadata.pages
          names.push(...body.data.map((one: any) => one.name))
        }
        return names
      }
      const upload = () =>
        send('POST', '/recruitment/candidates', { json: { full_name: `Grace ${n++}`, resume: PICTURE } })
      try {
        for (let first = 0; first < 5; first++) assert.equal(await add(), 201)
        disk.fill(service)
        // What is left of a page may still take a write or two.
        const statuses = await Promise.all(Array.from({ length: 40 }, add))
        for (let more = 0; more < 20; more++) statuses.push(await add())
        assert.deepEqual(
          [...new Set(statuses)].filter((one) => ![201, 503, 507].includes(one)),
          [],
          String(statuses),
        )
        assert.ok(
          statuses.slice(-10).every((one) => one === 503 || one === 507),
          String(statuses),
        )
        if (make === smallDisk) assert.ok(statuses.includes(507))
        assert.ok([503, 507].includes((await upload()).status))
        assert.deepEqual(await stored(), acknowledged)
        assert.equal((await send('GET', '/recruitment/candidates')).body.metadata.count, 0)
        assert.equal((await fetch(`${service.url}/healthz`)).status, 200)
        assert.equal((await fetch(`${service.url}/readyz`)).status === 200, false)

        disk.free(service)
        assert.equal(await add(), 201)
        assert.equal((await upload()).status, 201)
        assert.deepEqual(await stored(), acknowledged)
        assert.equal(await service.stop('SIGKILL'), null)
        again = await startHere(environment)
        send = sender(again.url, KEY)
        assert.deepEqual(await stored(), acknowledged)
        assert.match((await runHere(['files', 'check'], environment)).stdout, / 0 files of records are missing/)
      } finally {
        await service.stop()
        await again?.stop()
        disk.remove()
      }
    },
  )

test('/readyz fails while writes fail for lack of space, even if small writes still fit', async () => {
  const service = await startService()
  const limit = (pages: number) =>
    service.database.write((sql) => sql.executeQuery(CompiledQuery.raw(`pragma max_page_count = ${pages}`)))
  const ready = async () => (await fetch(`${service.url}/readyz`)).status
  const add = async (n: number) => (await service.post('/divisions', { name: `${n} ${'x'.repeat(200)}` })).status
  try {
    assert.equal(await ready(), 200)
    await limit(1)
    let status = 201
    for (let n = 0; status === 201 && n < 200; n++) status = await add(n)
    assert.equal(status, 507)
    await setTimeout(1100)
    assert.equal(await ready(), 507)
    await limit(1_000_000)
    assert.equal(await add(1000), 201)
    await setTimeout(1100)
    assert.equal(await ready(), 200)
  } finally {
    await service.stop()
  }
})
