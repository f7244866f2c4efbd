import { type Answer, type Service, startService } from '../harness.ts'

/** A manager, somebody who reports to her, and somebody else, with what lets them in; for tests of who may do what. */
export async function companyOfThree() {
  const service: Service = await startService({ clock: () => new Date('2030-05-15T12:00:00Z') })
  const roleIds = new Map<string, number>()
  for (const { id, standard } of (await service.get('/roles')).body.data) roleIds.set(standard, id)
  const hire = async (person: object): Promise<{ id: number }> => service.hire({ hired_on: '2028-01-01', ...person })
  const boss = await hire({ first_name: 'Mary', last_name: 'Manager' })
  const report = await hire({ first_name: 'Rita', last_name: 'Report', reporting_to_id: boss.id })
  const other = await hire({ first_name: 'Otto', last_name: 'Other' })
  const type = await service.make('/leave_types', { name: 'Holiday' })
  const policy = await service.make('/leave_policies', { name: 'Usual', leave_type_id: type.id, floor: -100 })
  for (const { id } of [boss, report])
    await service.make(`/employees/${id}/leave_types`, {
      leave_type_id: type.id,
      leave_type_policy_id: policy.id,
      effective_on: '2029-01-01',
    })

  /** Ready-made ones by their names, others by their ids. */
  const rolesOf = (roles: (string | number)[]) =>
    roles.map((role) => (typeof role === 'number' ? role : roleIds.get(role)))
  let made = 0
  const withRoles = async (employee_id: number | null, ...roles: (string | number)[]): Promise<string> => {
    const body = { name: 'Key', permissions: ['*'], employee_id, role_ids: rolesOf(roles) }
    return (await service.make('/api_keys', body)).key
  }

  return {
    service,
    boss,
    report,
    other,

    /** A key. */
    withRoles,

    /** A key with one role, of these grants. */
    async homeMade(employee_id: number | null, ...grants: object[]) {
      return withRoles(employee_id, (await service.make('/roles', { name: `Home-made ${made++}`, grants })).id)
    },

    /** Signs in. */
    async enter(employee_id: number, ...roles: (string | number)[]) {
      const email = `somebody${made++}@reach.example`
      const invited = { email, name: email, employee_id, role_ids: rolesOf(roles) }
      const { link, user } = await service.make('/users/invite', invited)
      const json = { token: link.url.split('#')[1], password: 'seven grey herons at noon' }
      const same = { origin: service.url, 'sec-fetch-site': 'same-origin' }
      const entered = await service.send('POST', '/sign_in/link_use', { key: null, json, headers: same })
      const cookie = entered.headers.getSetCookie().map((one) => one.split(';')[0])
      const headers = { ...same, cookie: cookie.join('; ') }
      const send = (method: string, path: string, json?: object) =>
        service.send(method as 'POST', path, { key: null, json, headers })
      return { user, send }
    },
  }
}

export type CompanyOfThree = Awaited<ReturnType<typeof companyOfThree>>

/** All groups of data. */
export const ALL = ['compensation', 'personal', 'notes', 'planned']
/** What most may: everybody's name and place. */
export const KNOWS_ALL = { permissions: ['directory:read'], scope: 'everybody', sees: [] }
export const status = async (way: Promise<Answer>) => (await way).status
