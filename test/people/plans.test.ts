import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { ENGINE, type Service, startService } from '../harness.ts'

let service: Service
before(async () => {
  service = await startService()
  for (let n = 0; n < 60; n++)
    await service.post('/employees', { first_name: 'A', last_name: `B${n}`, hired_on: '2020-01-01' })
})
after(() => service.stop())

const LISTS = [
  '?status=terminated',
  '?status=hired',
  '?status=probation',
  '?status=employed',
  '?status=active',
  '?emails[]=a@b.co',
  '?employee_numbers[]=7',
  '?hired_on[gte]=2020-01-01',
  '?updated_at[gte]=1700000000',
  '?created_at[lte]=1700000000',
  '?department_id=1',
  '?location_id=1&as_of=2030-01-01',
  '?manager_id=1',
  '?q=ada',
  '/terminated?terminated_on[gte]=2020-01-01',
  '/birthdays',
  '/anniversaries',
  '?page=2',
]

for (const list of LISTS)
  test(`GET /employees${list} reads no table from end to end`, async () => {
    const statements = new Set<string>()
    service.database.onStatement = (statement) => statements.add(statement)
    assert.equal((await service.get(`/employees${list}`)).status, 200)
    service.database.onStatement = undefined
    for (const statement of statements) {
      if (!statement.startsWith('select')) continue
      const plan = await explain(statement)
      assert.ok(!/SCAN (?!.*USING (COVERING )?INDEX)\w+$|Seq Scan/m.test(plan), `${statement}\n${plan}`)
      assert.ok(!/SCAN employees/.test(plan), `${statement}\n${plan}`)
    }
  })

/** The plan of a statement; PostgreSQL, which prefers to read small tables whole, is asked what it would do with large ones. */
async function explain(statement: string): Promise<string> {
  if (ENGINE === 'sqlite') {
    const { rows } = await service.database.glance((db) =>
      sql.raw<{ detail: string }>(`explain query plan ${statement}`).execute(db),
    )
    return rows
      .map((row) => row.detail)
      .filter((line) => !/SUBQUERY|CTE|TEMP|ixed|VIRTUAL/.test(line))
      .join('\n')
  }
  return service.database.write(async (db) => {
    await sql`set local enable_seqscan = off`.execute(db)
    const { rows } = await sql.raw<Record<string, string>>(`explain (generic_plan) ${statement}`).execute(db)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
}
