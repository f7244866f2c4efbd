import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { connect } from '../src/database/connect.ts'
import type { Database } from '../src/database/database.ts'
import { migrate, readMigrations } from '../src/database/migrate.ts'
import { findKey, hashKey } from '../src/domain/access/keys.ts'
import { findSession } from '../src/domain/sign-in/sessions.ts'
import { ENGINE, emptyDatabase, freshDatabase } from './harness.ts'

async function withDatabase(
  work: (database: Database, url: string) => Promise<void>,
  made: typeof freshDatabase = emptyDatabase,
): Promise<void> {
  const { url, remove } = await made()
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

test('two processes that migrate at the same time do not race', () =>
  withDatabase(async (database, url) => {
    const second = connect(url)
    const ran = await Promise.all([migrate(database), migrate(second)])
    await second.close()
    assert.equal(ran.flat().length, readMigrations().length)
  }))

test('a database of a newer version is rejected', () =>
  withDatabase(async (database) => {
    const row = { number: 9999, name: '9999-future.sql', checksum: 'x', applied_at: new Date().toISOString() }
    await database.write((sql) => sql.insertInto('schema_migrations').values(row).execute())
    await assert.rejects(migrate(database), /newer version/)
  }, freshDatabase))

test('a migration that changed after it ran is rejected', () =>
  withDatabase(async (database) => {
    await database.write((sql) =>
      sql.updateTable('schema_migrations').set({ checksum: 'x' }).where('number', '=', 1).execute(),
    )
    await assert.rejects(migrate(database), /is not the one that was applied/)
  }, freshDatabase))

test('the database rejects a reference into another account', () =>
  withDatabase(async (database) => {
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
  }, freshDatabase))

/** Brings the schema to what it was before a migration. */
const migrateUntil = (database: Database, number: number) =>
  database.withMigrationLock(async (db) => {
    await sql`create table schema_migrations (
      number integer primary key, name text not null, checksum text not null, applied_at timestamptz not null)`.execute(
      db,
    )
    for (const { statements, ...migration } of readMigrations().filter((one) => one.number < number)) {
      for (const statement of statements) await sql.raw(database.ddl(statement)).execute(db)
      const { number, name, checksum } = migration
      const applied_at = new Date().toISOString()
      await db.insertInto('schema_migrations').values({ number, name, checksum, applied_at }).execute()
    }
  })

test('migrated leave policies become terms from the first day, and requests keep their daily amounts', () =>
  withDatabase(async (database) => {
    await migrateUntil(database, 11)
    const now = '2026-03-01T08:00:00.000Z'
    const stamps = { created_at: now, updated_at: now }
    const own = { account_id: 1, id: 7, ...stamps }
    const account = { id: 1, name: 'A', time_zone: 'UTC', currency_code: 'EUR', signing_key: 'k' }
    const person = { first_name: 'A', last_name: 'B', access: false }
    const policy = { activity_type: 'working_paid', counted_as: 'calendar_days', visibility: false, floor: -5 }
    const assigned = { employee_id: 7, leave_type_id: 7, leave_type_policy_id: 7 }
    await database.write(async (db) => {
      const add = (table: string, ...rows: object[]) => db.insertInto(table).values(rows).execute()
      await add('accounts', { ...account, turn_at: now, created_at: now })
      await add('employees', { ...own, ...person, employee_number: '7', employee_number_key: '7' })
      await add('leave_types', { ...own, name: 'T', name_key: 't', unit: 'days' })
      await add('leave_policies', {
        ...{ ...own, ...policy, name: 'P', name_key: 'p', leave_type_id: 7 },
        ...{ type: 'accrual', yearly_amount: 240_000, credit: 'monthly', carry_over_limit: null },
      })
      await add('employee_leave_types', { ...own, ...assigned, effective_on: '2026-01-01' })
      const days = { starts_on: '2026-03-02', ends_on: '2026-03-03', amount: 15_000, comment: '', state: 'approved' }
      await add('leave_requests', { ...own, ...assigned, ...days }, { ...own, ...assigned, ...days, id: 8 })
      const entry = { ...own, leave_request_id: 7, employee_id: 7, minutes: 480 }
      await add(
        'leave_entries',
        { ...entry, date: '2026-03-02', amount: 10_000 },
        { ...entry, id: 8, date: '2026-03-03', amount: 5000 },
      )
      await add('counters', { account_id: 1, resource: 'leave_policies', last_id: 9, live: 1 })
    })
    await migrate(database)
    const rows = (table: string) =>
      database.query((db) => db.selectFrom(table).selectAll().orderBy('id').execute()) as Promise<any[]>
    assert.deepEqual(
      (await rows('leave_policy_terms')).map((row) => ({ ...row })),
      [
        {
          ...{ account_id: 1, id: 7, leave_policy_id: 7, effective_from: '1900-01-01', effective_until: '9999-12-31' },
          ...{ activity_type: 'working_paid', counted_as: 'calendar_days', yearly_amount: 240_000, credit: 'monthly' },
          ...{ carry_over_limit: null, floor: -5, ...stamps },
          // What policies could not say then.
          ...{ part_time: 'same', full_time_hours: 400_000, full_time_days: 50_000 },
          ...{
            tenure_steps: '[]',
            tenure_steps_from: 'anniversary',
            credit_at: 'start_of_period',
            proration: 'started_months',
          },
          ...{ rounding: 'none', rounding_step: 10_000 },
          ...{ carry_over_until: null, carry_over_months: null, maximum_balance: null },
          ...{ paid_percentage: null, waiting_period: null, waiting_period_unit: 'months', notice_days: null },
          ...{ allowed_in_probation: ENGINE === 'sqlite' ? 1 : true, day_amounts: 'any', attachment_from_day: null },
          ...{ minimum_amount: null, maximum_amount: null, monthly_maximum: null, yearly_maximum: null },
          ...{ overtime_factor: null, overtime_months: null, on_leaving: null },
          ...{
            age_steps: '[]',
            age_steps_from: 'start_of_month',
            pay_period_starts_on: null,
            hours_worked_percentage: null,
          },
          stated: '["activity_type","counted_as","yearly_amount","credit","carry_over_limit","floor"]',
        },
      ],
    )
    const counters = await database.query((db) => db.selectFrom('counters').selectAll().execute())
    assert.deepEqual(
      counters.filter((row) => row.resource === 'leave_policy_terms').map((row) => [row.last_id, row.live]),
      [[9, 1]],
    )
    assert.deepEqual(
      (await rows('leave_requests')).map((row) => row.asked && JSON.parse(row.asked)),
      [{ '2026-03-02': 10_000, '2026-03-03': 5000 }, null],
    )
    assert.deepEqual(
      (await rows('leave_entries')).map((row) => [row.date, row.amount, row.leave_type_policy_id]),
      [
        ['2026-03-02', 10_000, 7],
        ['2026-03-03', 5000, 7],
      ],
    )
    assert.equal((await rows('employee_leave_types'))[0].ends_on, null)
  }))

test('migrated job entries state only what differs from the previous one or was set on purpose', () =>
  withDatabase(async (database) => {
    await migrateUntil(database, 36)
    const now = '2026-03-01T08:00:00.000Z'
    const own = { account_id: 1, created_at: now, updated_at: now }
    const account = { id: 1, name: 'A', time_zone: 'UTC', currency_code: 'EUR', signing_key: 'k' }
    const person = { first_name: 'A', last_name: 'B', access: false, employee_number: '7', employee_number_key: '7' }
    const told = { request_id: 'r', operation: 'updateEmployeePosition', resource: 'employee_positions' }
    await database.write(async (db) => {
      const add = (table: string, ...rows: object[]) => db.insertInto(table).values(rows).execute()
      await add('accounts', { ...account, turn_at: now, created_at: now })
      await add('employees', { ...own, ...person, id: 7 })
      for (const id of [1, 2]) await add('positions', { ...own, id, name: `P${id}`, name_key: `p${id}` })
      await add('locations', { ...own, id: 1, name: 'L', name_key: 'l', time_zone: 'UTC' })
      const line = { ...own, employee_id: 7, location_id: 1 }
      await add(
        'employee_positions',
        { ...line, id: 3, position_id: 2, effective_from: '2027-01-01', effective_until: '9999-12-31' },
        { ...line, id: 2, position_id: 2, effective_from: '2026-02-01', effective_until: '2027-01-01' },
        { ...line, id: 1, position_id: 1, effective_from: '2026-01-01', effective_until: '2026-02-01' },
      )
      const update = { account_id: 1, at: now, record_id: 3, action: 'update', before: '{"location_id":2}' }
      await add('ledger', { ...told, ...update, no: 1, after: '{"location_id":1}' })
    })
    await migrate(database)
    const rows = await database.query((db) => db.selectFrom('employee_positions').selectAll().orderBy('id').execute())
    const [first, second, third] = rows.map((row) => JSON.parse(row.stated))
    assert.equal(first.length, 8, 'The first one has nothing to inherit from')
    assert.deepEqual([second, third], [['position_id'], ['location_id']])
  }))

test('migrated keys and sessions work in their accounts', () =>
  withDatabase(async (database) => {
    await migrateUntil(database, 34)
    const now = '2026-03-01T08:00:00.000Z'
    const stamps = { created_at: now, updated_at: now }
    const rows = (account_id: number) => {
      const own = { account_id, id: 7, ...stamps }
      const zone = { time_zone: 'UTC', currency_code: 'EUR' }
      const key = { hint: '…', permissions: '["*"]', withheld: '[]' }
      const soon = { expires_at: '2026-03-05T08:00:00.000Z' }
      return Object.entries({
        accounts: [{ id: account_id, name: 'A', ...zone, signing_key: 'k', turn_at: now, created_at: now }],
        companies: [{ ...own, name: `Company ${account_id}`, ...zone }],
        users: [{ ...own, email: 'a@example.com', email_key: 'a@example.com', name: 'A' }],
        roles: [{ ...own, name: 'R', name_key: 'r' }],
        api_keys: [
          { ...own, ...key, name: 'Upper', hash: hashKey(`upper ${account_id}`) },
          {
            ...own,
            ...key,
            id: 8,
            name: 'Lower',
            hash: hashKey(`lower ${account_id}`),
            parent_id: 7,
            made_by_user_id: 7,
          },
        ],
        api_key_uses: [{ account_id, key_id: 7, last_used_at: now }],
        api_key_roles: [{ ...own, api_key_id: 7, role_id: 7 }],
        calendar_feeds: [{ ...own, api_key_id: 7, resets: 3 }],
        sessions: [
          { ...own, user_id: 7, hash: hashKey(`session ${account_id}`), way: 'link', confirmed_at: now, ...soon },
        ],
        session_uses: [{ account_id, session_id: 7, last_used_at: now }],
        sign_in_links: [{ ...own, user_id: 7, hash: hashKey(`link ${account_id}`), purpose: 'reset', ...soon }],
      })
    }
    const all = () =>
      database.read(async (db) => {
        const found = new Map<string, string[]>()
        // Without the columns that later migrations add.
        for (const [table, some] of rows(1)) {
          const columns = [...new Set(some.flatMap((row) => Object.keys(row)))]
          const there = await db.selectFrom(table).select(columns).execute()
          found.set(table, there.map((row) => JSON.stringify(Object.entries(row).sort())).sort())
        }
        return found
      })
    await database.write(async (db) => {
      for (const [table, some] of [1, 2].flatMap(rows)) await db.insertInto(table).values(some).execute()
    })
    const before = await all()
    await migrate(database)
    assert.deepEqual(await all(), before)
    const at = new Date('2026-03-01T09:00:00Z')
    for (const id of [1, 2]) {
      assert.equal((await findKey(database, `upper ${id}`, at))?.account.name, `Company ${id}`)
      assert.equal((await findKey(database, `lower ${id}`, at))?.id, 8)
      assert.equal((await findSession(database, `session ${id}`, at))?.account.id, id)
    }
    assert.equal(await findKey(database, 'link 1', at), undefined)
  }))
