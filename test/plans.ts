import assert from 'node:assert/strict'
import { CompiledQuery, sql } from 'kysely'
import { type CatalogueTable, readCatalogue } from './catalogue.ts'
import type { Service } from './harness.ts'

/**
 * A statement that a request ran, and the indexes by which its plan finds rows: by their names, or by their columns
 * where the engine has named them itself (`employees(email_key)`).
 */
export type Planned = {
  statement: string
  indexes: string[]
  scans: string[]
  /** Whether it counts what a list has, or takes the ids of all that at once. */
  about: 'count' | 'ids' | 'else'
  /** Indexes by which it goes through the rows of the account in their order. */
  walks: string[]
}

/** The plans of all statements that read for a request, with the values it sent. */
export async function plansOf(
  service: Service,
  path: string,
  /** Asks for plans that find rows in their order, if there are any. */
  isInOrder = false,
): Promise<Planned[]> {
  const run = new Map<string, readonly unknown[]>()
  service.onStatement = (statement, parameters) => void run.set(statement, parameters)
  const { status, text } = await service.get(path)
  service.onStatement = undefined
  assert.equal(status, 200, `${path}: ${text}`)
  const allIds = await idsAtOnce(service, path)
  const nameOf = await labels(service)
  // The reader materialized replacement rows in temporary tables: the plans need the same tables.
  const temporaryTables = [...run].filter(([statement]) => /^(create|insert).* temp\b/.test(statement))
  const reads = [...run, ...allIds].filter(([statement]) => /^(select|with)/.test(statement))
  const explained = await plansFor(service, reads, isInOrder, temporaryTables)
  const named = (index: string) => nameOf.get(index) ?? index
  return reads.map(([statement], n) => {
    const { indexes, scans, walks } = planOf(service, explained[n] ?? [])
    const about = allIds.has(statement) ? 'ids' : /^select count\(\*\) as "n" from/.test(statement) ? 'count' : 'else'
    return { statement, about, scans, walks: walks.map(named), indexes: indexes.map(named) }
  })
}

/** The statements by which a list is kept in mind: nobody who watches them all sees these. */
async function idsAtOnce({ database, get }: Service, path: string): Promise<Map<string, readonly unknown[]>> {
  const run = new Map<string, readonly unknown[]>()
  const { selectIds } = database
  database.selectIds = (on, statement) => {
    const noting = {
      executeQuery: (query: CompiledQuery<any>) => {
        run.set(query.sql, query.parameters)
        return on.executeQuery(query)
      },
    }
    return selectIds(noting as typeof on, statement)
  }
  await get(path)
  database.selectIds = selectIds
  return run
}

const catalogues = new WeakMap<Service, Promise<Map<string, CatalogueTable>>>()

/** What to call the indexes that the engine has named itself. */
async function labels(service: Service): Promise<Map<string, string>> {
  const catalogue = catalogues.get(service) ?? readCatalogue(service.database)
  catalogues.set(service, catalogue)
  const entries = [...(await catalogue)].flatMap(([table, { indexes }]) =>
    [...indexes].map(([name, columns]) => [name, table, columns] as const),
  )
  const isOwn = (name: string) => !/^sqlite_autoindex|_p?key\d*$/.test(name)
  return new Map(
    entries.map(([name, table, columns]) => [name, isOwn(name) ? name : `${table}(${columns.slice(1).join()})`]),
  )
}

const plans = new WeakMap<Service, Map<string, string[]>>()

/** The lines of the plan of each statement. What many requests run is explained once, with the values of the first. */
async function plansFor(
  service: Service,
  statements: readonly [string, readonly unknown[]][],
  isInOrder: boolean,
  temporaryTables: readonly [string, readonly unknown[]][],
): Promise<string[][]> {
  if (temporaryTables.length > 0) return explain(service, statements, isInOrder, temporaryTables)
  const known = plans.get(service) ?? new Map<string, string[]>()
  plans.set(service, known)
  const nameOf = (text: string) => `${isInOrder} ${text}`
  const fresh = statements.filter(([text]) => !known.has(nameOf(text)))
  const explained = fresh.length > 0 ? await explain(service, fresh, isInOrder, []) : []
  for (const [n, [text]] of fresh.entries()) known.set(nameOf(text), explained[n] ?? [])
  return statements.map(([text]) => known.get(nameOf(text)) ?? [])
}

function explain(
  { database }: Service,
  statements: readonly [string, readonly unknown[]][],
  isInOrder: boolean,
  temporaryTables: readonly [string, readonly unknown[]][],
): Promise<string[][]> {
  if (database.engine === 'sqlite')
    return database.read(
      async (db) => {
        for (const [text, values] of temporaryTables) await db.executeQuery(CompiledQuery.raw(text, [...values]))
        const plans: string[][] = []
        for (const [text, values] of statements) {
          const query = CompiledQuery.raw(`explain query plan ${text}`, [...values])
          plans.push((await db.executeQuery<{ detail: string }>(query)).rows.map(({ detail }) => detail))
        }
        return plans
      },
      { isLong: temporaryTables.length > 0 },
    )
  return database.write(async (db) => {
    // Small tables are read whole even where an index would serve: what counts is whether one would.
    await sql`set local enable_seqscan = off`.execute(db)
    if (isInOrder) await sql`set local enable_sort = off`.execute(db)
    const plans: string[][] = []
    for (const [text, values] of statements) {
      const query = CompiledQuery.raw(`explain ${text}`, [...values])
      plans.push((await db.executeQuery<Record<string, string>>(query)).rows.map((row) => row['QUERY PLAN'] ?? ''))
    }
    return plans
  })
}

function planOf({ database }: Service, lines: readonly string[]): Omit<Planned, 'statement' | 'about'> {
  if (database.engine === 'sqlite') {
    // What is scanned may also be the result of a subquery, which is no table.
    const results = lines.flatMap((line) => /^(?:MATERIALIZE|CO-ROUTINE) (.+)$/.exec(line)?.[1] ?? [])
    return {
      indexes: lines.flatMap(
        (line) => /^SEARCH .*USING (?:COVERING )?INDEX (\w+) \(account_id=\? AND /.exec(line)?.[1] ?? [],
      ),
      walks: lines.flatMap(
        (line) => /^SEARCH .*USING (?:COVERING )?INDEX (\w+) \(account_id=\?\)/.exec(line)?.[1] ?? [],
      ),
      scans: lines.flatMap((line) => {
        const table = /^SCAN (\w+)(?!.*USING)/.exec(line)?.[1]
        return table && !results.includes(table) && !/^SCAN (\d+ )?CONSTANT|VIRTUAL TABLE/.test(line) ? [table] : []
      }),
    }
  }
  return {
    // An index that only finds the account's rows has not found these.
    indexes: lines.flatMap((line, n) => {
      const index = /(?:Index (?:Only )?Scan|Bitmap Index Scan).*? (?:using|on) (\w+)/.exec(line)?.[1]
      return index && /Index Cond: \(.* AND /.test(lines[n + 1] ?? '') ? [index] : []
    }),
    walks: lines.flatMap((line) => /Index (?:Only )?Scan (?:Backward )?using (\w+)/.exec(line)?.[1] ?? []),
    scans: lines.flatMap((line) => /Seq Scan on (\w+)/.exec(line)?.[1] ?? []),
  }
}
