import type { Config } from '../config.ts'

/** The address at which people reach the service, as far as the command line knows. Passkeys need a host name, not a number. */
export const publicAddress = ({ PUBLIC_URL, HOST, PORT }: Config, port = PORT) =>
  PUBLIC_URL ?? `http://${['0.0.0.0', '::', '127.0.0.1'].includes(HOST) ? 'localhost' : HOST}:${port}`
