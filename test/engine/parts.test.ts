import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { columnsOf } from '../../src/engine/resource.ts'
import { resources } from '../../src/operations.ts'
import { type Service, startService } from '../harness.ts'
import { Samples } from '../samples.ts'

let service: Service
let samples: Samples
let moment = Date.parse('2036-06-15T12:00:00Z')
before(async () => {
  const clock = () => {
    moment += 10
    return new Date(moment)
  }
  service = await startService({ clock })
  samples = new Samples(service)
})
after(() => service.stop())

type Change = [method: string, path: string, body?: Record<string, unknown>]

/**
 * Each kind of part: its owner, and changes of its parts one after the other. `#` is the id that was made last, `base`
 * the owner's place with what it goes through.
 */
const PARTS: Record<
  string,
  { owner: string; changes: (id: number, samples: Samples, base: string) => Promise<Change[]> }
> = {
  role_grants: {
    owner: '/roles',
    changes: async (id) => {
      const path = `/roles/${id}`
      return [
        ['PUT', path, { grants: [{ scope: 'self', permissions: ['leave:read'] }] }],
        ['PUT', path, { grants: [{ scope: 'self', permissions: ['time:read'] }] }],
        ['PUT', path, { grants: [] }],
      ]
    },
  },
  user_roles: {
    owner: '/users',
    changes: async (id) => [
      ['PUT', `/users/${id}`, { role_ids: [2] }],
      ['PUT', `/users/${id}`, { role_ids: [] }],
    ],
  },
  api_key_roles: {
    owner: '/api_keys',
    changes: async (id) => [
      ['PUT', `/api_keys/${id}`, { role_ids: [2, 3] }],
      ['PUT', `/api_keys/${id}`, { role_ids: [3] }],
    ],
  },
  key_results: {
    owner: '/performance/objectives',
    changes: async (id) => {
      const path = `/performance/objectives/${id}`
      return [
        ['PUT', path, { key_results: [{ title: 'New', target: 10 }] }],
        ['PUT', path, { key_results: [{ title: 'New', target: 10, current: 5 }] }],
        ['PUT', path, { key_results: [] }],
      ]
    },
  },
  competency_levels: {
    owner: '/competencies',
    changes: async (id) => {
      const path = `/competencies/${id}`
      return [
        ['PUT', path, { levels: [{ name: 'New' }] }],
        ['PUT', path, { levels: [{ name: 'New', description: 'Better' }] }],
        ['PUT', path, { levels: [] }],
      ]
    },
  },
  kpi_results: {
    owner: '/performance/key_performance_indicators',
    changes: async (id) => {
      const path = `/performance/key_performance_indicators/${id}/key_performance_indicator_results`
      return [
        ['POST', path, { value: 4 }],
        ['PUT', `${path}/#`, { value: 5 }],
        ['DELETE', `${path}/#`],
      ]
    },
  },
  employee_field_options: { owner: '/employee_fields', changes: options('/employee_fields') },
  candidate_field_options: {
    owner: '/recruitment/candidate_fields',
    changes: options('/recruitment/candidate_fields'),
  },
  vacancy_field_options: { owner: '/recruitment/vacancy_fields', changes: options('/recruitment/vacancy_fields') },
  asset_assignments: {
    owner: '/assets',
    changes: async (asset_id, samples) => {
      const issue = { asset_id, user_id: (await samples.make('employees')).id, issued_on: '2024-03-01' }
      return [
        ['POST', '/asset_assignments', { ...issue, returned_on: '2024-04-01' }],
        ['PUT', '/asset_assignments/#', { returned_on: '2024-05-01' }],
        ['POST', '/asset_assignments/#/return', { returned_on: '2024-03-15' }],
        ['DELETE', '/asset_assignments/#'],
      ]
    },
  },
  asset_losses: {
    owner: '/assets',
    changes: async (id) => [
      ['POST', `/assets/${id}/losses`, { lost_on: '2024-01-01' }],
      ['PUT', `/assets/${id}/losses/#`, { found_on: '2024-01-02' }],
      ['DELETE', `/assets/${id}/losses/#`],
    ],
  },
  leave_attachments: {
    owner: '/leave_requests',
    changes: async (id) => [
      ['POST', `/leave_requests/${id}/attachments`, { attachment: 'data:text/plain;name=note.txt;base64,SGVsbG8=' }],
      ['DELETE', `/leave_requests/${id}/attachments/#`],
    ],
  },
  employee_table_columns: {
    owner: '/employee_tables',
    changes: async (id) => [
      ['POST', `/employee_tables/${id}/columns`, { name: 'Shoe size', type: 'number' }],
      ['PUT', `/employee_tables/${id}/columns/#`, { name: 'Size of shoes' }],
      ['DELETE', `/employee_tables/${id}/columns/#`],
    ],
  },
  employee_table_column_options: {
    owner: '/employee_tables/{employee_table_id}/columns',
    changes: (id, _, base) => options(base)(id),
  },
  employee_table_values: {
    owner: '/employees/{employee_id}/tables/{employee_table_id}/rows',
    changes: async (id, samples, base) => {
      const name = `Remark ${samples.next()}`
      await samples.make('employee_table_columns', { name, type: 'text', options: [] })
      const internal = name.toLowerCase().replace(' ', '_')
      return ['a', 'b', null].map((value) => ['PUT', `${base}/${id}`, { [internal]: value }])
    },
  },
  pipeline_stages: {
    owner: '/recruitment/pipelines',
    changes: async (id) => {
      const path = `/recruitment/pipelines/${id}/stages`
      return [
        ['POST', path, { name: 'Call' }],
        ['PUT', `${path}/#`, { name: 'Visit' }],
        ['DELETE', `${path}/#`],
      ]
    },
  },
  team_members: {
    owner: '/teams',
    changes: async (id, samples) => {
      const user_id = (await samples.make('employees')).id
      return [
        ['POST', `/teams/${id}/team_members`, { user_id }],
        ['DELETE', `/teams/${id}/team_members/#`],
        ['PUT', `/teams/${id}`, { user_ids: [user_id] }],
      ]
    },
  },
  vacancy_collaborators: {
    owner: '/recruitment/vacancies',
    changes: async (id, samples) => [
      ['PUT', `/recruitment/vacancies/${id}`, { collaborator_ids: [(await samples.make('employees')).id] }],
      ['PUT', `/recruitment/vacancies/${id}`, { collaborator_ids: [] }],
    ],
  },
  candidate_languages: {
    owner: '/recruitment/candidates',
    changes: async (id) =>
      [[{ code: 'fr' }], [{ code: 'fr', level: 'b1' }], [{ code: 'de' }], []].map((languages) => [
        'PUT',
        `/recruitment/candidates/${id}`,
        { languages },
      ]),
  },
  ...words('vacancy', '/recruitment/vacancies'),
  ...words('candidate', '/recruitment/candidates'),
}

function options(base: string) {
  return async (id: number): Promise<Change[]> => [
    ['POST', `${base}/${id}/options`, { value: 'Green' }],
    ['PUT', `${base}/${id}/options/#`, { value: 'Red' }],
    ['DELETE', `${base}/${id}/options/#`],
  ]
}

function words(one: string, owner: string): typeof PARTS {
  const setting = (name: string) => async (id: number) =>
    [['x'], ['y', 'x'], []].map((list) => ['PUT', `${owner}/${id}`, { [name]: list }] as Change)
  return {
    [`${one}_skills`]: { owner, changes: setting('skills') },
    [`${one}_tags`]: { owner, changes: setting('tags') },
    [`${one}_field_values`]: {
      owner,
      changes: async (id, samples) => {
        const name = `Remark ${samples.next()}`
        await samples.make(`${one}_fields`, { name, type: 'text', options: [] })
        const internal = name.toLowerCase().replace(' ', '_')
        return ['a', 'b', null].map((value) => ['PUT', `${owner}/${id}`, { fields: { [internal]: value } }])
      },
    },
  }
}

const declared = resources.filter((of) => columnsOf(of).some(([, { reference }]) => reference?.part))

test('this test covers every kind of part', () => {
  assert.deepEqual(declared.map(({ table }) => table).sort(), Object.keys(PARTS).sort())
})

for (const [table, { owner, changes }] of Object.entries(PARTS))
  test(`adding, changing or deleting ${table} updates the owning record, and a no-op does not`, async () => {
    const resource = resources.find(({ path }) => path === owner)
    // The clock is ahead of the keys' usual end.
    const ends = owner === '/api_keys' ? { expires_at: null } : {}
    const { id, params } = await samples.make(resource?.table as string, ends)
    const base = owner.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]))
    let last = ''
    const shown = async () => (await service.get(`${base}/${id}`)).body.data
    for (const [method, path, json] of await changes(id, samples, base)) {
      const before = await shown()
      const place = path.replace('#', last)
      const answer = await service.send(method, place, json ? { json } : {})
      assert.ok(answer.status < 300, answer.text)
      if (method === 'POST') last = String(answer.body.data.id)
      const changed = await shown()
      assert.ok(changed.updated_at > before.updated_at, `${method} ${place}`)
      if (method !== 'PUT') continue
      await service.send(method, place, json ? { json } : {})
      assert.equal((await shown()).updated_at, changed.updated_at, `${method} ${place} again`)
    }
  })

test('deleting a record with parts writes ledger entries only for it and its parts', async () => {
  const { id } = await service.make('/performance/objectives', {
    title: 'Going',
    key_results: [{ title: 'Part', target: 1 }],
  })
  assert.equal((await service.delete(`/performance/objectives/${id}`)).status, 204)
  const entries = await service.database.query((db) =>
    db
      .selectFrom('ledger')
      .select(['resource', 'action'])
      .where('operation', '=', 'deleteObjective')
      .orderBy('no')
      .execute(),
  )
  assert.deepEqual(
    entries.map(({ resource, action }) => `${action} ${resource}`),
    ['delete key_results', 'delete objectives'],
  )
})
