import type { Engine } from '../test/harness.ts'
import { type EngineAlone, engineAlone } from './engine-alone.ts'
import { ask, type Figures, load, loadBare, memoryOf, type Service, sampleOf, startService } from './load.ts'
import type { Peers } from './peers.ts'
import type { ComparedWith, Row } from './rows.ts'

/** The rows of one engine, each beside what it is compared with, in the same minute. */

export type Result = {
  engine: Engine
  connections: number
  operation: string
  bytes: number
  rate: number
  p50: number
  p99: number
  /** Milliseconds of a processor for each request. */
  cost?: number
  beside?: ComparedWith
  besideRate?: number
  /** Of the other's rate; times the other's time, where many changes are compared with one. */
  ratio?: number
  /** The same by what it took of a processor, which neighbours of the machine and whoever asks do not change. */
  byCost?: number
  failed?: string
}

type Needs = {
  engine: Engine
  url: string
  rows: Row[]
  connections: number[]
  seconds: number
  environment: Record<string, string>
  peers: Peers
  tell: (result: Result) => void
}

export async function measureRows(needs: Needs): Promise<{ results: Result[]; start: number; memory: number }> {
  const { engine, url, rows, connections, environment, tell } = needs
  const services = await startAll(url, rows, environment)
  const alone = await engineAlone(engine, url)
  const others = new PeerServers(needs, services, alone)
  const results: Result[] = []
  try {
    for (const row of rows)
      for (const many of row.connections ? [row.connections] : connections)
        for (const result of await measureRow(needs, services, others, row, many)) {
          results.push(result)
          tell(result)
        }
    const { hot } = services
    return { results, start: hot.startedIn, memory: memoryOf(hot) }
  } finally {
    for (const service of Object.values(services)) await service?.stop()
    await alone.close()
  }
}

type Services = { hot: Service; uncached: Service; workers?: Service; worker?: Service }

async function startAll(url: string, rows: Row[], environment: Record<string, string>): Promise<Services> {
  const uncached = { ...environment, CACHE_MB: '0' }
  const services: Services = { hot: await startService(url, environment), uncached: await startService(url, uncached) }
  if (rows.some(({ of }) => of === 'workers')) {
    services.workers = await startService(url, { ...uncached, WORKERS: '2' })
    services.worker = await startService(url, { ...uncached, WORKERS: '1' })
  }
  return services
}

async function measureRow(
  needs: Needs,
  services: Services,
  others: PeerServers,
  row: Row,
  connections: number,
): Promise<Result[]> {
  const { engine, seconds } = needs
  const about = { engine, connections, operation: row.name, bytes: 0 }
  try {
    const { url } = services[row.of] as Service
    const sample = await ask(url, sampleOf(row.asks))
    const body = row.isKnown ? '' : sample.text
    const asks = row.isKnown ? { ...sampleOf(row.asks), headers: { 'if-none-match': sample.tag ?? '' } } : row.asks
    const ours = await load(url, asks, { connections, seconds })
    others.note(row.name, ours)
    const results: Result[] = []
    for (const beside of row.beside) {
      const theirs = await others.rateOf(beside, body, connections)
      if (theirs)
        results.push({
          ...about,
          bytes: body.length,
          ...ours,
          beside,
          besideRate: theirs.rate,
          ratio: beside === 'one change' ? theirs.rate / ours.rate : ours.rate / theirs.rate,
          byCost: beside === 'one change' ? ours.cost / theirs.cost : theirs.cost / ours.cost,
        })
    }
    return results.length > 0 ? results : [{ ...about, bytes: body.length, ...ours }]
  } catch (error) {
    return [{ ...about, rate: 0, p50: 0, p99: 0, failed: error instanceof Error ? error.message : String(error) }]
  }
}

/** What rows are compared with; what would be measured again is measured once. */
class PeerServers {
  readonly #needs: Needs
  readonly #services: Services
  readonly #alone: EngineAlone
  readonly #rows = new Map<string, Figures>()
  readonly #known = new Map<string, Figures>()

  constructor(needs: Needs, services: Services, alone: EngineAlone) {
    this.#needs = needs
    this.#services = services
    this.#alone = alone
  }

  note(row: string, figures: Figures): void {
    this.#rows.set(row, figures)
  }

  async rateOf(
    beside: ComparedWith,
    body: string,
    connections: number,
  ): Promise<Pick<Figures, 'rate' | 'cost'> | undefined> {
    const { seconds, peers } = this.#needs
    const asking = { connections, seconds }
    switch (beside) {
      case 'bare':
        return this.#once(`bare ${body.length} ${connections}`, () => loadBare(body, asking))
      case 'hand-written':
        return peers.handWritten && this.#once(`${beside} ${connections}`, () => peers.handWritten!(asking))
      case 'Directus':
        return peers.directus && this.#once(`${beside} ${connections}`, () => peers.directus!(asking))
      case 'engine alone':
        return this.#alone.rate(seconds, connections)
      case 'one worker': {
        const { worker } = this.#services
        return worker && load(worker.url, { path: '/employees' }, asking)
      }
      case 'one change':
        return this.#rows.get('change one, one caller')
    }
  }

  async #once(name: string, measure: () => Promise<Figures>): Promise<Figures> {
    const known = this.#known.get(name) ?? (await measure())
    this.#known.set(name, known)
    return known
  }
}
