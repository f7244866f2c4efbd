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

/** Each kind of part: its owner, and changes of its parts one after the other. `#` is the id that was made last. */
const PARTS: Record<string, { owner: string; changes: (id: number, samples: Samples) => Promise<Change[]> }> = {
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

test('every kind of part is among these', () => {
  assert.deepEqual(declared.map(({ table }) => table).sort(), Object.keys(PARTS).sort())
})

for (const [table, { owner, changes }] of Object.entries(PARTS))
  test(`what has ${table} is changed when one is added, changed or deleted, and not when nothing is`, async () => {
    const resource = resources.find(({ path }) => path === owner)
    const { id } = await samples.make(resource?.table as string)
    let last = ''
    const shown = async () => (await service.get(`${owner}/${id}`)).body.data
    for (const [method, path, json] of await changes(id, samples)) {
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

test('a record that goes with its parts leaves no entry but theirs and its own', async () => {
  const { id } = await service.make('/performance/objectives', {
    title: 'Going',
    key_results: [{ title: 'Part', target: 1 }],
  })
  assert.equal((await service.delete(`/performance/objectives/${id}`)).status, 204)
  const entries = await service.database.glance((db) =>
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
