import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../harness.ts'

test('/me/rights lists exactly what the roles of a user allow for one person', async () => {
  const service = await startService()
  const roles = (await service.get('/roles')).body.data as { id: number; standard: string }[]
  const { id: boss } = await service.hire({ first_name: 'Boss', last_name: 'Of all' })
  const { id: manager } = await service.hire({ first_name: 'Mary', last_name: 'Manager', reporting_to_id: boss })
  const { id: report } = await service.hire({ first_name: 'Rita', last_name: 'Report', reporting_to_id: manager })

  const enter = async (name: string, employee_id: number, ...standards: string[]) => {
    const role_ids = roles.flatMap(({ id, standard }) => (standards.includes(standard) ? id : []))
    const { link } = await service.make('/users/invite', { email: `${name}@example.com`, name, employee_id, role_ids })
    const json = { token: link.url.split('#')[1], password: 'seven grey herons at noon' }
    const headers = { origin: service.url, 'sec-fetch-site': 'same-origin' }
    const entered = await service.send('POST', '/sign_in/link_use', { key: null, json, headers })
    const cookie = entered.headers.getSetCookie().map((one) => one.split(';')[0])
    return async (id: number) => {
      const { status, body } = await service.get(`/me/rights?employee_id=${id}`, {
        key: null,
        headers: { cookie: cookie.join('; ') },
      })
      assert.equal(status, 200)
      return body.data as { permissions: string[]; withheld: string[] }
    }
  }

  const ofManager = await enter('mary', manager, 'manager', 'employee')
  const own = await ofManager(manager)
  assert.deepEqual(own.withheld, ['notes', 'planned'])
  assert.ok(own.permissions.includes('employees:read') && !own.permissions.includes('leave:approve'))
  const below = await ofManager(report)
  assert.deepEqual(below.withheld, ['compensation', 'personal', 'planned'])
  assert.ok(below.permissions.includes('leave:approve') && !below.permissions.includes('employees:write'))
  const above = await ofManager(boss)
  assert.ok(above.permissions.includes('directory:read') && !above.permissions.includes('employees:read'))
  // Nobody is told by it who is there.
  assert.deepEqual(await ofManager(999_999), above)

  const ofHr = await enter('rita', report, 'hr')
  assert.ok((await ofHr(boss)).permissions.includes('employees:write'))
  assert.equal((await service.get('/me/rights?employee_id=1')).status, 403)
  await service.stop()
})
