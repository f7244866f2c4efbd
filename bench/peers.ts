import assert from 'node:assert/strict'
import type { Engine } from '../test/harness.ts'
import { type Directus, startDirectus } from './directus.ts'
import { ask, type Figures, load, startServer, startService } from './load.ts'
import { LIST } from './rows.ts'

/** Others that give the same list, asked in the same run. */
export type Peers = {
  handWritten?: (options: { connections: number; seconds: number }) => Promise<Figures>
  directus?: (options: { connections: number; seconds: number }) => Promise<Figures>
  close: () => Promise<void>
}

export const noPeers: Peers = { close: async () => undefined }

export async function startPeers(engine: Engine, url: string, say: (line: string) => void): Promise<Peers> {
  const today = new Date().toISOString().slice(0, 10)
  const hand = await startServer('hand-written.ts', [url, today])
  const sample = await sameAnswer(url, hand.url)
  let directus: Directus | undefined
  try {
    directus = await startDirectus(sample, say)
  } catch (error) {
    say(
      `Directus does not run here, so the ${engine} rows go without it: ${error instanceof Error ? error.message : error}`,
    )
  }
  return {
    handWritten: (options) => load(hand.url, { path: LIST }, { ...options, prefix: '' }),
    ...(directus
      ? {
          directus: (options) =>
            load(directus.url, { path: directus.path, headers: directus.headers }, { ...options, prefix: '' }),
        }
      : {}),
    async close() {
      hand.stop()
      directus?.stop()
    },
  }
}

type Answer = { data: Record<string, unknown>[]; metadata: { count: number } }

/** Who is compared must do the same: the answer of the service is theirs too, to the last value. */
async function sameAnswer(database: string, hand: string): Promise<Answer> {
  const service = await startService(database, { CACHE_MB: '0' })
  try {
    const [ours, theirs] = [await ask(service.url, { path: LIST }), await ask(hand, { path: LIST }, '')]
    const read = (text: string, origin: string): Answer => JSON.parse(text.replaceAll(origin, ''))
    assert.deepEqual(read(theirs.text, hand), read(ours.text, service.url), 'The hand-written list is another one')
    return read(ours.text, service.url)
  } finally {
    await service.stop()
  }
}
