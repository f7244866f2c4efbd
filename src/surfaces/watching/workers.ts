import cluster, { type Worker } from 'node:cluster'
import type { Family } from './registry.ts'

/** A parent answers no request, and has no figures but those of its workers, which it asks when it is asked. */

type Question = { figures: number }
type Answer = { figures: number; families: readonly Family[] }

/** One that has not answered by then is busy, or dying: the others are not held up by it. */
const PATIENCE = 2000

let last = 0

/** Gives a parent the figures of this process. */
export function answerParent(collect: () => readonly Family[]): void {
  process.on('message', (asked: Partial<Question> | string) => {
    if (typeof asked === 'object' && asked.figures !== undefined)
      process.send?.(
        { figures: asked.figures, families: collect() } satisfies Answer,
        undefined,
        undefined,
        () => undefined,
      )
  })
}

/** The figures of all workers that tell them. */
export async function askWorkers(): Promise<readonly (readonly Family[])[]> {
  const workers = Object.values(cluster.workers ?? {}).filter((one) => one?.isConnected()) as Worker[]
  const all = await Promise.all(workers.map(ask))
  return all.filter((families) => families !== undefined)
}

function ask(worker: Worker): Promise<readonly Family[] | undefined> {
  const number = ++last
  return new Promise((resolve) => {
    const end = (families?: readonly Family[]) => {
      clearTimeout(timer)
      worker.off('message', listen)
      worker.off('exit', gone)
      resolve(families)
    }
    const gone = () => end()
    const listen = (said: Partial<Answer>) => {
      if (said.figures === number) end(said.families)
    }
    const timer = setTimeout(gone, PATIENCE)
    worker.on('message', listen).once('exit', gone)
    worker.send({ figures: number } satisfies Question, (error) => void (error && end()))
  })
}
