import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { ENGINE, type Service } from './harness.ts'

/** Asserts that answering a request reads no table from end to end, by the plans of the statements that it runs. */
export async function readsByIndex(service: Service, path: string): Promise<void> {
  const statements = new Set<string>()
  service.database.onStatement = (statement) => statements.add(statement)
  const { status, text } = await service.get(path)
  service.database.onStatement = undefined
  assert.equal(status, 200, text)
  for (const statement of statements) {
    if (!statement.startsWith('select')) continue
    const plan = await explain(service, statement)
    assert.ok(!/^SCAN (?!.*USING (COVERING )?INDEX)|Seq Scan/m.test(plan), `${statement}\n${plan}`)
  }
}

/** The plan of a statement; PostgreSQL, which reads small tables whole, is asked what it would do with large ones. */
async function explain({ database }: Service, statement: string): Promise<string> {
  if (ENGINE === 'sqlite') {
    const { rows } = await database.glance((db) =>
      sql.raw<{ detail: string }>(`explain query plan ${statement}`).execute(db),
    )
    // What is scanned may also be the result of a subquery, which has a page of rows at most.
    const results = rows.flatMap(({ detail }) => /^(?:MATERIALIZE|CO-ROUTINE) (.+)$/.exec(detail)?.[1] ?? [])
    const lines = rows.map(({ detail }) => detail).filter((line) => !results.some((name) => line === `SCAN ${name}`))
    return lines.join('\n')
  }
  return database.write(async (db) => {
    await sql`set local enable_seqscan = off`.execute(db)
    const { rows } = await sql.raw<Record<string, string>>(`explain (generic_plan) ${statement}`).execute(db)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
}
