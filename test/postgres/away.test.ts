import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { freshDatabase, sender } from '../harness.ts'
import { runHere, startHere } from '../in-process.ts'
import { startProcess } from '../process.ts'
import { longTest } from '../thorough.ts'
import { standIn } from './stand-in.ts'

/**
 * Accounts on two nodes, one of which goes away. There is no Citus here: policies of PostgreSQL have rows of an account fail
 * with the codes of a node that cannot be reached, whenever a statement looks at them.
 */
const NODES = `
create table stand_in.pg_dist_placement (shardid bigint, groupid integer);
create table stand_in.pg_dist_node (groupid integer, nodename text, nodeport integer, noderole text);
insert into stand_in.pg_dist_placement values (0, 1), (1, 2);
insert into stand_in.pg_dist_node values (1, 'even.internal', 5432, 'primary'), (2, 'odd.internal', 5432, 'primary');
insert into stand_in.pg_dist_partition values ('accounts', 'h', 2, 's');
create function stand_in.get_shard_id_for_distribution_column(relation regclass, value bigint) returns bigint language sql as
  $$ select value % 2 $$;
create table stand_in.away (id bigint primary key, how text);
create function stand_in.is_there(account bigint) returns boolean language plpgsql stable as $$
declare state text := (select how from stand_in.away where id = account);
begin
  if state = 'refused' then
    raise exception 'complex joins are only supported when all distributed tables are co-located' using errcode = '0A000';
  end if;
  if state = 'frozen' then perform pg_sleep(60); end if;
  if state is not null then raise exception 'connection to the remote node failed' using errcode = '08006'; end if;
  return true;
end $$;
create function stand_in.are_all_there() returns boolean language plpgsql stable as $$
begin
  if exists (select 1 from stand_in.away) then raise exception 'connection to the remote node failed' using errcode = '08006'; end if;
  return true;
end $$;
create role app login;
grant all on schema public, stand_in to app;
grant all on all tables in schema public, stand_in to app;
alter table secret_hashes enable row level security;
create policy read on secret_hashes for select using (true);
create policy write on secret_hashes for insert with check (stand_in.are_all_there());
do $$ declare one record; begin
  for one in select c.relname as name, case c.relname when 'accounts' then 'id' else 'account_id' end as key from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'secret_hashes' and (c.relname = 'accounts' or
      exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'account_id')) loop
    execute format('alter table %I enable row level security', one.name);
    execute format('create policy there on %I using (stand_in.is_there(%I))', one.name, one.key);
  end loop;
end $$;
`

const FIRST = 'a-key-of-the-first-account-0123456789'

let database: Awaited<ReturnType<typeof freshDatabase>>
let citus: Awaited<ReturnType<typeof standIn>>
let environment: Record<string, string>
/** Keys of the accounts, by their ids: 1 and 3 lie on one node, 2 on the other. */
const keys: Record<number, string> = { 1: FIRST }
const folder = mkdtempSync(join(tmpdir(), 'cadre-away-'))

type Send = ReturnType<typeof sender>

const cadre = (...args: string[]) => runHere(args, environment)
const lose = (...accounts: number[]) => set('away', accounts)
const set = async (how: string, accounts: number[]) => {
  await citus.run('delete from stand_in.away')
  for (const id of accounts) await citus.ask('insert into stand_in.away values ($1, $2)', [id, how])
}

before(async () => {
  database = await freshDatabase('postgres')
  const own = { DATABASE_URL: database.url, CADRE_FILES: folder, CADRE_API_KEY: FIRST }
  const service = await startHere(own)
  for (const id of [2, 3]) {
    const { stdout } = await runHere(['account', 'create', '--name', `Company ${id}`], own)
    keys[id] = stdout.trim().split('\n').at(-1) as string
  }
  // A node is asked for what it has: here that is only noticed where it has something.
  const send = sender(service.url, keys[2] as string)
  await send('POST', '/document_folders', { json: { name: 'Contracts' } })
  const { id } = (await send('POST', '/employees', { json: { first_name: 'Ada', last_name: 'L' } })).body.data
  const document = { name: 'Doc', document_folder_id: 1, document: 'data:text/plain;base64,QQ==' }
  assert.equal((await send('POST', `/employees/${id}/documents`, { json: document })).status, 201)
  await service.stop()
  citus = await standIn(database.url)
  await citus.run(NODES)
  const url = new URL(database.url)
  url.username = 'app'
  environment = { ...own, DATABASE_URL: url.href }
})
after(async () => {
  await database.remove()
  rmSync(folder, { recursive: true, force: true })
})

test('the service starts while a node is away, names its accounts, and returns 503 only for those', async () => {
  await lose(2)
  const service = await startHere(environment)
  assert.match(
    service.output(),
    /Account 2 cannot be reached, because the database node that stores it is down\. Requests for them return 503/,
  )
  const status = async (id: number, method: string, sending = {}) =>
    (await sender(service.url, keys[id] as string)(method, '/divisions', sending)).status
  for (const id of [1, 3]) {
    assert.equal(await status(id, 'POST', { json: { name: 'While a node is away' } }), 201)
    assert.equal(await status(id, 'GET'), 200)
  }
  assert.deepEqual([await status(2, 'GET'), await status(2, 'POST', { json: { name: 'X' } })], [503, 503])
  assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
  await lose()
  assert.equal(await status(2, 'POST', { json: { name: 'Back again' } }), 201)
  assert.equal(await service.stop(), 0)
})

longTest('the service starts also if the first account is away', async () => {
  await lose(1, 3)
  const service = await startProcess(environment)
  await service.said(/Accounts 1, 3 cannot be reached/)
  const send = sender(service.url, keys[2] as string)
  assert.equal((await send('GET', '/divisions')).status, 200)
  assert.equal((await send('GET', '/divisions', { key: FIRST })).status, 503)
  assert.equal(await service.stop(), 0)
})

longTest('a silent node delays the start by seconds once, not for every query', async () => {
  await set('frozen', [2])
  const begun = performance.now()
  const service = await startProcess(environment)
  const seconds = (performance.now() - begun) / 1000
  assert.ok(seconds < 30, `${seconds} s`)
  assert.equal((await sender(service.url, FIRST)('GET', '/divisions')).status, 200)
  assert.equal(await service.stop(), 0)
})

longTest('commands do what they can while a node is away and name the accounts they skip', async () => {
  await lose(2)
  const away = 'cadre: Account 2 cannot be reached, because the database node that stores it is down.\n'
  const list = await cadre('account', 'list')
  assert.deepEqual([list.code, list.stdout, list.stderr], [1, '1\tMy company\n3\tCompany 3\n', away])
  for (const words of ['key list --account 1', 'audit verify --account 3', 'retention --account 1']) {
    const { code, stderr } = await cadre(...words.split(' '))
    assert.deepEqual([code, stderr], [0, ''], words)
  }
  const verified = await cadre('audit', 'verify')
  assert.equal(verified.code, 1)
  assert.equal(verified.stderr, away)
  assert.deepEqual(verified.stdout.match(/^Account \d/gm), ['Account 1', 'Account 3'])
  // Old enough to be removed, if it were nobody's: it is of the account that cannot be asked.
  const documents = () =>
    readdirSync(join(folder, 'documents'), { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map((one) => join(one.parentPath, one.name))
  for (const file of documents()) utimesSync(file, 0, 0)
  const checked = await cadre('files', 'check', '--remove')
  assert.equal(documents().length, 1)
  assert.deepEqual([checked.code, checked.stderr], [1, away])
  assert.match(
    checked.stdout,
    /^\d+ files in the file storage, an unknown number of them without a record\. 0 files of records are missing\.$/m,
  )
  const looked = await cadre('doctor')
  assert.equal(looked.code, 1)
  assert.match(
    looked.stdout,
    /^problem {2}database .*: Account 2 cannot be reached, because .* is down\. Start the database node again$/m,
  )
  assert.equal(looked.stdout.match(/^problem/gm)?.length, 1, looked.stdout)
  const refused = await cadre('key', 'list', '--account', '2')
  assert.deepEqual([refused.code, refused.stdout], [1, ''])
  assert.match(refused.stderr, /connection to the remote node failed/)
})

longTest('feed clients of one account get changes at once while the node of another is silent', async () => {
  await lose()
  const [following, writing] = await Promise.all([startProcess(environment), startHere(environment)])
  const [first, second] = [1, 2].map((id) => sender(following.url, keys[id] as string)) as [Send, Send]
  const follow = async (send: Send) => {
    const number = (await send('GET', '/divisions')).headers.get('cadre-ledger')
    // It is asked for, and not waited for: whoever follows waits from here on.
    return { heard: send('GET', `/changes?since=${number}&wait=20`) }
  }
  const other = (await follow(second)).heard.catch(() => undefined)
  const own = (await follow(first)).heard
  await pause(1500)
  await set('frozen', [2])
  await pause(1500)
  const begun = performance.now()
  const made = await sender(writing.url, FIRST)('POST', '/divisions', { json: { name: 'Heard of' } })
  assert.equal(made.status, 201)
  const heard = await own
  assert.equal(heard.body.data.length, 1, heard.text)
  const seconds = (performance.now() - begun) / 1000
  assert.ok(seconds < 3, `${seconds} s`)
  await lose()
  await Promise.all([following.stop(), writing.stop()])
  await other
})

longTest('an unsupported statement is logged as such and not reported as an outage', async () => {
  await lose()
  const service = await startProcess(environment)
  await set('refused', [3])
  const send = sender(service.url, keys[3] as string)
  assert.equal((await send('GET', '/divisions')).status, 500)
  await service.said(/The database does not support this statement: complex joins are only supported when/)
  await lose()
  assert.equal((await send('GET', '/divisions')).status, 200)
  assert.equal(await service.stop(), 0)
})
