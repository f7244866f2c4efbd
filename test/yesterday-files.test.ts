import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { connect } from '../src/database/connect.ts'
import { FIXTURE_KEY } from './fixtures/fixture.ts'
import { ENGINE, sender } from './harness.ts'
import { runHere, startHere } from './in-process.ts'
import { longTest } from './thorough.ts'

/** Uploaded files as each released version left them on disk, and this version started on them. */

/** What a version put into the folder besides the files: 0.1 and 0.2 wrote drafts beside their target and set no marker. */
const BESIDE: Record<string, readonly string[]> = {
  '0.1.0': [],
  '0.2.0': [],
  '0.3.0': ['.cadre-files', '.drafts/'],
  '0.4.0': ['.cadre-files', '.drafts/'],
  '0.5.0': ['.cadre-files', '.drafts/'],
}

const BYTES = Buffer.from('a contract of an earlier version')
const HASH = createHash('sha256').update(BYTES).digest('hex')

const ofVersion = (version: string, name: string) =>
  brotliDecompressSync(readFileSync(new URL(`./fixtures/${version}/${name}.br`, import.meta.url)))

/** The data folder of a version: its database, in which a document has a file, and the folder of files as it laid it out. */
async function dataFolder(version: string) {
  const home = mkdtempSync(join(tmpdir(), 'cadre-yesterday-'))
  const database = join(home, 'cadre.db')
  const files = join(home, 'files')
  writeFileSync(database, ofVersion(version, 'sqlite.db'))
  const db = connect(`sqlite:${database}`)
  const [document] = await db.write((sql) =>
    sql
      .updateTable('employee_documents')
      .set({ file_hash: HASH })
      .where('id', '=', 1)
      .returning(['employee_id'])
      .execute(),
  )
  await db.close()
  assert.ok(document)
  const target = join(files, 'documents', HASH.slice(0, 2), HASH)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, BYTES)
  for (const name of BESIDE[version] ?? []) {
    if (name.endsWith('/')) mkdirSync(join(files, name))
    else writeFileSync(join(files, name), '')
  }
  const environment = { DATABASE_URL: `sqlite:${database}`, CADRE_FILES: files, CADRE_API_KEY: FIXTURE_KEY }
  const path = `/employees/${document.employee_id}/documents`
  return { home, files, environment, path, remove: () => rmSync(home, { recursive: true, force: true }) }
}

const upload = { name: 'After the upgrade', document_folder_id: 1, document: 'data:text/plain;base64,QQ==' }

describe('a data folder of an earlier version', { skip: ENGINE !== 'sqlite' }, () => {
  // Those between have the layout of one of these two.
  for (const version of Object.keys(BESIDE))
    (['0.1.0', '0.5.0'].includes(version) ? test : longTest)(
      `uploaded files of ${version} are found, and new uploads work`,
      async () => {
        const { environment, files, path, remove } = await dataFolder(version)
        const service = await startHere(environment)
        try {
          assert.doesNotMatch(service.output(), /marker/)
          const send = sender(service.url, FIXTURE_KEY)
          assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
          const { url } = (await send('GET', `${path}/1`)).body.data
          assert.equal((await send('GET', url)).text, BYTES.toString())
          const added = await send('POST', path, { json: upload })
          assert.equal(added.status, 201, added.text)
          assert.ok(existsSync(join(files, '.cadre-files')))
        } finally {
          await service.stop()
          remove()
        }
      },
    )

  test('this version backs up the files of 0.1.0 before its first start on them', async () => {
    const { environment, home, remove } = await dataFolder('0.1.0')
    try {
      const copy = join(home, 'copy')
      const { code, stdout, stderr } = await runHere(['backup', join(home, 'copy.db'), '--files', copy], environment)
      assert.match(stderr + stdout, /Backed up the files to/)
      assert.ok(existsSync(join(copy, 'documents', HASH.slice(0, 2), HASH)))
      // The fixture has further documents, whose files nobody has kept.
      assert.equal(code, 1)
    } finally {
      remove()
    }
  })

  test('a folder without the known files is refused: uploads fail and the service is not ready', async () => {
    const { environment, files, path, home, remove } = await dataFolder('0.5.0')
    renameSync(files, join(home, 'unmounted'))
    // Files that are no record's, in the same layout.
    const other = createHash('sha256').update('other').digest('hex')
    mkdirSync(join(files, 'documents', other.slice(0, 2)), { recursive: true })
    writeFileSync(join(files, 'documents', other.slice(0, 2), other), 'other')
    const service = await startHere(environment)
    try {
      const advice = `${files} does not contain the marker file .cadre-files, although the database refers to uploaded files. Check CADRE_FILES, and that the folder is mounted. If it is the right folder, create an empty file with the name .cadre-files in it.`
      assert.ok(service.output().includes(`${advice} Uploads are rejected until then.\n`), service.output())
      const send = sender(service.url, FIXTURE_KEY)
      assert.equal((await send('POST', path, { json: upload })).status, 503)
      const ready = await fetch(`${service.url}/readyz`)
      assert.equal(ready.status, 503)
      assert.match(
        ((await ready.json()) as { detail: string }).detail,
        /^The file storage is not usable\. Ask the administrator/,
      )
      // What the operator is told to do is enough.
      writeFileSync(join(files, '.cadre-files'), '')
      assert.equal((await send('POST', path, { json: upload })).status, 201)
      await new Promise((resolve) => setTimeout(resolve, 1100))
      assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
      // A disk that goes away while the service runs.
      renameSync(files, join(home, 'gone'))
      await new Promise((resolve) => setTimeout(resolve, 1100))
      assert.equal((await fetch(`${service.url}/readyz`)).status, 503)
    } finally {
      await service.stop()
      remove()
    }
  })
})
