import cluster from 'node:cluster'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { connect } from '../src/database/connect.ts'
import { serveMetrics } from '../src/surfaces/monitoring/metrics-server.ts'
import { WorkerMetrics } from '../src/surfaces/monitoring/worker-metrics.ts'

/** Two workers at ports of their own, and a parent that tells of both; says so when all of them listen. */
const config = readConfig(process.env)
if (cluster.isPrimary) {
  const figures = new WorkerMetrics()
  const listening = Promise.all(
    Array.from({ length: 2 }, () => {
      const worker = cluster.fork()
      worker.once('disconnect', () => console.log('one is gone'))
      const { pid } = worker.process
      return new Promise((resolve) => worker.on('message', ({ url }) => url && resolve({ url, pid })))
    }),
  )
  await serveMetrics(config, figures.gather)
  console.log(JSON.stringify(await listening))
} else {
  const app = await buildApp({ config, database: connect(config.DATABASE_URL), isWorker: true })
  // Not shared between workers: each is to be spoken to by itself.
  process.send?.({ url: await app.listen({ host: '127.0.0.1', port: 0, exclusive: true }) })
}
