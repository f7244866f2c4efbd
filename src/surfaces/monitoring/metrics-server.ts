import { createServer } from 'node:http'
import type { Config } from '../../config.ts'
import { type Family, inText, together } from './registry.ts'

/**
 * The figures, at a port of their own: the one that the world reaches has no such address, whatever a proxy lets through,
 * and they can be had while that one is busy. Gives the way to end it.
 */
export async function serveMetrics(
  { METRICS_HOST: host, METRICS_PORT: port }: Pick<Config, 'METRICS_HOST' | 'METRICS_PORT'>,
  /** Those of each process that answers. */
  gather: () => Promise<readonly (readonly Family[])[]>,
): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    if (request.url?.split('?')[0] !== '/metrics') return void response.writeHead(404).end()
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return void response.writeHead(405, { allow: 'GET, HEAD' }).end()
    gather().then(
      (all) => {
        const text = inText(together(all))
        response.writeHead(200, {
          'content-type': 'text/plain; version=0.0.4; charset=utf-8',
          'content-length': Buffer.byteLength(text),
          'cache-control': 'no-store',
        })
        response.end(request.method === 'HEAD' ? undefined : text)
      },
      () => response.writeHead(503).end(),
    )
  })
  server.maxConnections = 64
  // A start that fails elsewhere ends, although this one listens.
  server.unref()
  server.requestTimeout = 10_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'is already in use' : `cannot be opened (${error.code})`
      reject(
        new Error(`METRICS_PORT: port ${port} on ${host} ${why}. Set METRICS_PORT to another port`, { cause: error }),
      )
    })
    server.listen(port, host, resolve)
  })
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
}
