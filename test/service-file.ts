import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

/**
 * The service in a few files instead of some thousand: loading those is most of a start, and tests start the service as its
 * own process several hundred times. What it finds beside its sources it finds there still.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Each source knows where it is, as if it were not bundled. */
const places: Plugin = {
  name: 'places',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8')
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path))),
      loader: 'ts',
    })),
}

/** Builds it into a folder; `main.mjs` there is to be started as `src/main.ts` would be. */
export async function buildService(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  await build({
    entryPoints: [join(ROOT, 'src', 'main.ts')],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    minifyWhitespace: true,
    logLevel: 'error',
    // These are loaded only when they are needed.
    external: ['@aws-sdk/*', '@opentelemetry/*'],
    plugins: [places],
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
  })
  return join(folder, 'main.mjs')
}

let own: Promise<string> | undefined

/** Where the service is: as the gate has built it, or built now, for this process. */
export function serviceFile(): Promise<string> | string {
  if (process.env.TEST_SERVICE) return process.env.TEST_SERVICE
  if (own) return own
  const folder = join(ROOT, 'node_modules', '.cache', `service-${process.pid}`)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  own = buildService(folder)
  return own
}
