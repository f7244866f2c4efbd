import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Entry, entriesSince } from '../../src/records/entries.ts'
import { fc } from '../chance.ts'
import { type Answer, type Service, startService } from '../harness.ts'
import { oneEngineTest } from '../thorough.ts'

/** How many random histories; more of them with KNOWN_AT_RUNS. */
const RUNS = Number(process.env.KNOWN_AT_RUNS ?? 1)

let service: Service
let now = new Date('2036-06-15T12:00:00Z')
const soon = (hours = 5) => {
  now = new Date(now.getTime() + hours * 3_600_000)
}
const numberOf = ({ headers }: Answer) => Number(headers.get('cadre-ledger'))
const withKnown = (path: string, at: string | number) => `${path}${path.includes('?') ? '&' : '?'}known_at=${at}`

before(async () => {
  service = await startService({ clock: () => now, timeZone: 'Asia/Kolkata' })
  for (const name of ['P1', 'P2']) await service.make('/positions', { name })
  for (const name of ['D1', 'D2', 'D3']) await service.make('/departments', { name })
  for (const name of ['S1', 'S2']) await service.make('/skills', { name })
  await service.make('/compensation_types', { name: 'Bonus' })
  const field = (name: string, type: string, more = {}) => service.make('/employee_fields', { name, type, ...more })
  await field('Grade', 'text', { historical: true })
  await field('Badge', 'text', { protection: 'personal' })
  await field('Buddy', 'employee')
  await field('Size', 'single_select', { options: ['S', 'M'] })
})
after(() => service.stop())

const DAYS = ['2036-01-01', '2036-03-01', '2036-06-01', '2036-06-20', '2036-07-10', '2036-12-01']

/** One change of the company, as far as it is possible; the numbers choose among what there is. */
type Step = { kind: string; a: number; b: number; c: number; hours: number }
const KINDS = [
  'hire',
  'change',
  'change',
  'move',
  'redate',
  'drop',
  'pay',
  'repay',
  'unpay',
  'rename',
  'field',
  'fields',
  'skill',
  'terminate',
  'activate',
  'bulk',
  'bonus',
  'open',
  'close',
]
const step = (kinds: string[]) =>
  fc.record({
    kind: fc.constantFrom(...kinds),
    a: fc.nat(1000),
    b: fc.nat(1000),
    c: fc.nat(1000),
    hours: fc.constantFrom(0, 1, 5, 20, 70),
  })

/** Names that nothing had before. */
let names = 0

const at = <T>(all: readonly T[], n: number): T | undefined => all[n % Math.max(1, all.length)]

class Company {
  people: number[] = []
  /** Departments; some of them come and go. */
  places = [1, 2, 3]
  #name = () => ++names

  async do({ kind, a, b, c, hours }: Step): Promise<Answer | undefined> {
    soon(hours)
    const id = at(this.people, a)
    const of = (part: string) => `/employees/${id}/${part}`
    const first = async (part: string) => at<any>((await service.get(of(part))).body?.data ?? [], b)?.id
    if (kind === 'hire') {
      const answer = await service.post('/employees', {
        first_name: `Fn${a % 7}`,
        last_name: `Ln ${b % 5}`,
        email: `e${a}.${b}.${c}.${this.#name()}@example.com`,
        hired_on: at(DAYS, b),
        date_of_birth: `1990-${String(1 + (c % 12)).padStart(2, '0')}-11`,
        department_id: at(this.places, c),
        position_id: 1 + (b % 2),
        gender_id: 1 + (a % 3),
        reporting_to_id: b % 3 === 0 ? (id ?? null) : null,
      })
      if (answer.status === 201) this.people.push(answer.body.data.id)
      return answer
    }
    if (kind === 'open') {
      const answer = await service.post('/departments', { name: `Name ${this.#name()}` })
      this.places.push(answer.body.data.id)
      return answer
    }
    if (kind === 'close') return service.delete(`/departments/${at(this.places, a)}`)
    if (kind === 'rename')
      return service.put(`/${at(['departments', 'positions'], a)}/${1 + (b % 2)}`, { name: `Name ${this.#name()}` })
    if (kind === 'fields') return service.put(`/employee_fields/${1 + (a % 4)}`, { name: `Field ${this.#name()}` })
    if (id === undefined) return undefined
    switch (kind) {
      case 'change':
        return service.put(`/employees/${id}`, {
          ...(b % 2
            ? { first_name: `Fn${c % 7}`, last_name: `Ln ${a % 5}` }
            : { email: `x${this.#name()}@example.com` }),
          ...(b % 3 ? { department_id: at(this.places, c) } : { hired_on: at(DAYS, c) }),
          ...(b % 5 ? {} : { access: c % 2 === 0, gender_id: null }),
        })
      case 'move':
        return service.post(of('positions'), { effective_from: at(DAYS, b), department_id: at(this.places, c) })
      case 'redate': {
        const entry = await first('positions')
        return service.put(`${of('positions')}/${entry}`, { effective_from: at(DAYS, c), position_id: 1 + (a % 2) })
      }
      case 'drop':
        return service.delete(`${of('positions')}/${await first('positions')}`)
      case 'pay':
        return service.post(of('salaries'), {
          effective_on: at(DAYS, b),
          amount: 1000 + c,
          currency_code: 'EUR',
          per: 'month',
        })
      case 'repay':
        return service.put(`${of('salaries')}/${await first('salaries')}`, {
          amount: 2000 + c,
          overtime: c % 2 === 0,
          effective_on: at(DAYS, c),
        })
      case 'unpay':
        return service.delete(`${of('salaries')}/${await first('salaries')}`)
      case 'bonus':
        return service.post(of('additional_compensations'), {
          type: 'fixed',
          amount: c,
          currency_code: 'EUR',
          starts_on: at(DAYS, b),
          compensation_type_id: 1,
        })
      case 'field': {
        const values = [
          { grade: `G${b}` },
          { badge: `B${b}` },
          { buddy: at(this.people, c) },
          { size: at(['S', 'M'], b) },
        ]
        return service.put(`/employees/${id}`, { ...at(values, c), ...at(values, b) })
      }
      case 'skill':
        return service.post(of('skills'), { skill_id: 1 + (b % 2), level: at(['basic', 'expert'], c) })
      case 'terminate':
        return service.post(`/employees/${id}/terminate`, { effective_from: at(DAYS, b), comment: `Why ${c}` })
      case 'activate':
        return service.post(`/employees/${id}/activate`)
      case 'bulk':
        return service.send('PATCH', '/employees/bulk', {
          json: { employees: this.people.slice(0, 4).map((one) => ({ id: one, department_id: at(this.places, b) })) },
        })
      default: {
        const query = kind === 'erase' ? '?erase=true' : ''
        const answer = await service.delete(`/employees/${id}${query}`)
        if (answer.status === 204) this.people = this.people.filter((one) => one !== id)
        return answer
      }
    }
  }

  /** Questions that are worth asking about the company as it is. */
  questions(n: number): string[] {
    const id = at(this.people, n) ?? 1
    const day = at(DAYS, n)
    const all = [
      `/employees?status=all&per_page=3&page=${1 + (n % 3)}`,
      `/employees?status=all&per_page=3&sort=-last_name`,
      `/employees?sort=-updated_at&per_page=5`,
      `/employees?status=all&sort=hired_on&as_of=${day}`,
      `/employees?department_id=${at(this.places, n)}`,
      `/employees?department_id=${at(this.places, n)}&as_of=${day}`,
      `/employees?q=fn${n % 7}&status=all`,
      `/employees?status=all&emails[]=x${names}@example.com&emails[]=x${names - 1}@example.com`,
      `/employees?status=all&sort=first_name&per_page=4`,
      `/employees?manager_id=${id}&status=all`,
      `/employees?skill_ids[]=${1 + (n % 2)}&status=all`,
      `/employees?status=probation`,
      `/employees?hired_on[gte]=${day}&fields[]=grade`,
      `/employees/terminated`,
      `/employees/birthdays`,
      `/employees/anniversaries`,
      `/employees/${id}/additional_compensations`,
      `/employees/${id}/employment_statuses?sort=-id`,
    ]
    const own = [
      `/employees/${id}`,
      `/employees/${id}?as_of=${day}`,
      `/employees/${id}/salaries`,
      `/employees/${id}/positions`,
    ]
    return [at(own, n) as string, at(own, n + 1) as string, at(all, n) as string, at(all, n + 5) as string]
  }
}

/** The people of all pages, and how many they are said to be. */
async function everybody(where: string): Promise<{ data: any[]; count: number }> {
  const data: any[] = []
  for (let page = 1; ; page++) {
    const { body } = await service.get(`/employees?status=all&per_page=200&page=${page}&sort=id&${where}`)
    data.push(...body.data)
    if (page >= body.metadata.pages) return { data, count: body.metadata.count }
  }
}

const RANDOM = { numRuns: RUNS, endOnFailure: true }

describe('known_at', () => {
  test('a read with known_at returns byte for byte what was returned at that time', async () => {
    const blind = await service.keyWith({ withheld: ['compensation', 'personal', 'notes'] })
    await fc.assert(
      fc.asyncProperty(fc.array(step(KINDS), { minLength: 14, maxLength: 18 }), async (steps) => {
        const company = new Company()
        const told: { path: string; known: (string | number)[]; key: string; status: number; text: string }[] = []
        const hire = { ...(steps[0] as Step), kind: 'hire' }
        let last = 0
        for (const [index, one] of [hire, hire, ...steps].entries()) {
          await company.do(one)
          const key = index % 3 === 0 ? blind : service.key
          for (const path of company.questions(one.a + one.b)) {
            if (key === blind && /salaries|compensations|birthdays/.test(path)) continue
            const answer = await service.get(path, { key })
            // What changed nothing leaves the last number to an earlier day.
            const known = numberOf(answer) > last ? [numberOf(answer), now.toISOString()] : [now.toISOString()]
            told.push({ path, known, key, status: answer.status, text: answer.text })
          }
          last = told.at(-1)?.known.length === 2 ? (told.at(-1)?.known[0] as number) : last
          now = new Date(now.getTime() + 1)
        }
        for (const { path, known, key, status, text } of told)
          for (const one of known) {
            const later = await service.get(withKnown(path, one), { key })
            const said = (text: string) => text.replace(/"request_id":"[^"]*"/, '')
            assert.deepEqual([later.status, said(later.text)], [status, said(text)], withKnown(path, one))
          }
      }),
      RANDOM,
    )
  })

  oneEngineTest('any date at any change number equals a naive replay of the ledger without erased people', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step([...KINDS, 'erase']), { minLength: 14, maxLength: 20 }),
        fc.array(fc.tuple(fc.nat(10_000), fc.nat(100)), { minLength: 8, maxLength: 8 }),
        async (steps, asked) => {
          const company = new Company()
          const first = numberOf(await service.get('/employees'))
          const hire = { ...(steps[0] as Step), kind: 'hire' }
          for (const one of [hire, ...steps.slice(0, 7), { ...hire, b: 3 }, ...steps.slice(7)]) await company.do(one)
          const entries = await entriesSince(service.database, service.account.id, 0, 100_000)
          for (const [pick, dayPick] of asked) {
            const number = first + (pick % (entries.length - first + 1))
            const day = at(DAYS, dayPick) as string
            const model = await ModelOfLedger.at(entries, number, day)
            const where = `as_of=${day}&known_at=${number}`
            const list = await everybody(where)
            assert.deepEqual(list.data.map(shownPerson), model.people(), where)
            assert.equal(list.count, model.people().length)
            const id = model.people().at(-1 - (pick % 2))?.id ?? 1
            const one = await service.get(`/employees/${id}?${where}`)
            assert.deepEqual(one.body.data && shownPerson(one.body.data), model.person(id), where)
            const salaries = (await service.get(`/employees/${id}/salaries?known_at=${number}`)).body.data
            assert.deepEqual(
              salaries?.map((one: any) => [one.id, one.effective_on, Number(one.amount) * 10_000]),
              model.person(id) && model.of('salaries', id).map((one) => [one.id, one.effective_on, one.amount]),
            )
            const positions = (await service.get(`/employees/${id}/positions?known_at=${number}`)).body.data
            assert.deepEqual(
              positions?.map((one: any) => [one.id, one.effective_from, one.department?.name, one.reporting_to?.id]),
              model.person(id) &&
                model
                  .of('employee_positions', id)
                  .map((one) => [
                    one.id,
                    one.effective_from,
                    model.row('departments', one.department_id)?.name,
                    model.row('employees', one.reporting_to_id)?.id,
                  ]),
            )
          }
        },
      ),
      RANDOM,
    )
  })

  oneEngineTest('an erased person is hidden at every known_at, also where others referred to them', async () => {
    const boss = await service.hire({ first_name: 'Erasmark', last_name: 'Goner', email: 'erasmark@example.com' })
    const begun = numberOf(await service.get('/employees'))
    const { id } = await service.hire({ reporting_to_id: boss.id, hired_on: '2036-01-01', buddy: boss.id })
    await service.make(`/employees/${boss.id}/salaries`, {
      effective_on: '2036-01-01',
      amount: 98127.65,
      currency_code: 'EUR',
      per: 'month',
      comment: 'Erasmark',
    })
    await service.put(`/employees/${boss.id}`, { last_name: 'Gone', grade: 'Erasmark' })
    const before = numberOf(await service.get('/employees'))
    assert.match((await service.get(`/employees/${id}?known_at=${before}`)).text, /Erasmark/)
    const gone = await service.delete(`/employees/${boss.id}?erase=true`)
    assert.equal(gone.status, 204, gone.text)
    for (let number = begun - 3; number <= numberOf(gone); number++)
      for (const path of [
        `/employees?status=all&per_page=200&sort=-id&as_of=2036-06-15`,
        `/employees/${id}`,
        `/employees/${id}/positions`,
        `/employees/${boss.id}`,
        `/employees/${boss.id}/salaries`,
        `/employees?status=all&q=erasmark`,
        `/employees?emails[]=erasmark@example.com`,
      ]) {
        const answer = await service.get(withKnown(path, number))
        assert.doesNotMatch(answer.text, /erasmark|98127\.6543/i, withKnown(path, number))
        if (path.startsWith(`/employees/${boss.id}`)) assert.equal(answer.status, 404)
      }
    const reports = await service.get(`/employees?status=all&manager_id=${boss.id}&known_at=${before}`)
    assert.deepEqual(reports.body.data, [], 'nor are those found who reported to them')
  })

  test('after an erasure, past references to the person are empty and not replaced by later ones', async () => {
    const boss = await service.hire({ hired_on: '2030-01-01' })
    const heir = await service.hire({ hired_on: '2030-01-01' })
    const place = await service.make('/departments', { name: `Name ${++names}`, manager_id: boss.id })
    const job = { hired_on: '2036-06-15', reporting_to_id: boss.id, department_id: place.id }
    const [moved, stayed, gone] = [await service.hire(job), await service.hire(job), await service.hire(job)]
    const then = numberOf(await service.get('/employees'))
    const [entry] = (await service.get(`/employees/${moved.id}/positions`)).body.data
    await service.put(`/employees/${moved.id}/positions/${entry.id}`, { reporting_to_id: heir.id })
    await service.put(`/employees/${gone.id}`, { reporting_to_id: null })
    await service.put(`/departments/${place.id}`, { manager_id: heir.id })
    const later = numberOf(await service.get('/employees'))
    const erased = await service.delete(`/employees/${boss.id}?erase=true`)
    assert.equal(erased.status, 204, erased.text)
    const shown = async (id: number, number: number) => {
      const { reporting_to, department } = (await service.get(`/employees/${id}?known_at=${number}`)).body.data
      const positions = (await service.get(`/employees/${id}/positions?known_at=${number}`)).body.data
      return [reporting_to, ...positions.map((one: any) => one.reporting_to), department.manager_id]
    }
    for (const { id } of [moved, stayed, gone]) assert.deepEqual(await shown(id, then), [null, null, null])
    const [manager] = await shown(moved.id, later)
    assert.equal(manager.id, heir.id)
    assert.deepEqual(await shown(moved.id, later), [manager, manager, heir.id])
    assert.deepEqual(await shown(stayed.id, later), [null, null, heir.id])
    const reports = await service.get(`/employees?status=all&manager_id=${heir.id}&known_at=${then}`)
    assert.deepEqual(reports.body.data, [], 'nor is anybody found below whom they came to later')
    assert.equal((await service.get(`/employees/${heir.id}?known_at=${then}`)).body.data.direct_reports, null)
  })

  test('custom fields refer to no erased person at any known_at, historical and deleted fields included', async () => {
    const define = (name: string, type = 'employee', more = {}) =>
      service.make('/employee_fields', { name, type, ...more })
    await define('Mentor', 'employee', { historical: true })
    const guide = await define('Guide')
    await define('Desk', 'number')
    const boss = await service.hire()
    const heir = await service.hire()
    const named = ({ id }: { id: number }) => ({ fields: { buddy: id, mentor: id, guide: id, desk: boss.id } })
    const [moved, stayed] = [await service.hire(named(boss)), await service.hire(named(boss))]
    const then = numberOf(await service.get('/employees'))
    soon(48)
    await service.put(`/employees/${moved.id}`, named(heir))
    const later = numberOf(await service.get('/employees'))
    for (const { id } of [moved, stayed]) await service.put(`/employees/${id}`, { fields: { guide: null } })
    assert.equal((await service.delete(`/employee_fields/${guide.id}`)).status, 204)
    const shown = async ({ id }: { id: number }, number: number) => {
      const { fields } = (await service.get(`/employees/${id}?known_at=${number}`)).body.data
      const people = ['buddy', 'mentor', 'guide'].map((name) => [fields[name].value, fields[name].user_id])
      assert.equal(Number(fields.desk.value), boss.id, 'a number names nobody')
      return people
    }
    const of = ({ id, full_name }: any) => Array(3).fill([full_name, id])
    for (const one of [moved, stayed]) assert.deepEqual(await shown(one, then), of(boss))
    const erased = await service.delete(`/employees/${boss.id}?erase=true`)
    assert.equal(erased.status, 204, erased.text)
    for (const one of [moved, stayed]) assert.deepEqual(await shown(one, then), Array(3).fill([null, null]))
    assert.deepEqual(await shown(moved, later), of(heir))
    assert.deepEqual(await shown(stayed, later), Array(3).fill([null, null]))
  })

  test('field groups that are hidden from a key now are also hidden at every known_at', async () => {
    const field = await service.make('/employee_fields', { name: 'Secret', type: 'text' })
    const { id } = await service.hire({ secret: 'Marker one', hired_on: '2036-01-01', date_of_birth: '1991-02-03' })
    const pay = { effective_on: '2036-01-01', amount: 9876, currency_code: 'EUR', per: 'month', comment: 'Marker two' }
    const salary = await service.make(`/employees/${id}/salaries`, pay)
    const then = numberOf(await service.get('/employees'))
    await service.put(`/employee_fields/${field.id}`, { protection: 'personal' })
    await service.delete(`/employees/${id}/salaries/${salary.id}`)
    const path = `/employees/${id}?as_of=2036-06-15&known_at=${then}`
    const whole = await service.get(path)
    assert.equal(whole.body.data.salary.comment, 'Marker two')
    assert.equal(whole.body.data.fields.secret.value, 'Marker one')
    const key = await service.keyWith({ withheld: ['compensation', 'personal'] })
    const cut = await service.get(path, { key })
    assert.equal(cut.status, 200)
    assert.doesNotMatch(cut.text, /Marker|9876|1991-02-03/)
    assert.match(cut.headers.get('cadre-omitted') ?? '', /compensation/)
    assert.equal((await service.get(`/employees/${id}/salaries?known_at=${then}`, { key })).status, 403)
    assert.equal((await service.get(`/employees/birthdays?known_at=${then}`, { key })).status, 403)
    const reader = await service.keyWith({ permissions: ['employees:read'] })
    assert.equal((await service.get(`/employees/${id}`, { key: reader })).status, 200)
    assert.equal((await service.get(path, { key: reader })).status, 403)
    const { key: foreign } = await service.otherAccount()
    assert.equal((await service.get(`/employees/${id}?known_at=1`, { key: foreign })).status, 404)
  })

  test('the known_at example in the reference shows what it says', async () => {
    const { info } = (await service.get(`${service.url}/openapi.json`, { key: null })).body
    now = new Date('2026-01-10T10:00:00Z')
    const { id } = await service.hire({ hired_on: '2026-01-01' })
    const pay = { effective_on: '2026-01-01', amount: 4200, currency_code: 'EUR', per: 'month' }
    const salary = await service.make(`/employees/${id}/salaries`, pay)
    now = new Date('2026-03-10T10:00:00Z')
    await service.put(`/employees/${id}/salaries/${salary.id}`, { amount: 4500 })
    const lines = [...info.description.matchAll(/GET (\/employees\/1\?\S+) +shows (\S+)/g)]
    assert.equal(lines.length, 2)
    for (const [, path, amount] of lines)
      assert.equal((await service.get(path.replace('/1?', `/${id}?`))).body.data.salary.amount, amount, path)
  })

  test("known_at accepts a change number, a time or a past day in the account's time zone, and rejects others", async () => {
    now = new Date('2090-02-01T20:00:00Z')
    const { id } = await service.hire({ first_name: 'Old' })
    // In Kolkata it is the 2nd of February by now.
    const before = numberOf(await service.get('/employees'))
    now = new Date('2090-02-03T20:00:00Z')
    await service.put(`/employees/${id}`, { first_name: 'New' })
    const name = async (known: string | number) => {
      const answer = await service.get(`/employees/${id}?known_at=${known}`)
      return answer.body.data?.first_name ?? answer.status
    }
    assert.equal(await name(before - 1), 404)
    assert.equal(await name(before), 'Old')
    assert.equal(await name(before + 1), 'New')
    assert.equal(await name('2090-02-01T19:59:59.999Z'), 404)
    assert.equal(await name('2090-02-01T20:00:00Z'), 'Old')
    assert.equal(await name('2090-02-02T01:30:00%2B05:30'), 'Old')
    assert.equal(await name('2090-02-01'), 404)
    assert.equal(await name('2090-02-02'), 'Old')
    assert.equal(await name('2090-02-03T20:00:00Z'), 'New')
    assert.equal(await name('1999-12-31'), 404)
    assert.equal(await name(0), 404)
    const refusal = async (known: string) => {
      const { status, body } = await service.get(`/employees?known_at=${known}`)
      return [status, body.errors?.[0].code, body.detail]
    }
    assert.match(String(await refusal('99999999999999999999')), /^400,too_late,.*last change number, \d+.*2024-01-31T/)
    for (const [known, code] of [
      ['2090-02-04', 'too_late'],
      ['2090-02-03T20:00:01Z', 'too_late'],
      ['yesterday', 'invalid'],
      ['2090-02-30', 'invalid'],
      ['-1', 'invalid'],
      ['1.5', 'invalid'],
      ['', 'invalid'],
    ] as const)
      assert.deepEqual((await refusal(known)).slice(0, 2), [400, code], known)
    assert.deepEqual((await service.get('/employees?known_at=2000-01-01&status=all')).body.metadata.count, 0)
  })

  test('the response for a known_at stays the same, whatever changes later and whenever it is read', async () => {
    now = new Date('2095-02-01T08:00:00Z')
    const [one, other] = [
      await service.hire({ first_name: 'Twoclock', hired_on: '2095-02-03', email: 'one@clock.example' }),
      await service.hire({ first_name: 'Twoclock', date_of_birth: '2070-02-20' }),
    ]
    const paths = [
      `/employees/${one.id}`,
      '/employees?status=hired&q=twoclock',
      '/employees?q=twoclock',
      '/employees?q=threeclock',
      '/employees?emails[]=one@clock.example',
      '/employees/birthdays',
    ]
    const number = numberOf(await service.get('/employees'))
    const answers = () => Promise.all(paths.map(async (path) => (await service.get(path)).text))
    const then = () => Promise.all(paths.map(async (path) => (await service.get(withKnown(path, number))).text))
    const told = await answers()
    assert.match(told.at(-1) as string, /Twoclock/)
    now = new Date('2095-04-01T08:00:00Z')
    assert.deepEqual(await then(), told)
    await service.put(`/employees/${one.id}`, { first_name: 'Threeclock', email: 'three@clock.example' })
    assert.deepEqual(await then(), told)
    await service.put(`/employees/${other.id}`, { first_name: 'Threeclock', date_of_birth: null })
    assert.deepEqual(await then(), told)
    assert.notDeepEqual(await answers(), told)
  })

  test('a response with known_at reads nothing from current tables', async () => {
    const { id } = await service.hire({ hired_on: '2036-01-01' })
    const number = numberOf(await service.get('/employees'))
    await service.put(`/employees/${id}`, { first_name: 'Other' })
    const company = new Company()
    company.people = [id]
    for (const path of new Set(Array.from({ length: 16 }, (_, n) => company.questions(n)).flat())) {
      // A table that is not among those of the past would be an error of ours.
      assert.equal((await service.get(withKnown(path, number))).status, 200, path)
      const { status, body } = await service.get(withKnown(path, 0))
      assert.ok(status === 404 || body.metadata.count === 0, path)
    }
  })

  test('reads without known_at cost nothing extra, and a second page reuses the reconstruction', async () => {
    const number = numberOf(await service.get('/employees'))
    await service.hire()
    const count = async (path: string) => {
      let statements = 0
      service.onStatement = (statement) => {
        if (/"ledger"/.test(statement)) statements++
      }
      assert.equal((await service.get(path)).status, 200)
      service.onStatement = undefined
      return statements
    }
    assert.equal(await count('/employees?per_page=2'), 0)
    const first = await count(`/employees?per_page=2&status=all&known_at=${number}`)
    const second = await count(`/employees?per_page=2&page=2&status=all&known_at=${number}`)
    assert.ok(first > 2, String(first))
    // One of them asks for the zone of then.
    assert.equal(second, 4)
  })
})

const shownPerson = (one: any) => ({
  id: one.id,
  name: one.full_name,
  email: one.email,
  status: one.status,
  department: one.department?.name ?? null,
  manager: one.reporting_to?.id ?? null,
  salary: one.salary ? Number(one.salary.amount) * 10_000 : null,
  grade: one.fields.grade.value,
  label: one.fields.grade.label,
  gender: one.gender?.name ?? null,
})

type Row = Record<string, any> & { id: number }

/** What was believed of a day at a number: the ledger told from its beginning. */
class ModelOfLedger {
  readonly #tables = new Map<string, Map<number, Row>>()
  readonly #day: string
  /** The day on which the last of the changes was made. */
  #today = ''

  constructor(day: string) {
    this.#day = day
  }

  static async at(entries: readonly Entry[], number: number, day: string): Promise<ModelOfLedger> {
    const model = new ModelOfLedger(day)
    // What one request changed became known at once.
    const last = entries.findLastIndex(({ request_id }) => request_id === entries[number - 1]?.request_id)
    model.#today = new Date(entries[last]?.at ?? 0).toISOString().slice(0, 10)
    for (const { resource, record_id: id, action, after } of entries.slice(0, last + 1)) {
      const table = model.#tables.get(resource) ?? new Map<number, Row>()
      model.#tables.set(resource, table)
      if (action === 'delete') table.delete(id)
      else if (action !== 'erase') table.set(id, { ...table.get(id), ...after, id } as Row)
    }
    // Of what was taken out of the ledger, what is there still is all that is known.
    for (const { resource, record_id: id } of entries.filter(({ action }) => action === 'erase')) {
      const table = model.#tables.get(resource)
      if (!table?.has(id)) continue
      const [now] = await service.database.query((sql) =>
        sql
          .selectFrom(resource)
          .selectAll()
          .where('account_id', '=', service.account.id)
          .where('id', '=', id)
          .execute(),
      )
      if (now) table.set(id, now as Row)
      else table.delete(id)
    }
    return model
  }

  row = (table: string, id: number | null) => (id === null ? undefined : this.#tables.get(table)?.get(id))
  of = (table: string, employee: number) =>
    [...(this.#tables.get(table)?.values() ?? [])]
      .filter((one) => one.employee_id === employee)
      .sort((a, b) => a.id - b.id)

  /** The last one that has begun. */
  #inForce(rows: Row[], name: string, day = this.#day): Row | undefined {
    const begun = rows.filter((one) => one[name] <= day)
    return begun.sort((a, b) => (a[name] === b[name] ? a.id - b.id : a[name] < b[name] ? -1 : 1)).at(-1)
  }

  person(id: number) {
    const row = this.row('employees', id)
    if (!row) return undefined
    const day = this.#day
    const { hired_on, probation_ends_on, termination_effective_on: left } = row
    // Today, people who have not started are shown with the job and the pay that they start with.
    const jobDay = day === this.#today && hired_on > day ? hired_on : day
    const job = this.#inForce(this.of('employee_positions', id), 'effective_from', jobDay)
    const grades = this.of('employee_field_values', id).filter((one) => one.employee_field_id === 1)
    return {
      id,
      name: [row.first_name, row.middle_name, row.last_name].filter(Boolean).join(' '),
      email: row.email,
      status:
        left && left <= day
          ? 'terminated'
          : hired_on && hired_on > day
            ? 'hired'
            : probation_ends_on && probation_ends_on >= day
              ? 'probation'
              : 'employed',
      department: this.row('departments', job?.department_id ?? null)?.name ?? null,
      manager: this.row('employees', job?.reporting_to_id ?? null)?.id ?? null,
      salary: this.#inForce(this.of('salaries', id), 'effective_on', jobDay)?.amount ?? null,
      grade: this.#inForce(grades, 'effective_from')?.value ?? null,
      label: this.row('employee_fields', 1)?.name,
      gender: this.row('genders', row.gender_id)?.name ?? null,
    }
  }

  people() {
    const ids = [...(this.#tables.get('employees')?.keys() ?? [])].sort((a, b) => a - b)
    return ids.map((id) => this.person(id) as NonNullable<ReturnType<ModelOfLedger['person']>>)
  }
}

test('known_at and as_of are rejected where they are not supported, for lists and single records', async () => {
  const division = await service.make('/divisions', { name: 'Now' })
  for (const path of ['/departments', `/divisions/${division.id}`, '/changes', '/audits', '/genders'])
    for (const name of ['known_at', 'as_of', 'asOf', 'known-at']) {
      const { status, body } = await service.get(`${path}?${name}=2024-01-01`)
      assert.deepEqual([status, body.errors?.[0].field, body.errors?.[0].code], [400, name, 'unknown'], path)
    }
})
