import type { FastifyInstance } from 'fastify'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { connect } from '../src/database/connect.ts'
import type { Database } from '../src/database/database.ts'
import type { CacheOptions } from '../src/records/ledger.ts'
import { type Service, sender } from './harness.ts'

/** The service once more on the same database, with connections of its own, as another process would be. */
export async function startBeside(
  service: Service,
  clock: () => Date,
  CACHE_MB: number,
  caching: CacheOptions = { longFrom: 0 },
): Promise<{ app: FastifyInstance; asked: { count: number }; send: ReturnType<typeof sender> }> {
  const connected = connect(service.databaseUrl)
  const asked = { count: 0 }
  const counting =
    <A extends unknown[], T>(work: (...args: A) => T) =>
    (...args: A) => {
      asked.count++
      return work(...args)
    }
  const database = { ...connected, read: counting(connected.read), query: counting(connected.query) } as Database
  const config = { ...readConfig({}), LOG_LEVEL: 'silent' as const, CACHE_MB }
  const app = await buildApp({ config, database, clock, caching })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return { app, asked, send: sender(url, service.key) }
}

/** For a process that caches nothing. */
export const NOTHING_CACHED = { maxBytes: 0 } satisfies CacheOptions

/** Addresses begin with where the service was asked; who was shown a file is told by the name of the process' key alone. */
export const bare = (text: string) => text.replace(/http:\/\/127\.0\.0\.1:\d+/g, '')

/** Those that are of an answer, not of the moment. The tag is of the bytes, and addresses of files name the process. */
export const headersOf = ({ headers, text }: { headers: Headers; text: string }) =>
  [...headers].filter(
    ([name]) =>
      ![
        'date',
        'x-request-id',
        'connection',
        'keep-alive',
        ...(text === bare(text) ? [] : ['etag', 'content-length']),
      ].includes(name),
  )
