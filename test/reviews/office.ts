import assert from 'node:assert/strict'
import type { Service } from '../harness.ts'
import { unzip } from '../unzip.ts'

/** A company with managers above managers, and keys of its people. */
export type Office = Awaited<ReturnType<typeof openOffice>>

const MANAGERS: Record<string, string | null> = {
  boss: null,
  ann: 'boss',
  ben: 'boss',
  carl: 'ann',
  dora: 'ann',
  eve: 'carl',
  hr: null,
}

const TAKING_PART = ['reviews:read', 'review_answers:*']

export async function openOffice(service: Service) {
  const ids = new Map<string, number>()
  const managers = new Map(Object.entries(MANAGERS))
  for (const [name, manager] of managers) {
    const reporting_to_id = manager === null ? null : ids.get(manager)
    const hired = { first_name: name, hired_on: '2020-01-01', reporting_to_id }
    ids.set(name, (await service.hire(hired)).id)
  }
  const id = (name: string) => ids.get(name) as number
  const keyOf = async (name: string, permissions: string[]): Promise<string> =>
    (await service.make('/api_keys', { name: `${name} ${permissions[0]}`, permissions, employee_id: id(name) })).key
  const people = ['boss', 'ann', 'ben', 'carl', 'dora', 'eve']
  const keys = new Map<string, string>([
    ['nobody', await service.keyWith({ permissions: ['reviews:read', 'review_answers:read'] })],
    ['hr', await keyOf('hr', ['reviews:*', 'review_answers:*'])],
  ])
  for (const name of people) keys.set(name, await keyOf(name, TAKING_PART))

  function key(name: string): string
  function key(name: string, permissions: string[]): Promise<string>
  function key(name: string, permissions?: string[]) {
    return permissions ? keyOf(name, permissions) : (keys.get(name) as string)
  }

  /** Everybody above somebody today. */
  const managersOf = (name: string): string[] => {
    const above = managers.get(name) ?? null
    return above === null ? [] : [above, ...managersOf(above)]
  }

  const ok = async (method: string, path: string, json?: object): Promise<any> => {
    const answer = await service.send(method, path, json ? { json } : {})
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
    return answer.body?.data
  }

  return {
    people,
    callers: [...people, 'hr', 'nobody'],
    id,
    key,
    ok,
    managersOf,
    name: (of: number) => [...ids].find(([, one]) => one === of)?.[0] as string,
    seesAll: (caller: string) => ['hr', 'nobody'].includes(caller),
    /** Somebody reports to somebody else from today on, unless that leads round in a circle. */
    async report(name: string, to: string): Promise<void> {
      if (to === name || managersOf(to).includes(name)) return
      await ok('PUT', `/employees/${id(name)}`, { reporting_to_id: id(to) })
      managers.set(name, to)
    },
    /** Everybody reports again to whom they did at the beginning. */
    async restore(): Promise<void> {
      const put = (name: string, to: string | null) =>
        ok('PUT', `/employees/${id(name)}`, { reporting_to_id: to === null ? null : id(to) })
      for (const name of managers.keys()) await put(name, null)
      for (const [name, to] of Object.entries(MANAGERS)) {
        if (to !== null) await put(name, to)
        managers.set(name, to)
      }
    },
    /** A cycle that is open for a year, with these questions. */
    async cycle(questions: object[] = [{ type: 'text' }], dates: object = {}) {
      const today = new Date().toISOString().slice(0, 10)
      const ends_on = `${Number(today.slice(0, 4)) + 1}${today.slice(4).replace('02-29', '02-28')}`
      const cycle = await service.make('/performance/review_cycles', {
        name: 'Cycle',
        starts_on: today,
        ends_on,
        ...dates,
      })
      const made: number[] = []
      for (const [n, question] of questions.entries())
        made.push(
          (await service.make(`/performance/review_cycles/${cycle.id}/questions`, { title: `Q${n}`, ...question })).id,
        )
      return { cycleId: cycle.id as number, path: `/performance/review_cycles/${cycle.id}`, questions: made }
    },
    /** The records of somebody's archive. */
    async exported(name: string): Promise<any> {
      const answer = await fetch(`${service.url}/api/v3/employees/${id(name)}/export`, {
        headers: { 'x-api-key': service.key },
      })
      const entries = unzip(Buffer.from(await answer.arrayBuffer()))
      return JSON.parse((entries.get('records.json') as Buffer).toString()).records
    },
  }
}
