import { AsyncLocalStorage } from 'node:async_hooks'
import crypto from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
// @ts-expect-error It has no types.
import S3rver from '@20minutes/s3rver'

/** An object store that speaks S3 and checks signatures, with a bucket `cadre`; between it and us, the test. */
export type ObjectStore = {
  /** For `CADRE_FILES`. */
  address: string
  /** By which a process finds it. */
  environment: Record<string, string>
  /** The names of all that lies in the bucket. */
  keys: () => string[]
  /** What was asked of it since this was last called: `PUT cadre/hr/documents/…`. */
  asked: () => string[]
  /** Lets the test answer a request instead of the store, by which it says true, or do something before the store does. */
  between: (step?: (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>) => void
  stop: () => Promise<void>
}

const KEPT = /\._S3rver_object$/

export async function startObjectStore(): Promise<ObjectStore> {
  const directory = mkdtempSync(join(tmpdir(), 'cadre-s3-'))
  const store = new S3rver({ directory, silent: true, vhostBuckets: false, configureBuckets: [{ name: 'cadre' }] })
  await store.configureBuckets()
  const handle = store.callback()
  // It reckons the signature of `/cadre` where clients sign `/cadre/`, as the store of AWS has it: that of lists is not held
  // against them, that of everything else is.
  const isList = new AsyncLocalStorage<boolean>()
  Object.defineProperty(store, 'allowMismatchedSignatures', { get: () => isList.getStore() ?? false })
  let step: Parameters<ObjectStore['between']>[0]
  let asked: string[] = []
  const { createCipheriv, createDecipheriv } = crypto
  // It writes where a list goes on in DES, which OpenSSL has no more; three times the same key is the same.
  const tripled =
    (make: any) =>
    (name: string, key: Buffer, ...more: unknown[]) =>
      name === 'des' ? make('des-ede3-cbc', Buffer.concat([key, key, key]), ...more) : make(name, key, ...more)
  Object.assign(crypto, { createCipheriv: tripled(createCipheriv), createDecipheriv: tripled(createDecipheriv) })
  const server = createServer(async (request, response) => {
    asked.push(`${request.method} ${decodeURIComponent(request.url ?? '').slice(1)}`)
    if (await step?.(request, response)) return
    isList.run(/^\/[^/]+\/\?/.test(request.url ?? ''), () => handle(request, response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const environment = {
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY: 'S3RVER',
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    // Nothing of the machine on which tests run.
    AWS_CONFIG_FILE: '/nowhere',
    AWS_SHARED_CREDENTIALS_FILE: '/nowhere',
    AWS_EC2_METADATA_DISABLED: 'true',
  }
  return {
    address: 's3://cadre/hr',
    environment,
    keys: () =>
      readdirSync(join(directory, 'cadre'), { recursive: true, withFileTypes: true })
        .filter((one) => one.isFile() && KEPT.test(one.name))
        .map((one) => join(one.parentPath, one.name).slice(join(directory, 'cadre/').length).replace(KEPT, ''))
        .sort(),
    asked() {
      const all = asked
      asked = []
      return all
    },
    between: (other) => {
      step = other
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      Object.assign(crypto, { createCipheriv, createDecipheriv })
      store.logger.exceptions.unhandle()
      store.logger.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** The store as a service in this process finds it, until it is stopped. */
export async function useObjectStore(): Promise<ObjectStore> {
  const store = await startObjectStore()
  const before = Object.keys(store.environment).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, store.environment)
  return {
    ...store,
    async stop() {
      for (const [name, value] of before)
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      await store.stop()
    },
  }
}
