import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/**
 * Two packages come in 370 and 260 files, and loading those takes a third of a start of the service. Tests that start it
 * as its own process have each of them bundled into one file: `node --import=test/one-file-packages.ts`. What is tested
 * is the service's own code, which is loaded as always.
 */
const PACKAGES = ['typebox', 'kysely']

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The file of a package; another version of it has another one. */
function fileOf(name: string): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8'))
  return join(ROOT, 'node_modules', '.cache', 'one-file', `${name}-${version}.mjs`)
}

/** Makes the files that are not there yet, and tells by which options a process takes them. */
export async function oneFileEach(): Promise<string[]> {
  for (const name of PACKAGES) {
    const file = fileOf(name)
    if (existsSync(file)) continue
    const { build } = await import('esbuild')
    mkdirSync(dirname(file), { recursive: true })
    const draft = `${file}.${process.pid}`
    const contents = `export * from '${name}'${name === 'typebox' ? `; export { default } from '${name}'` : ''}`
    await build({
      stdin: { contents, resolveDir: ROOT },
      outfile: draft,
      bundle: true,
      format: 'esm',
      platform: 'node',
      keepNames: true,
      logLevel: 'silent',
    })
    // Whole or not at all: others may begin at the same time.
    renameSync(draft, file)
  }
  return [`--import=${import.meta.url}`]
}

if (process.execArgv.includes(`--import=${import.meta.url}`)) {
  const urls = new Map(PACKAGES.map((name) => [name, pathToFileURL(fileOf(name)).href]))
  registerHooks({
    resolve(specifier, context, next) {
      const url = urls.get(specifier)
      return url ? { url, format: 'module', shortCircuit: true } : next(specifier, context)
    },
  })
}
