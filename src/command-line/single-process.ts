import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { failToListen, type ServiceHandle, tracingFrom } from './service-process.ts'

/** The service in this process. */
export async function inThisProcess(config: Config, database: Database): Promise<ServiceHandle> {
  // Imported only here, because other commands need no server and would wait until it is loaded.
  const [{ buildApp }, { stop }] = await Promise.all([import('../app.ts'), import('../surfaces/http/server.ts')])
  const app = await buildApp({ config, database, ...tracingFrom(process.env) })
  return {
    log: app.log,
    listen: () => app.listen({ host: config.HOST, port: config.PORT }).catch((error) => failToListen(config, error)),
    close: () => stop(app),
    restart: () =>
      app.log.warn(
        'SIGUSR2 ignored: a single process cannot be replaced without downtime. Restart the service instead',
      ),
  }
}
