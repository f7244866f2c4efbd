import { DatabaseSync } from 'node:sqlite'
import Fastify from 'fastify'
import pg from 'pg'

/**
 * The list of employees as somebody writes it by hand for one company in an afternoon: no keys, no filters, no permissions,
 * statements prepared once, `JSON.stringify`. It gives the same answer as the service, from the same database.
 */

const [url = '', today = ''] = process.argv.slice(2)

/** Counted by what indexes hold: asked for in one condition, it would take longer than all the rest. */
const COUNT = `select (select count(*) from employees where account_id = 1)
  - (select count(*) from employees where account_id = 1 and termination_effective_on <= $1) as n`

const PAGE = `select e.*, p.position_id, p.location_id, p.department_id,
    j.name as j_name, j.created_at as j_created, j.updated_at as j_updated,
    l.name as l_name, l.address as l_address, l.country_code as l_country, l.time_zone as l_zone,
    l.holiday_policy_id as l_policy, l.created_at as l_created, l.updated_at as l_updated,
    d.name as d_name, d.parent_id as d_parent, d.manager_id as d_manager, d.created_at as d_created, d.updated_at as d_updated,
    m.id as m_id, m.first_name as m_first, m.last_name as m_last, m.email as m_email
  from employees e
  left join employee_positions p on p.account_id = 1 and p.employee_id = e.id and p.effective_from <= $1 and p.effective_until > $1
  left join positions j on j.account_id = 1 and j.id = p.position_id
  left join locations l on l.account_id = 1 and l.id = p.location_id
  left join departments d on d.account_id = 1 and d.id = p.department_id
  left join employees m on m.account_id = 1 and m.id = p.reporting_to_id
  where e.account_id = 1 and (e.termination_effective_on is null or e.termination_effective_on > $1)
  order by e.id limit $2 offset $3`

const FIELDS = `select v.employee_id, f.internal_name, f.name, f.type, g.id as group_id, g.name as group_name, v.value,
    o.id as option_id, o.value as option_value
  from employee_field_values v
  join employee_fields f on f.account_id = 1 and f.id = v.employee_field_id
  join employee_field_groups g on g.account_id = 1 and g.id = f.group_id
  left join employee_field_options o on o.account_id = 1 and f.type = 'single_select' and v.value = ',' || o.id || ','
  where v.account_id = 1 and v.employee_id >= $1 and v.employee_id <= $2 order by v.employee_id, f.id`

type Rows = Record<string, any>[]
type Ask = (name: string, values: (string | number)[]) => Rows | Promise<Rows>

const STATEMENTS: Record<string, string> = { count: COUNT, page: PAGE, fields: FIELDS }

function onSqlite(file: string): Ask {
  const db = new DatabaseSync(file, { readOnly: true })
  db.exec('pragma cache_size = -64000; pragma mmap_size = 268435456')
  const texts = Object.entries(STATEMENTS).map(([name, text]) => [name, text.replaceAll('$', '?')] as const)
  const prepared = new Map(texts.map(([name, text]) => [name, db.prepare(text)]))
  return (name, values) => prepared.get(name)!.all(...values) as Rows
}

function onPostgres(address: string): Ask {
  pg.types.setTypeParser(20, Number)
  pg.types.setTypeParser(1082, (day) => day)
  pg.types.setTypeParser(1184, (time) => new Date(time).toISOString())
  const pool = new pg.Pool({ connectionString: address, max: 10 })
  return async (name, values) => (await pool.query({ name, text: STATEMENTS[name] as string, values })).rows
}

const ask = url.startsWith('sqlite:') ? onSqlite(url.replace('sqlite:', '')) : onPostgres(url)

function shown(row: Rows[number], fields: Rows, origin: string) {
  const status =
    row.hired_on > today ? 'hired' : row.probation_ends_on >= today && row.probation_ends_on ? 'probation' : 'employed'
  return {
    id: row.id,
    status,
    active: true,
    access: Boolean(row.access),
    employee_number: row.employee_number,
    full_name: [row.first_name, row.middle_name, row.last_name].filter(Boolean).join(' '),
    first_name: row.first_name,
    middle_name: row.middle_name,
    last_name: row.last_name,
    avatar_url: `${origin}/avatars/initials/${row.first_name[0]}${row.last_name[0]}.svg`,
    email: row.email,
    work_phone_number: row.work_phone_number,
    slack_username: row.slack_username,
    linkedin_url: row.linkedin_url,
    skype_username: row.skype_username,
    probation_ends_on: row.probation_ends_on,
    hired_on: row.hired_on,
    position: row.position_id && {
      id: row.position_id,
      name: row.j_name,
      created_at: row.j_created,
      updated_at: row.j_updated,
    },
    job_level: null,
    location: row.location_id && {
      id: row.location_id,
      name: row.l_name,
      address: row.l_address,
      country_code: row.l_country,
      time_zone: row.l_zone,
      holiday_policy_id: row.l_policy,
      created_at: row.l_created,
      updated_at: row.l_updated,
    },
    division: null,
    department: row.department_id && {
      id: row.department_id,
      name: row.d_name,
      parent_id: row.d_parent,
      manager_id: row.d_manager,
      department_level: null,
      fields: {},
      created_at: row.d_created,
      updated_at: row.d_updated,
    },
    job_profile: null,
    legal_entity: null,
    employment_type: null,
    working_pattern: null,
    reporting_to: row.m_id && { id: row.m_id, first_name: row.m_first, last_name: row.m_last, email: row.m_email },
    termination_effective_on: row.termination_effective_on,
    fields: Object.fromEntries(fields.map((field) => [field.internal_name, customField(field)])),
    created_at: row.created_at,
    updated_at: row.updated_at,
    personal_email: row.personal_email,
    mobile_number: row.mobile_number,
    home_phone_number: row.home_phone_number,
    twitter_username: row.twitter_username,
    facebook_url: row.facebook_url,
    date_of_birth: row.date_of_birth,
    gender: null,
    termination_comment: row.termination_comment,
    termination_eligible_for_rehire: row.termination_eligible_for_rehire,
    termination_type: null,
    termination_reason: null,
  }
}

function customField({ name, type, group_id, group_name, value, option_id, option_value }: Rows[number]) {
  const shown = type === 'single_select' ? { value: option_value, option_id } : { value }
  return { label: name, group: { id: group_id, name: group_name }, ...shown }
}

const app = Fastify()
app.get('/employees', async (request, reply) => {
  const { page = 1 } = request.query as { page?: number }
  const [{ n: count }] = (await ask('count', [today])) as [{ n: number }]
  const rows = await ask('page', [today, 50, (page - 1) * 50])
  const fields = Map.groupBy(
    await ask('fields', [rows[0]?.id ?? 0, rows.at(-1)?.id ?? 0]),
    (field) => field.employee_id,
  )
  const origin = `http://${request.headers.host}`
  const data = rows.map((row) => shown(row, fields.get(row.id) ?? [], origin))
  const pagination = { page, pages: Math.ceil(count / 50), count, items: rows.length }
  reply.type('application/json; charset=utf-8')
  return JSON.stringify({ data, metadata: { ...pagination, pagination } })
})
await app.listen({ host: '127.0.0.1', port: 0 })
console.log((app.server.address() as { port: number }).port)
