import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '../src/database/connect.ts'
import type { Database } from '../src/database/database.ts'
import { migrate, readMigrations } from '../src/database/migrate.ts'
import { freshDatabase } from './harness.ts'

async function withDatabase(work: (database: Database, url: string) => Promise<void>): Promise<void> {
  const { url, remove } = await freshDatabase()
  const database = connect(url)
  try {
    await work(database, url)
  } finally {
    await database.close()
    await remove()
  }
}

test('migrations run once, in order, and a second start finds nothing to do', () =>
  withDatabase(async (database) => {
    assert.deepEqual(
      await migrate(database),
      readMigrations().map((one) => one.name),
    )
    assert.deepEqual(await migrate(database), [])
  }))

test('two that start together do not race', () =>
  withDatabase(async (database, url) => {
    const second = connect(url)
    const ran = await Promise.all([migrate(database), migrate(second)])
    await second.close()
    assert.equal(ran.flat().length, readMigrations().length)
  }))

test('a database of a newer version is refused', () =>
  withDatabase(async (database) => {
    await migrate(database)
    const row = { number: 9999, name: '9999-future.sql', checksum: 'x', applied_at: new Date().toISOString() }
    await database.write((sql) => sql.insertInto('schema_migrations').values(row).execute())
    await assert.rejects(migrate(database), /newer version/)
  }))

test('a migration that was changed after it ran is refused', () =>
  withDatabase(async (database) => {
    await migrate(database)
    await database.write((sql) =>
      sql.updateTable('schema_migrations').set({ checksum: 'x' }).where('number', '=', 1).execute(),
    )
    await assert.rejects(migrate(database), /differs/)
  }))

test('a reference into another account cannot even be stored', () =>
  withDatabase(async (database) => {
    await migrate(database)
    const now = new Date().toISOString()
    const stamps = { created_at: now, updated_at: now }
    await database.write(async (sql) => {
      for (const id of [1, 2])
        await sql
          .insertInto('accounts')
          .values({
            id,
            name: 'A',
            time_zone: 'UTC',
            currency_code: 'EUR',
            signing_key: 'k',
            turn_at: now,
            created_at: now,
          })
          .execute()
      await sql
        .insertInto('holiday_policies')
        .values({ account_id: 1, id: 1, name: 'P', name_key: 'p', country_code: 'DE', ...stamps })
        .execute()
    })
    const location = {
      account_id: 2,
      id: 1,
      name: 'L',
      name_key: 'l',
      time_zone: 'UTC',
      holiday_policy_id: 1,
      ...stamps,
    }
    await assert.rejects(
      database.write((sql) => sql.insertInto('locations').values(location).execute()),
      /foreign key/i,
    )
  }))
