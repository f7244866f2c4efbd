import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sender } from '../harness.ts'
import { runHere, type ServiceHere, startHere } from '../in-process.ts'
import { freePort, type PostgresServer, postgresServer } from '../postgres-server.ts'
import { longTest, rounds } from '../thorough.ts'
import { on, until } from './on-servers.ts'

const KEY = 'a-key-for-the-replica-0123456789-abcdef'

let first: PostgresServer
let second: PostgresServer
let service: ServiceHere
let send: ReturnType<typeof sender>

before(async () => {
  first = await postgresServer()
  second = await first.follow()
  service = await startHere({
    DATABASE_URL: first.url(),
    DATABASE_REPLICAS: second.url(),
    CADRE_API_KEY: KEY,
    LOG_LEVEL: 'silent',
    // Every answer is made anew.
    CACHE_MB: '0',
  })
  send = sender(service.url, KEY)
})

after(async () => {
  await service?.stop()
  await second?.remove()
  await first?.remove()
})

/** How often a server has looked at a table. */
async function looksAt(server: PostgresServer, table = 'divisions'): Promise<number> {
  await on(server.url(), 'select pg_stat_force_next_flush()').catch(() => undefined)
  const [row] = await on(
    server.url(),
    `select coalesce(seq_scan, 0) + coalesce(idx_scan, 0) as looks from pg_stat_user_tables where relname = '${table}'`,
  )
  return Number(row.looks)
}

/** The other one has all that this one has. */
const caughtUp = async () => {
  const [{ at }] = await on(first.url(), 'select pg_current_wal_lsn() as at')
  await until(
    async () => (await on(second.url(), `select pg_last_wal_replay_lsn() >= '${at}'::pg_lsn as is_there`))[0].is_there,
  )
}

/** Has a server fall silent, with all its connections; what is returned has it go on. */
async function freeze(server: PostgresServer): Promise<() => void> {
  const [{ file }] = await on(server.url(), "select pg_read_file('postmaster.pid') as file")
  const rows = await on(server.url(), 'select pid from pg_stat_activity where pid <> pg_backend_pid()')
  const pids = [Number.parseInt(file, 10), ...rows.map(({ pid }) => Number(pid))]
  const all = (signal: NodeJS.Signals) => {
    for (const pid of pids)
      try {
        process.kill(pid, signal)
      } catch {
        // It has ended meanwhile.
      }
  }
  all('SIGSTOP')
  return () => all('SIGCONT')
}

/** Another service of the same server, with other replicas. */
const serviceWith = (replicas: string) =>
  startHere({ DATABASE_URL: first.url(), DATABASE_REPLICAS: replicas, CADRE_API_KEY: KEY, CACHE_MB: '0' })

/** Statuses of so many reads, at the same time, and how long the longest has taken. */
async function readsBy(reading: typeof send, count: number): Promise<{ statuses: number[]; longest: number }> {
  const begun = performance.now()
  const all = await Promise.all(Array.from({ length: count }, () => reading('GET', '/divisions?per_page=5')))
  return { statuses: [...new Set(all.map(({ status }) => status))], longest: performance.now() - begun }
}

/** The other one is read. */
async function isRead(server: PostgresServer, reading = send): Promise<void> {
  const before = await looksAt(server)
  await until(async () => {
    await reading('GET', '/divisions?per_page=5')
    return (await looksAt(server)) > before
  })
}

test('reads go to a replica that is up to date', async () => {
  await send('POST', '/divisions', { json: { name: 'First' } })
  await caughtUp()
  const [here, there] = [await looksAt(first), await looksAt(second)]
  for (let n = 0; n < 50; n++) assert.equal((await send('GET', '/divisions?per_page=5')).status, 200)
  await until(async () => (await looksAt(second)) >= there + 50)
  // Servers tell with some delay what they have done.
  assert.ok((await looksAt(first)) < here + 25, 'the server that takes writes was asked for records')
})

test('a client reads its own writes from any server', async () => {
  for (let n = 0; n < rounds(20, 60); n++) {
    const { status, body } = await send('POST', '/divisions', { json: { name: `d${n}` } })
    assert.equal(status, 201)
    const shown = await send('GET', `/divisions/${body.data.id}`)
    assert.deepEqual([shown.status, shown.body?.data?.name], [200, `d${n}`])
    const all = await send('GET', '/divisions?sort=-id&per_page=1')
    assert.deepEqual([all.body.data[0].id, all.body.metadata.count], [body.data.id, n + 2])
  }
})

test('a replica that lags behind is not used', async () => {
  await on(second.url(), 'select pg_wal_replay_pause()')
  try {
    for (let n = 0; n < rounds(10, 30); n++) {
      const made = await send('POST', '/divisions', { json: { name: `behind ${n}` } })
      const { body } = await send('GET', '/divisions?sort=-id&per_page=1')
      assert.equal(body.data[0].id, made.body.data.id)
    }
  } finally {
    await on(second.url(), 'select pg_wal_replay_resume()')
  }
})

longTest(
  'a long list that was read on a replica is cached, and stays true when the replica lags and catches up',
  async () => {
    const { body: hired } = await send('POST', '/employees', { json: { first_name: 'Ida', last_name: 'Rhodes' } })
    for (let n = 0; n < 32; n++)
      await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          send('POST', '/tasks', { json: { name: `long ${n} ${i}`, employee_id: hired.data.id } }),
        ),
      )
    const metricsPort = await freePort()
    const caching = await startHere({
      DATABASE_URL: first.url(),
      DATABASE_REPLICAS: second.url(),
      CADRE_API_KEY: KEY,
      METRICS_PORT: String(metricsPort),
      LOG_LEVEL: 'silent',
    })
    const reading = sender(caching.url, KEY)
    const lookups = async (result: 'hit' | 'miss') => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      return Number(
        text.match(new RegExp(`cadre_cache_lookups_total\\{use="ids",result="${result}"\\} (\\d+)`))?.[1] ?? 0,
      )
    }
    const page = async (query: string) => {
      const { status, body } = await reading('GET', `/tasks?completed=false&sort=-id&${query}`)
      assert.equal(status, 200)
      return { count: body.metadata.count as number, ids: body.data.map(({ id }: { id: number }) => id) as number[] }
    }
    try {
      await caughtUp()
      // Each asks for another page, so that none is answered from the stored responses.
      let size = 5
      const there = await looksAt(second, 'tasks')
      await until(async () => {
        await page(`per_page=${++size}`)
        return (await looksAt(second, 'tasks')) > there
      })
      const { count, ids } = await page('per_page=200&page=1')
      const hits = await lookups('hit')
      const misses = await lookups('miss')
      for (let n = 2; n <= 6; n++) assert.equal((await page(`per_page=7&page=${n}`)).count, count)
      assert.deepEqual([await lookups('hit'), await lookups('miss')], [hits + 5, misses])

      await on(second.url(), 'select pg_wal_replay_pause()')
      const written: number[] = []
      try {
        for (let n = 0; n < 5; n++) {
          written.unshift(
            (await reading('POST', '/tasks', { json: { name: `late ${n}`, employee_id: hired.data.id } })).body.data.id,
          )
          const now = await page(`per_page=${10 + n}`)
          assert.equal(now.count, count + n + 1)
          assert.deepEqual(now.ids, [...written, ...ids].slice(0, 10 + n))
        }
        assert.equal((await reading('DELETE', `/tasks/${written[0]}`)).status, 204)
      } finally {
        await on(second.url(), 'select pg_wal_replay_resume()')
      }
      await caughtUp()
      for (let n = 0; n < 20; n++) {
        const now = await page(`per_page=${20 + n}`)
        assert.equal(now.count, count + 4)
        assert.deepEqual(now.ids, [...written.slice(1), ...ids].slice(0, 20 + n))
      }
      assert.equal(await lookups('miss'), misses)
    } finally {
      await caching.stop()
    }
  },
)

test('data that is not in the ledger is read from the primary', async () => {
  const { body: hired } = await send('POST', '/employees', { json: { first_name: 'Ada', last_name: 'Lovelace' } })
  const salary = { amount: '4000', currency_code: 'EUR', per: 'month', effective_on: '2024-02-01' }
  const paid = await send('POST', `/employees/${hired.data.id}/salaries`, { json: salary })
  assert.equal(paid.status, 201, paid.text)
  const noted = async () => (await send('GET', '/reads')).body.metadata.count as number
  await caughtUp()
  await on(second.url(), 'select pg_wal_replay_pause()')
  try {
    const [{ count }] = await on(second.url(), 'select count(*) from reads')
    // Whoever looks at pay is noted, without a number.
    assert.equal((await send('GET', `/employees/${hired.data.id}`)).status, 200)
    await until(async () => (await noted()) > Number(count))
  } finally {
    await on(second.url(), 'select pg_wal_replay_resume()')
  }
})

test('a Cadre-Ledger number that is reached is accepted, and one beyond it is rejected with 412', async () => {
  const { headers } = await send('GET', '/divisions')
  const number = Number(headers.get('cadre-ledger'))
  const sent = (value: number | string) => ({ headers: { 'cadre-ledger': String(value) } })
  assert.equal((await send('GET', '/divisions', sent(number))).status, 200)
  const ahead = await send('GET', '/divisions', sent(number + 1))
  assert.deepEqual([ahead.status, ahead.body.code], [412, 'ledger_behind'])
  const written = await send('POST', '/divisions', { json: { name: 'Never' }, ...sent(number + 1) })
  assert.equal(written.status, 412)
  assert.equal((await send('GET', '/divisions', sent('soon'))).status, 400)
  assert.equal(Number((await send('GET', '/divisions')).headers.get('cadre-ledger')), number)
})

test('a replica that goes away is skipped without an error, and used again when it is back', async () => {
  const statuses = new Set<number>()
  let isRunning = true
  const readers = Array.from({ length: 4 }, async () => {
    for (; isRunning; await pause(10)) statuses.add((await send('GET', '/divisions?per_page=5')).status)
  })
  try {
    await second.stop('kill')
    const made = await send('POST', '/divisions', { json: { name: 'Alone' } })
    assert.equal((await send('GET', `/divisions/${made.body.data.id}`)).status, 200)
    await second.start()
    await caughtUp()
    const there = await looksAt(second)
    await until(async () => (await looksAt(second)) > there)
  } finally {
    isRunning = false
    await Promise.all(readers)
  }
  assert.deepEqual([...statuses], [200])
})

test('an account that a replica does not have yet is read from the primary', async () => {
  await caughtUp()
  await on(second.url(), 'select pg_wal_replay_pause()')
  try {
    const made = await runHere(['account', 'create', '--name', 'New'], { DATABASE_URL: first.url() })
    const key = made.stdout.trim().split('\n').at(-1) as string
    const { statuses } = await readsBy(sender(service.url, key), 5)
    assert.deepEqual(statuses, [200])
  } finally {
    await on(second.url(), 'select pg_wal_replay_resume()')
  }
})

longTest(
  'reads fall back to the primary for any replica fault, each fault is logged once, and any host of a URL works',
  async () => {
    const { host, port } = new URL(second.url())
    const useless = [second.url('template1'), second.url('nowhere'), `postgres://stranger@${host}/postgres`]
    const several = `postgres://cadre@127.0.0.1:${await freePort()},${host}/postgres`
    const other = await serviceWith([...useless, several].join(','))
    try {
      const reading = sender(other.url, KEY)
      for (let n = 0; n < 12; n++) assert.equal((await reading('GET', '/divisions?per_page=5')).status, 200)
      assert.equal((await reading('GET', '/divisions/999999')).status, 404)
      await isRead(second, reading)
      // Long enough for them to be tried again.
      await new Promise((resolve) => setTimeout(resolve, 6_000))
      for (let n = 0; n < 8; n++) assert.equal((await reading('GET', '/divisions?per_page=5')).status, 200)
      const told =
        other
          .output()
          .match(/read replica PostgreSQL at .*/g)
          ?.sort() ?? []
      assert.equal(told.length, 3, other.output())
      assert.match(told[0] as string, new RegExp(`${port}, database nowhere: .*does not exist`))
      assert.match(told[1] as string, /database postgres: .*stranger/)
      assert.match(told[2] as string, /database template1: .*relation "accounts" does not exist/)
    } finally {
      await other.stop()
    }
  },
)

longTest('an unusable replica is logged with the reason, and metrics count replica reads', async () => {
  const strange = await postgresServer()
  const stranger = await startHere({ DATABASE_URL: strange.url(), CADRE_API_KEY: KEY })
  await stranger.stop()
  const metrics = await freePort()
  const own = await startHere({
    DATABASE_URL: first.url(),
    DATABASE_REPLICAS: `${second.url()},${strange.url()}`,
    CADRE_API_KEY: KEY,
    CACHE_MB: '0',
    METRICS_PORT: String(metrics),
  })
  const ask = sender(own.url, KEY)
  const reads = async (replica: number, result: string) => {
    const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text()
    return Number(
      new RegExp(`^cadre_replica_reads_total\\{replica="${replica}",result="${result}"\\} (\\d+)$`, 'm').exec(
        text,
      )?.[1],
    )
  }
  try {
    await on(second.url(), 'select pg_wal_replay_pause()')
    assert.equal((await ask('POST', '/divisions', { json: { name: 'Of no use' } })).status, 201)
    const told = () => own.output().match(/read replica PostgreSQL at .*/g) ?? []
    await until(async () => {
      assert.equal((await ask('GET', '/divisions')).status, 200)
      return told().length >= 2
    })
    assert.match(told().join('\n'), new RegExp(`:${new URL(second.url()).port}, .*: it lags behind`))
    assert.match(
      told().join('\n'),
      new RegExp(`:${new URL(strange.url()).port}, .*: it is not a replica of this server`),
    )
    for (let n = 0; n < 20; n++) await ask('GET', '/divisions')
    assert.ok((await reads(1, 'behind')) >= 10)
    assert.ok((await reads(2, 'other_history')) >= 10)
    assert.equal((await reads(2, 'answered')) + (await reads(1, 'away')), 0)
    const answered = await reads(1, 'answered')
    await on(second.url(), 'select pg_wal_replay_resume()')
    await caughtUp()
    await until(async () => {
      await ask('GET', '/divisions')
      return (await reads(1, 'answered')) > answered
    })
    assert.equal(told().length, 2)
  } finally {
    await on(second.url(), 'select pg_wal_replay_resume()').catch(() => undefined)
    await own.stop()
    await strange.remove()
  }
})

longTest('a silent replica delays no request for long, and is used again when it recovers', async () => {
  await isRead(second)
  await readsBy(send, 8)
  const goOn = await freeze(second)
  try {
    const { statuses, longest } = await readsBy(send, 8)
    assert.deepEqual(statuses, [200])
    assert.ok(longest < 5_000, `it took ${longest} ms`)
    const again = await readsBy(send, 8)
    assert.deepEqual(again.statuses, [200])
    assert.ok(again.longest < 1_000, `it took ${again.longest} ms although the server was left out`)
  } finally {
    goOn()
  }
  await isRead(second)
})

longTest('a stop completes in time while a replica is silent, and accepted requests are answered', async () => {
  const other = await serviceWith(second.url())
  const reading = sender(other.url, KEY)
  await isRead(second, reading)
  await readsBy(reading, 8)
  const goOn = await freeze(second)
  try {
    const accepted = readsBy(reading, 8)
    await new Promise((resolve) => setTimeout(resolve, 200))
    const begun = performance.now()
    const code = await other.stop()
    const took = performance.now() - begun
    assert.deepEqual([code, (await accepted).statuses], [0, [200]])
    assert.ok(took < 8_000, `it took ${took} ms`)
  } finally {
    goOn()
    await other.stop()
  }
})

longTest('a replica is used again after a column type changed', async () => {
  await send('POST', '/divisions', { json: { name: 'Widened' } })
  await isRead(second)
  await readsBy(send, 8)
  await on(first.url(), 'alter table divisions alter column name type varchar(5000)')
  try {
    await caughtUp()
    await until(async () => {
      const before = await looksAt(second)
      for (let n = 0; n < 50; n++) await send('GET', '/divisions?per_page=5')
      // Servers tell with some delay what they have done.
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      return (await looksAt(second)) >= before + 50
    })
  } finally {
    await on(first.url(), 'alter table divisions alter column name type text')
  }
})

longTest('a failed connection names the reason for each server, and permanent errors fail at once', async () => {
  const { host } = new URL(first.url())
  const begun = performance.now()
  const environment = { DATABASE_URL: `postgres://stranger@${host},[::1]:1/postgres`, DATABASE_WAIT: '30' }
  const { code, stderr } = await runHere(['migrate'], environment)
  assert.equal(code, 1)
  assert.ok(performance.now() - begun < 15_000)
  assert.ok(stderr.includes(`PostgreSQL at ${host} or [::1]:1, database postgres, rejected the connection`), stderr)
  assert.match(stderr, /: role "stranger" does not exist; \[::1\]:1: connect /)
})
