import pg from 'pg'

/**
 * What Citus would say to `distribute`, without Citus, which no registry has: functions of its names that refuse what it refuses,
 * as its documentation and source have it, and note what they were called for. Rows stay where they are.
 */
const STAND_IN = `
create schema stand_in;
create table stand_in.pg_dist_partition (logicalrelid regclass primary key, partmethod char, colocationid integer, repmodel char);
create table stand_in.calls (number serial, what text, name text, mode text);
create table stand_in.failing (name text primary key, how text);

create function stand_in.citus_version() returns text language sql as $$ select 'Citus 12.1.5 on a stand-in' $$;

create function stand_in.note(what text, relation regclass) returns void language sql as $$
  insert into stand_in.calls (what, name, mode)
    values (what, relation::text, coalesce(current_setting('citus.multi_shard_modify_mode', true), ''))
$$;

create function stand_in.refuse(relation regclass) returns void language plpgsql as $$
begin
  if exists (select 1 from stand_in.pg_dist_partition where logicalrelid = relation) then
    raise exception 'table "%" is already distributed', relation;
  end if;
  if exists (select 1 from pg_trigger where tgrelid = relation and not tgisinternal) then
    raise exception 'cannot distribute relation "%" because it has triggers', relation;
  end if;
  if exists (select 1 from pg_constraint k where k.conrelid = relation and k.contype = 'f' and k.confrelid <> relation
    and k.confrelid not in (select logicalrelid from stand_in.pg_dist_partition)) then
    raise exception 'cannot create foreign key constraint'
      using detail = 'Referenced table must be a distributed table or a reference table.';
  end if;
  if exists (select 1 from stand_in.failing where name = relation::text and how = 'error') then
    raise exception 'connection to the remote node 10.0.0.3:5432 failed';
  elsif exists (select 1 from stand_in.failing where name = relation::text and how = 'end') then
    perform pg_terminate_backend(pg_backend_pid());
  end if;
end $$;

create function stand_in.create_reference_table(relation regclass) returns void language plpgsql as $$
begin
  perform stand_in.refuse(relation);
  insert into stand_in.pg_dist_partition values (relation, 'n', 1, 't');
  perform stand_in.note('reference', relation);
end $$;

create function stand_in.create_distributed_table(relation regclass, distribution_column text, distribution_type text default 'hash',
  colocate_with text default 'default', shard_count integer default null) returns void language plpgsql as $$
declare
  number smallint := (select attnum from pg_attribute where attrelid = relation and attname = distribution_column);
  beside integer := case colocate_with when 'none' then (select count(*) + 2 from stand_in.pg_dist_partition)
    else (select colocationid from stand_in.pg_dist_partition where logicalrelid = colocate_with::regclass) end;
begin
  perform stand_in.refuse(relation);
  if number is null then raise exception 'column "%" of relation "%" does not exist', distribution_column, relation; end if;
  if beside is null then raise exception 'relation % is not distributed', colocate_with; end if;
  if exists (select 1 from pg_index where indrelid = relation and indisunique and not number = any (indkey)) then
    raise exception 'cannot create constraint on "%"', relation using detail =
      'Distributed relations cannot have UNIQUE, EXCLUDE, or PRIMARY KEY constraints that do not include the partition column.';
  end if;
  insert into stand_in.pg_dist_partition values (relation, 'h', beside, 's');
  perform stand_in.note('by ' || distribution_column, relation);
end $$;

create function stand_in.undistribute_table(relation regclass, cascade_via_foreign_keys boolean default false)
  returns void language plpgsql as $$
declare tied regclass[] := array[relation];
begin
  if relation not in (select logicalrelid from stand_in.pg_dist_partition) then
    raise exception 'cannot undistribute table because the table is not distributed';
  end if;
  if exists (select 1 from stand_in.failing where name = relation::text and how = 'error') then
    raise exception 'connection to the remote node 10.0.0.3:5432 failed';
  end if;
  loop
    tied := tied || array(select distinct o::regclass from (
      select k.conrelid as o from pg_constraint k where k.contype = 'f' and k.confrelid = any (tied)
      union select k.confrelid from pg_constraint k where k.contype = 'f' and k.conrelid = any (tied)) others
      where o <> all (tied));
    exit when not exists (select 1 from pg_constraint k where k.contype = 'f'
      and (k.confrelid = any (tied)) <> (k.conrelid = any (tied)));
  end loop;
  if cardinality(tied) > 1 and not cascade_via_foreign_keys then
    raise exception 'cannot undistribute table because it has a foreign key'
      using hint = 'Use cascade option to undistribute all the relations involved in a foreign key relationship.';
  end if;
  delete from stand_in.pg_dist_partition where logicalrelid = any (tied);
  perform stand_in.note('undone', relation);
end $$;

create function stand_in.truncate_local_data_after_distributing_table(relation regclass) returns void language plpgsql as $$
begin
  if relation not in (select logicalrelid from stand_in.pg_dist_partition) then
    raise exception 'supplied parameter is not a distributed relation';
  end if;
  if exists (select 1 from pg_constraint k where k.confrelid = relation and k.contype = 'f'
    and k.conrelid not in (select logicalrelid from stand_in.pg_dist_partition)) then
    raise exception 'cannot truncate a table referenced in a foreign key constraint by a local table';
  end if;
  perform stand_in.note('cleared', relation);
end $$;
`

export type Call = { what: string; name: string; mode: string }

/** Has a database say that it has Citus. */
export async function standIn(url: string) {
  const ask = async (statement: string, values: unknown[] = []): Promise<any[]> => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query(statement, values)
    await client.end()
    return rows
  }
  const run = async (statements: string) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(statements)
    await client.end()
  }
  await run(STAND_IN)
  await run(`alter database ${new URL(url).pathname.slice(1)} set search_path = public, stand_in`)
  return {
    run,
    ask,
    /** What was called for since the last time, in order. */
    calls: async (): Promise<Call[]> =>
      (await ask('with gone as (delete from stand_in.calls returning *) select * from gone order by number')) as Call[],
    /** Has a table fail from now on, by an error or by the end of the connection; or not any more. */
    fail: (name: string, how: 'error' | 'end' | null) =>
      how
        ? ask('insert into stand_in.failing values ($1, $2)', [name, how])
        : ask('delete from stand_in.failing where name = $1', [name]),
  }
}
