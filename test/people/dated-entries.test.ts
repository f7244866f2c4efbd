import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { daysAfter } from '../../src/engine/day.ts'
import { chances, SEED } from '../chance.ts'
import { type Answer, type Service, startService } from '../harness.ts'
import { oneEngineTest, rounds } from '../thorough.ts'

/** Entries of a job and of an employment status, and terms of leave, say what they change; the rest is inherited. */

let service: Service
let now = new Date('2036-06-15T12:00:00Z')
before(async () => {
  service = await startService({ clock: () => now })
  for (const n of [1, 2, 3, 4]) {
    await service.post('/positions', { name: `P${n}` })
    await service.post('/locations', { name: `L${n}` })
    await service.post('/employment_types', { name: `T${n}` })
    await service.post('/probation_policies', { name: `Q${n}`, length: 30 * n })
  }
})
after(() => service.stop())

const TODAY = '2036-06-15'
let people = 0
const hire = async (values: Record<string, unknown> = {}): Promise<number> => {
  const body = { first_name: 'A', last_name: `B${++people}`, hired_on: '2036-01-01', ...values }
  const made = await service.post('/employees', body)
  assert.equal(made.status, 201, made.text)
  return made.body.data.id
}
const done = (answer: Answer, status = 200): Answer => {
  assert.equal(answer.status, status, answer.text)
  return answer
}
const patch = (path: string, json: unknown) => service.send('PATCH', path, { json })
/** Entries in the order of their days. */
const inOrder = <T extends { effective_from: string }>(entries: T[]) =>
  entries.toSorted((one, other) => (one.effective_from < other.effective_from ? -1 : 1))
const requestOf = (answer: Answer) => answer.headers.get('x-request-id')
const jobOn = async (id: number, day: string) => {
  const { position, location } = (await service.get(`/employees/${id}?as_of=${day}`)).body.data
  return [position?.id ?? null, location?.id ?? null]
}

describe('an effective-dated entry', () => {
  test('that is planned keeps changes made before its date', async () => {
    const id = await hire({ location_id: 1, position_id: 1 })
    done(await service.post(`/employees/${id}/positions`, { effective_from: '2037-01-01', position_id: 2 }), 201)
    done(await service.put(`/employees/${id}`, { location_id: 2 }))
    assert.deepEqual(await jobOn(id, '2037-01-02'), [2, 2])
    assert.deepEqual(await jobOn(id, '2036-06-14'), [1, 1])
    const entries = (await service.get(`/employees/${id}/positions`)).body.data
    assert.deepEqual(
      inOrder<any>(entries).map((one) => [one.effective_from, one.position.id, one.location.id]),
      [
        ['2036-01-01', 1, 1],
        [TODAY, 1, 2],
        ['2037-01-01', 2, 2],
      ],
    )
  })

  test('keeps the values sent with it, even if they were the same already', async () => {
    const id = await hire({ location_id: 1, position_id: 1 })
    const plan = { effective_from: '2037-01-01', position_id: 2, location_id: 1 }
    done(await service.post(`/employees/${id}/positions`, plan), 201)
    done(await service.put(`/employees/${id}`, { location_id: 2 }))
    assert.deepEqual(await jobOn(id, '2037-01-02'), [2, 1])
  })

  test('that is entered late applies until a later entry changes the same field', async () => {
    const id = await hire({ location_id: 1, position_id: 1 })
    done(await service.post(`/employees/${id}/positions`, { effective_from: '2036-04-01', position_id: 2 }), 201)
    done(await service.post(`/employees/${id}/positions`, { effective_from: '2036-05-01', location_id: 3 }), 201)
    done(await patch('/employees/bulk', { effective_from: '2036-03-01', data: [{ id, location_id: 2 }] }))
    assert.deepEqual(await jobOn(id, '2036-03-01'), [1, 2])
    assert.deepEqual(await jobOn(id, '2036-04-15'), [2, 2])
    assert.deepEqual(await jobOn(id, TODAY), [2, 3])
  })

  test('that would make a later entry inherit a management cycle is rejected and changes nothing', async () => {
    const boss = await hire()
    const id = await hire({ position_id: 1 })
    done(await service.post(`/employees/${id}/positions`, { effective_from: '2037-01-01', position_id: 2 }), 201)
    done(await service.post(`/employees/${boss}/positions`, { effective_from: '2037-06-01', reporting_to_id: id }), 201)
    for (const refused of [
      await service.put(`/employees/${id}`, { reporting_to_id: boss }),
      await service.post(`/employees/${id}/positions`, { effective_from: '2036-06-01', reporting_to_id: boss }),
    ]) {
      assert.equal(refused.status, 422, refused.text)
      assert.equal(refused.body.errors[0].code, 'cycle')
    }
    assert.equal((await service.get(`/employees/${id}?as_of=2037-02-01`)).body.data.reporting_to, null)
  })

  test('passes a changed probation policy on to later entries and updates the end of probation', async () => {
    const id = await hire({ hired_on: '2036-06-01', employment_type_id: 1, probation_policy_id: 1 })
    const path = `/employees/${id}/employment_statuses`
    done(await service.post(path, { effective_from: '2036-06-10', employment_type_id: 2 }), 201)
    const late = { effective_from: '2036-06-05', data: [{ id, probation_policy_id: 2 }] }
    done(await patch('/employees/bulk', late))
    const { probation_ends_on } = (await service.get(`/employees/${id}`)).body.data
    assert.equal(probation_ends_on, daysAfter('2036-06-01', 59))
    const [, , last] = inOrder<any>((await service.get(path)).body.data)
    assert.deepEqual([last.employment_type.id, last.probation_policy.id], [2, 2])
  })

  test('that followed from a request is undone with that request, not alone', async () => {
    const id = await hire({ location_id: 1, position_id: 1 })
    const plan = await service.post(`/employees/${id}/positions`, { effective_from: '2037-01-01', position_id: 2 })
    const change = done(await service.put(`/employees/${id}`, { location_id: 2 }))
    const since = Number(plan.headers.get('cadre-ledger'))
    const changes = (await service.get(`/changes?since=${since}&resources[]=employee_positions`)).body.data
    const followed = changes.find((one: any) => one.record_id === plan.body.data.id)
    assert.ok(followed, JSON.stringify(changes))
    const alone = await service.post(`/changes/${followed.number}/undo`)
    assert.equal(alone.status, 409, alone.text)
    // What somebody says of the plan since stays theirs.
    done(await service.put(`/employees/${id}/positions/${plan.body.data.id}`, { location_id: 3 }))
    done(await service.post(`/requests/${requestOf(change)}/undo`))
    assert.deepEqual(
      [await jobOn(id, TODAY), await jobOn(id, '2037-01-02')],
      [
        [1, 1],
        [2, 3],
      ],
    )
  })

  test('that became the first by a deletion keeps its values when an earlier one is added', async () => {
    const id = await hire({ location_id: 1, position_id: 1 })
    const path = `/employees/${id}/positions`
    done(await service.post(path, { effective_from: '2036-03-01', position_id: 2 }), 201)
    const [first] = inOrder<any>((await service.get(path)).body.data)
    done(await service.delete(`${path}/${first.id}`), 204)
    done(await service.post(path, { effective_from: '2036-01-01', position_id: 3 }), 201)
    assert.deepEqual(await jobOn(id, '2036-01-02'), [3, null])
    assert.deepEqual(await jobOn(id, TODAY), [2, 1])
  })

  test('restored by undo takes the values that apply now, also if the inherited one is gone', async () => {
    const gone = (await service.post('/locations', { name: 'Gone' })).body.data.id
    const id = await hire({ location_id: gone, position_id: 1 })
    const path = `/employees/${id}/positions`
    const plan = await service.post(path, { effective_from: '2037-01-01', position_id: 2 })
    const removed = done(await service.delete(`${path}/${plan.body.data.id}`), 204)
    const [first] = (await service.get(path)).body.data
    done(await service.put(`${path}/${first.id}`, { location_id: 2 }))
    done(await service.delete(`/locations/${gone}`), 204)
    done(await service.post(`/requests/${requestOf(removed)}/undo`))
    assert.deepEqual(await jobOn(id, '2037-01-02'), [2, 2])
  })
})

test('planned terms of a leave policy keep changes made before their date', async () => {
  const type = (await service.post('/leave_types', { name: 'Holiday' })).body.data.id
  const made = await service.post('/leave_policies', {
    name: 'Policy',
    leave_type_id: type,
    type: 'accrual',
    yearly_amount: '20',
    credit: 'monthly',
    carry_over_limit: '5',
  })
  const path = `/leave_policies/${done(made, 201).body.data.id}`
  done(await service.post(`${path}/terms`, { effective_from: '2037-01-01', yearly_amount: '25' }), 201)
  done(await service.put(path, { carry_over_limit: '10' }))
  const terms = (await service.get(`${path}/terms`)).body.data
  assert.deepEqual(
    inOrder<any>(terms).map((one) => [one.effective_from, one.yearly_amount, one.carry_over_limit]),
    [
      ['1900-01-01', 20, 5],
      [TODAY, 20, 10],
      ['2037-01-01', 25, 10],
    ],
  )
})

/**
 * The naive model: a field has on a day the value of the last entry up to then that says it. The first one says all that it
 * held when it became the first.
 */
type StatedValues = Record<string, number | null>
type Entry = { id: number; from: string; says: StatedValues }

const FIELDS = ['position', 'location'] as const

class Model {
  entries: Entry[]
  constructor(entries: Entry[] = []) {
    this.entries = entries
  }

  copy = () => new Model(structuredClone(this.entries))

  valueOn(field: string, day: string): number | null {
    const upTo = this.entries.filter((one) => one.from <= day).sort((a, b) => (a.from < b.from ? -1 : 1))
    const says = upTo.findLast((one) => field in one.says)
    return says?.says[field] ?? null
  }

  /** Changes the entries, and lets whichever is the first then say what it held. */
  change(work: () => void): void {
    const held = new Map(
      this.entries.map((one) => [
        one.id,
        Object.fromEntries(FIELDS.map((field) => [field, this.valueOn(field, one.from)])),
      ]),
    )
    work()
    const [first] = [...this.entries].sort((a, b) => (a.from < b.from ? -1 : 1))
    const holds = Object.entries(first ? (held.get(first.id) ?? {}) : {}).filter(([, value]) => value !== null)
    if (first) first.says = { ...Object.fromEntries(holds), ...first.says }
  }
}

const RUNS = rounds(5, 40)
const STEPS = 24

oneEngineTest('jobs equal a naive per-field model on every day after random changes and undos', async () => {
  const { below, of, is } = chances(SEED)
  const dayOf = (n: number) => daysAfter('2036-05-20', n)
  const seen = new Set<string>()
  for (let run = 0; run < RUNS; run++) {
    now = new Date('2036-06-15T12:00:00Z')
    const id = await hire({ hired_on: null })
    const path = `/employees/${id}/positions`
    let model = new Model()
    /** What can be undone, the last one last: the request, and the model before it. */
    const undoable: { request: string | null; before: Model; isUndo: boolean }[] = []
    const known: { number: number; model: Model }[] = []
    const told: string[] = []
    let lastNumber = Number((await service.get(path)).headers.get('cadre-ledger'))

    for (let step = 0; step < STEPS; step++) {
      const before = model.copy()
      const chosen = model.entries.length > 0 ? of(model.entries) : undefined
      const from = dayOf(below(50))
      const says: StatedValues = {}
      for (const field of FIELDS) if (is(0.6)) says[field] = is(0.2) ? null : 1 + below(4)
      const body = Object.fromEntries(Object.entries(says).map(([field, value]) => [`${field}_id`, value]))
      const isTaken = (day: string) => model.entries.some((one) => one.from === day)
      const kind = of(['add', 'add', 'change', 'move', 'drop', 'put', 'bulk', 'undo', 'undo'] as const)
      let answer: Answer | undefined
      let undone: (typeof undoable)[number] | undefined
      if (kind === 'add') {
        answer = await service.post(path, { effective_from: from, ...body })
        assert.equal(answer.status, isTaken(from) ? 422 : 201, answer.text)
        if (answer.status === 201) {
          const made = answer.body.data.id
          model.change(() => model.entries.push({ id: made, from, says }))
        }
      } else if ((kind === 'change' || kind === 'move') && chosen) {
        const day = kind === 'move' ? from : chosen.from
        answer = await service.put(`${path}/${chosen.id}`, { effective_from: day, ...body })
        assert.equal(answer.status, day !== chosen.from && isTaken(day) ? 422 : 200, answer.text)
        if (answer.status === 200)
          model.change(() => {
            // What an entry is sent again as it is, it says no more than before.
            const other = Object.entries(says).filter(([field, value]) => model.valueOn(field, chosen.from) !== value)
            chosen.says = { ...chosen.says, ...Object.fromEntries(other) }
            chosen.from = day
          })
      } else if (kind === 'drop' && chosen) {
        answer = done(await service.delete(`${path}/${chosen.id}`), 204)
        model.change(() => {
          model.entries = model.entries.filter((one) => one !== chosen)
        })
      } else if (kind === 'put' || kind === 'bulk') {
        const day = kind === 'put' ? TODAY : from
        answer =
          kind === 'put'
            ? done(await service.put(`/employees/${id}`, body))
            : done(await patch('/employees/bulk', { effective_from: day, data: [{ id, ...body }] }))
        const there = model.entries.find((one) => one.from === day)
        const isFirst = !model.entries.some((one) => one.from <= day)
        const other = Object.entries(says).filter(([field, value]) => model.valueOn(field, day) !== value)
        if (other.length > 0) {
          const list = (await service.get(path)).body.data
          const made = list.find((one: any) => one.effective_from === day).id
          const said = isFirst ? says : Object.fromEntries(other)
          model.change(() => {
            if (there) there.says = { ...there.says, ...said }
            else model.entries.push({ id: made, from: day, says: said })
          })
        }
      } else if (kind === 'undo' && undoable.length > 0) {
        undone = undoable.pop()
        answer = done(await service.post(`/requests/${undone?.request}/undo`))
        model = undone?.before as Model
      }
      const isWritten = answer !== undefined && answer.status < 300
      if (!answer || !isWritten) continue
      told.push(`${kind} ${from} ${JSON.stringify(body)} ${chosen?.from ?? ''}`)
      seen.add(kind)
      const number = Number(answer.headers.get('cadre-ledger'))
      const hasChanged = number > lastNumber
      lastNumber = number
      // What was undone is done again once in a while, by undoing that.
      const isUndo = undone?.isUndo === false
      if (hasChanged && (!isUndo || is(0.3))) undoable.push({ request: requestOf(answer), before, isUndo })
      known.push({ number, model: model.copy() })

      const entries = (await service.get(path)).body.data
      assert.deepEqual(
        inOrder<any>(entries).map((one) => [one.effective_from, one.position?.id ?? null, one.location?.id ?? null]),
        model.entries
          .map(({ from: day }) => [day, ...FIELDS.map((field) => model.valueOn(field, day))])
          .sort(([one], [other]) => ((one as string) < (other as string) ? -1 : 1)),
        told.join('\n'),
      )
    }
    for (const { number, model: then } of known.filter((_, index) => index % 5 === 0))
      for (const day of [dayOf(0), dayOf(20), TODAY, dayOf(49)]) {
        const { position, location } = (await service.get(`/employees/${id}?as_of=${day}&known_at=${number}`)).body.data
        assert.deepEqual(
          [position?.id ?? null, location?.id ?? null],
          FIELDS.map((field) => then.valueOn(field, day)),
          `${day} as known at ${number}:\n${told.join('\n')}`,
        )
      }
  }
  assert.deepEqual([...seen].sort(), ['add', 'bulk', 'change', 'drop', 'move', 'put', 'undo'])
})
