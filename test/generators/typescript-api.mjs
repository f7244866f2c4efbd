import { registerHooks } from 'node:module'

/**
 * Generators write TypeScript with the compiler's library, which the compiler of this repository no longer has. They get
 * the one that comes with ts-morph.
 */
const ADDRESS = 'generators:typescript'
const LIBRARY = import.meta.resolve('@ts-morph/common')

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'typescript' ? { url: ADDRESS, format: 'commonjs', shortCircuit: true } : next(specifier, context),
  load: (url, context, next) =>
    url === ADDRESS
      ? {
          format: 'commonjs',
          shortCircuit: true,
          source: `module.exports = require(${JSON.stringify(new URL(LIBRARY).pathname)}).ts`,
        }
      : next(url, context),
})
