import type { FastifyInstance } from 'fastify'
import { type Config, connectingTo, workersOf } from '../config.ts'
import { connect, waitForDatabase } from '../database/connect.ts'
import { divideDerivations } from '../domain/sign-in/passwords.ts'
import { finishOnSignals } from '../signals.ts'
import { ParentProcess } from '../workers.ts'
import { prepareSchema } from './open.ts'
import { say } from './output.ts'
import { logUncaughtErrors, tracingFrom } from './service-process.ts'

/** Runs one of several workers: it answers requests from when its parent says so until the parent or a signal says stop. */
export async function runWorker(config: Config): Promise<void> {
  const parent = new ParentProcess()
  divideDerivations(workersOf(config))
  try {
    const database = connect(config.DATABASE_URL, connectingTo(config))
    const [{ buildApp }, { leave, stop, takeConnections }] = await Promise.all([
      import('../app.ts'),
      import('../surfaces/http/server.ts'),
    ])
    const app = await buildApp({
      config,
      database,
      quota: parent,
      isKeptUp: true,
      isWorker: true,
      ...tracingFrom(process.env),
    })
    const take = takeConnections(app)
    await parent.begun
    await waitForDatabase(database, config.DATABASE_URL, { seconds: config.DATABASE_WAIT, say })
    await prepareSchema(config, database, 'requires')
    await app.ready()
    parent.handTo(take)
    logUncaughtErrors(app.log)
    // Only once, although supervisors signal to all processes and the parent signals to its workers.
    let isEnding = false
    const end = (how: (app: FastifyInstance, told?: number) => Promise<void>) => {
      if (isEnding) return
      isEnding = true
      void parent.tell({ leaves: true })
      void how(app, parent.told).finally(() => process.exit())
    }
    finishOnSignals(() => end(stop), { isHurried: false })
    parent.replaced.then(() => end(leave))
    app.log.info('worker ready')
    await parent.tell({ ready: true })
  } catch (error) {
    await parent.tell({ failure: error instanceof Error ? error.message : String(error) })
    process.exit(1)
  }
}
