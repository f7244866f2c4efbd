import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chances, SEED } from './chance.ts'
import { freshDatabase, sender } from './harness.ts'
import { type ServiceHere, startHere } from './in-process.ts'
import { startProcess } from './process.ts'
import { isThorough, rounds } from './thorough.ts'

const KEY = 'a-key-for-fresh-answers-0123456789-abcdef'

/** So many records, and so often each of them changes between two kills. */
const RECORDS = 4
const CHANGES = rounds(8, 15)
const KILLS = rounds(1, 30)

test('of two processes, neither ever returns less than was acknowledged before, whichever is killed', async () => {
  const { url, remove } = await freshDatabase()
  const settings = { DATABASE_URL: url, CADRE_API_KEY: KEY, LOG_LEVEL: 'silent' }
  // In the gate only the one that is killed is another process.
  const start = isThorough ? startProcess : startHere
  const processes: ServiceHere[] = [await startProcess(settings)]
  processes.push(await start(settings))
  const random = chances(SEED)
  /** Undefined when the process is dead, or died meanwhile. */
  const send = async (method: string, path: string, json?: object) => {
    const { url: at } = random.of(processes)
    const answer = await sender(at, KEY)(method, path, json ? { json } : undefined).catch(() => undefined)
    assert.ok(!answer || answer.status < 500 || answer.status === 503, answer?.text ?? '')
    return answer && answer.status < 500 ? answer : undefined
  }
  const acknowledged = new Map<number, number>()
  const kept: string[] = []
  let isOver = false
  const numberIn = (name: string) => Number(name.split(' ')[1])
  try {
    for (let n = 0; n < RECORDS; n++) {
      const made = await sender(processes[0]?.url as string, KEY)('POST', '/divisions', { json: { name: `${n} 0` } })
      acknowledged.set(made.body.data.id, 0)
    }
    const ids = [...acknowledged.keys()]

    /** Looks at a record, alone or among all, and holds it to what was acknowledged before. */
    const look = async (id: number) => {
      const before = new Map(acknowledged)
      const isList = random.below(2) === 0
      const answer = await send('GET', isList ? '/divisions?per_page=50' : `/divisions/${id}`)
      if (!answer) return
      assert.equal(answer.status, 200, answer.text)
      for (const one of isList ? answer.body.data : [answer.body.data])
        assert.ok(
          numberIn(one.name) >= (before.get(one.id) as number),
          `${one.name} was told after ${before.get(one.id)} was acknowledged`,
        )
      if (isList) kept.push(answer.headers.get('etag') as string)
    }

    for (let round = 0; round <= KILLS; round++) {
      let writing = RECORDS
      const writers = ids.map(async (id, index) => {
        for (let n = 0; n < CHANGES; n++) {
          const next = (acknowledged.get(id) as number) + 1
          const answer = await send('PUT', `/divisions/${id}`, { name: `${index} ${next}` })
          // One that nobody acknowledged may have been stored, or not.
          if (answer?.status === 200) acknowledged.set(id, next)
          await look(id)
        }
        writing--
      })
      const readers = ids.map(async (id) => {
        while (writing > 0 && !isOver) await look(id)
      })
      if (round < KILLS) {
        const place = isThorough ? random.below(2) : 0
        while (writing === RECORDS && [...acknowledged.values()].every((n) => n < (round + 1) * 5))
          await look(ids[0] as number)
        const [killed] = processes.splice(place, 1)
        await killed?.stop('SIGKILL')
        processes.push(await start(settings))
      }
      await Promise.all([...writers, ...readers])
    }
    for (const id of ids) await look(id)
    assert.ok(new Set(kept).size < kept.length, 'answers were given again')
  } finally {
    isOver = true
    for (const one of processes) await one.stop('SIGKILL')
    await remove()
  }
})
