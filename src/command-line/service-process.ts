import type { FastifyBaseLogger } from 'fastify'
import { type Config, tracingOf } from '../config.ts'
import { fail } from './output.ts'

/** The running service: in this process, or in workers that it started. */
export type ServiceHandle = {
  log: FastifyBaseLogger
  listen: () => Promise<string>
  close: () => Promise<void>
  restart: () => void
}

/** Without this, Node would print the error with all its properties. */
export function logUncaughtErrors(log: FastifyBaseLogger): void {
  process.on('uncaughtException', (error) => {
    log.fatal(error, 'uncaught exception, exiting')
    process.exit(1)
  })
}

export const tracingFrom = (environment: NodeJS.ProcessEnv) => {
  const tracing = tracingOf(environment)
  return tracing ? { tracing } : {}
}

export function failToListen({ HOST, PORT }: Config, error: NodeJS.ErrnoException): never {
  if (error.code === 'EADDRINUSE')
    fail(`port ${PORT} on ${HOST} is already in use. Stop the other program, or set PORT`)
  if (error.code === 'EACCES') fail(`this user may not listen on port ${PORT}. Set PORT to 1024 or higher`)
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(error.code ?? ''))
    fail(`this machine has no address ${HOST}. Set HOST, for example to 0.0.0.0`)
  throw error
}
