import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import pg from 'pg'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { connect } from '../src/database/connect.ts'
import type { Database } from '../src/database/database.ts'
import { verifyLedger } from '../src/records/verify.ts'
import { bringUpToDate } from '../src/service.ts'
import { digestLedger, FIXTURE_KEY, PUBLIC_URL, recordsOf, type Snapshot } from './fixtures/fixture.ts'
import { ENGINE, emptyDatabase, freshDatabase } from './harness.ts'
import { runHere } from './in-process.ts'
import { isThorough } from './thorough.ts'

const folder = new URL('./fixtures/', import.meta.url)
const versions = readdirSync(folder, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []))
const read = (path: string) => brotliDecompressSync(readFileSync(new URL(`${path}.br`, folder)))

/** A list that is asked otherwise since 0.4.0 for the same records: why, and by which parameters. */
const ASKED_NOW: Record<string, string> = {
  '/employees': '&status=all', // the active ones, unless all are asked for
  '/tasks': '&completed=all&sort=id', // the open ones, newest first
  '/leave_requests': '&sort=id', // by their first day
  '/leave_requests/pending': '&sort=id',
}

/** A list that has further records since 0.6.0, and by which parameters it has those of before. */
const MORE_NOW: Record<string, string> = {
  '/calendars': '&types[]=leave_request&types[]=holiday&types[]=birthday&types[]=anniversary', // first days
}

const askedNow = (place: string, version: string) =>
  (version <= '0.3.0' ? (ASKED_NOW[place] ?? '') : '') + (version <= '0.5.0' ? (MORE_NOW[place] ?? '') : '')

/** Figures that this version counts otherwise, on purpose: why. */
const COUNTED_NOW: Record<string, string> = {
  '/employees/9/leave_types[0].balance': 'leave accrues from the day of hiring on, not from an assignment before it',
  '/employees/9/leave_balances[0].balance': 'the same',
}

/** Values that this version shows in another form, on purpose: where, and how. */
const SHOWN_NOW: [where: RegExp, as: (then: unknown) => unknown][] = [
  [/^\/leave_requests\b.*\.leave_type_policy\.visibility$/, (then) => (then ? 'public' : 'private')],
  [/^\/calendars\b.*\.type$/, (then) => (then === 'leave' ? 'leave_request' : then)],
]
/** What stands under another name now, since its own holds text: why. */
const MOVED: Record<string, string> = { source: 'source_record' } // a candidate's source is its name

/** The database as a version left it. */
async function restore(version: string): Promise<{ url: string; remove: () => Promise<void> }> {
  const fresh = await emptyDatabase()
  if (ENGINE === 'sqlite') writeFileSync(fresh.url.replace('sqlite:', ''), read(`${version}/sqlite.db`))
  else {
    const client = new pg.Client({ connectionString: fresh.url })
    await client.connect()
    try {
      await client.query(read(`${version}/postgres.sql`).toString())
    } finally {
      await client.end()
    }
  }
  return fresh
}

/** Everything that was shown is shown still; more may be. */
function holds(now: any, then: any, at: string, version: string): void {
  if (Array.isArray(then)) {
    // A request always has somebody who decides about it, also where there is no manager.
    if (version <= '0.5.0' && then.length === 0 && at.endsWith('.approvals')) return
    assert.equal(now?.length, then.length, at)
    for (const [index, item] of then.entries()) holds(now[index], item, `${at}[${index}]`, version)
  } else if (then !== null && typeof then === 'object') {
    // Looking is a use of the key, too.
    for (const [name, value] of Object.entries(then))
      if (name !== 'last_used_at') {
        const moved = typeof now?.[name] === 'string' && value !== null && typeof value === 'object'
        holds(now?.[moved ? (MOVED[name] ?? name) : name], value, `${at}.${name}`, version)
      }
    // What a signed address says is between us and us: it works for an hour, and names the file in its own way.
  } else if (String(then).startsWith(`${PUBLIC_URL}/files/`)) assert.match(now, /\/files\//, at)
  else if (version < '0.3.0' && COUNTED_NOW[at])
    assert.notEqual(now, then, `${at} is as it was: it need not stand in the list`)
  else {
    const [, shown] = SHOWN_NOW.find(([where]) => version <= '0.3.0' && where.test(at)) ?? []
    assert.deepEqual(now, shown ? shown(then) : then, at)
  }
}

assert.ok(versions.includes('0.1.0'))

/** In their order: 0.9.0 comes before 0.10.0. */
const inOrder = versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))

/**
 * The oldest goes through all migrations, and the newest is what most people have; the long run takes them all. On PostgreSQL
 * the oldest goes through the migrations of the newest too.
 */
const inGate = ENGINE === 'sqlite' ? [inOrder.at(0), inOrder.at(-1)] : [inOrder.at(0)]
const upgraded = isThorough ? inOrder : inGate.filter((one) => one !== undefined)

for (const version of upgraded)
  describe(`a database made by version ${version}`, () => {
    const snapshot: Snapshot = JSON.parse(read(`${version}/${ENGINE}.json`).toString())

    test('starts under this version with the same records and ledger', async () => {
      const { url, remove } = await restore(version)
      const database: Database = connect(url)
      try {
        await bringUpToDate(database)
        assert.deepEqual(await digestLedger(database), snapshot.ledger)
        const config = { ...readConfig({}), LOG_LEVEL: 'silent' as const, PUBLIC_URL }
        const app = await buildApp({ config, database, clock: () => new Date(snapshot.seenAt) })
        for (const [place, records] of Object.entries(snapshot.lists))
          holds(await recordsOf(app, place, askedNow(place, version)), records, place, version)

        // Whoever was there before there was an index of words is found by theirs.
        const [person] = snapshot.lists['/employees'] as { id: number; last_name: string }[]
        const found = await recordsOf(app, '/employees', `&q=${encodeURIComponent(person?.last_name ?? '')}`)
        assert.ok(found?.some((one: any) => one.id === person?.id))
        const [vacancy] = snapshot.lists['/recruitment/vacancies'] as { id: number; title: string }[]
        const titled = await recordsOf(app, '/recruitment/vacancies', `&q=${encodeURIComponent(vacancy?.title ?? '')}`)
        assert.ok(titled?.some((one: any) => one.id === vacancy?.id))

        // Its past can be asked about from the beginning on, up to what is there now.
        const { entries } = snapshot.ledger
        const known = (number: number) => recordsOf(app, '/employees', `&status=all&known_at=${number}`)
        for (const part of [0, 0.25, 0.5, 0.75]) assert.ok(await known(Math.floor(entries * part)))
        assert.deepEqual(await known(entries), await recordsOf(app, '/employees', '&status=all'))

        // And it goes on: the next write has the next number.
        const made = await app.inject({
          method: 'POST',
          url: '/api/public/v3/divisions',
          headers: { 'x-api-key': FIXTURE_KEY },
          payload: { name: 'After the upgrade' },
        })
        assert.equal(made.statusCode, 201, made.body)
        assert.equal((await digestLedger(database)).entries, snapshot.ledger.entries + 1)
        const { head, broken } = await verifyLedger(database, 1)
        assert.deepEqual([head.number, broken], [snapshot.ledger.entries + 1, null])
      } finally {
        await database.close()
        await remove()
      }
    })
  })

test('an older version refuses a newer database with one line', async () => {
  const { url, remove } = await freshDatabase()
  try {
    const database = connect(url)
    await bringUpToDate(database)
    const row = { number: 9999, name: '9999-future.sql', checksum: 'x', applied_at: new Date().toISOString() }
    await database.write((sql) => sql.insertInto('schema_migrations').values(row).execute())
    await database.close()
    const { code, stdout, stderr } = await runHere(['serve'], { DATABASE_URL: url })
    assert.equal(code, 1)
    assert.equal(stdout, '')
    assert.match(
      stderr,
      /^cadre: The database was migrated by a newer version of Cadre \(migration 9999-future\.sql\)\. Start that version or a later one\n$/,
    )
  } finally {
    await remove()
  }
})

test('migrations contained in a fixture are unchanged', () => {
  // The dump of each version holds the migrations as that version had them.
  for (const version of versions) {
    const dump = read(`${version}/postgres.sql`)
    // The schema comes first, and then twenty megabytes of rows: of those, only the ones that name migrations are read.
    const schema = dump.subarray(0, dump.indexOf('$json$')).toString()
    const rows = dump.subarray(dump.indexOf('\ninsert into schema_migrations ')).toString()
    const migrations = new URL('../src/database/migrations/', import.meta.url)
    const known = readdirSync(migrations).filter((file) => rows.includes(`"name":"${file}"`))
    assert.ok(known.length >= 5)
    for (const file of known) assert.ok(schema.includes(readFileSync(new URL(file, migrations), 'utf8')), file)
  }
})
