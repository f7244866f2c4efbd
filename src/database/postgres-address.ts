import type pg from 'pg'
import { driver } from './postgres-driver.ts'

/** `postgres://user@one:5432,two:5432/name` → one address for each host. */
export function postgresHosts(address: string, name = 'DATABASE_URL'): string[] {
  const [, before, hosts = '', after] = /^(\w+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s.exec(address) ?? []
  const addresses = hosts.split(',').map((host) => `${before}${host}${after}`)
  if (!addresses.every((one) => URL.canParse(one)))
    throw new Error(`${name} must be a URL like postgres://user:password@host:5432/name`)
  return addresses
}

/** Describes an address without its password. */
export function describePostgres(address: string): string {
  const clients = postgresHosts(address).map((one) => new (driver().Client)({ connectionString: one }))
  return `PostgreSQL at ${clients.map(placeOf).join(' or ')}, database ${clients[0]?.database},`
}

/** `host:port` of an address with one host. */
export const hostAndPort = (address: string): string => placeOf(new (driver().Client)({ connectionString: address }))

const placeOf = ({ host, port }: pg.Client) => `${host.includes(':') ? `[${host}]` : host}:${port}`
