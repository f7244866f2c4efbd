import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { after, before } from 'node:test'

type Cost = { memory: number; passes: number }

/**
 * Makes passwords cheap while the tests of a file run: at their real cost, a file about signing in does little else. The
 * service asks for its own cost as always, and writes it beside the hash. Hashes of one file are of no use to another,
 * nor to a process of its own.
 */
export function cheapPasswords() {
  const real = crypto.argon2
  const asked: Cost[] = []
  let isReal = false
  const replace = (argon2: typeof real) => {
    crypto.argon2 = argon2
    syncBuiltinESMExports()
  }
  before(() =>
    replace((algorithm, parameters, callback) => {
      const { memory, passes, parallelism } = parameters
      asked.push({ memory, passes })
      real(algorithm, isReal ? parameters : { ...parameters, memory: 8 * parallelism, passes: 1 }, callback)
    }),
  )
  after(() => replace(real))
  return {
    /** The costs that the service has asked for, the newest last. */
    asked,
    /** Does something at the cost that is asked for. */
    async atRealCost<T>(work: () => Promise<T>): Promise<T> {
      isReal = true
      try {
        return await work()
      } finally {
        isReal = false
      }
    },
  }
}
