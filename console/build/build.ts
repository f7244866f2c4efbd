import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type BuildOptions, build, context } from 'esbuild'

/** Bundles the console into `dist/console`. `npm start` does it first, `npm run console` on every change. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SOURCE = join(ROOT, 'console')
const TARGET = join(ROOT, 'dist', 'console')

/** What the service reads to build its page: the names of the assets, and which ones the first page needs. */
type Bundle = { script: string; style: string; preload: string[] }
export type Manifest = Bundle & { careers: Bundle; reference: Bundle }

/** The careers page has its own small bundle, because visitors open it on phones. */
const CAREERS = 'screens/careers'
/** So does the API reference at `/docs`. */
const REFERENCE = 'reference'

const options = (folder: string, isWatched: boolean): BuildOptions => ({
  absWorkingDir: ROOT,
  entryPoints: {
    app: join(SOURCE, 'app.tsx'),
    style: join(SOURCE, 'style.css'),
    careers: join(SOURCE, CAREERS, 'page.ts'),
    'careers-style': join(SOURCE, CAREERS, 'careers.css'),
    reference: join(SOURCE, REFERENCE, 'page.ts'),
    'reference-style': join(SOURCE, REFERENCE, 'reference.css'),
  },
  outdir: folder,
  bundle: true,
  splitting: true,
  format: 'esm',
  target: ['chrome120', 'firefox121', 'safari17'],
  jsx: 'automatic',
  minify: !isWatched,
  sourcemap: isWatched ? 'inline' : false,
  entryNames: '[name]-[hash]',
  chunkNames: 'chunk-[hash]',
  assetNames: '[name]-[hash]',
  metafile: true,
  define: { 'process.env.NODE_ENV': isWatched ? '"development"' : '"production"' },
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [
    {
      name: 'pieces of Mantine',
      setup(builder) {
        // Imports each component from its own file. Importing Mantine's index would put every component into the first
        // page.
        builder.onLoad({ filter: /\/console\/.*\.tsx?$|@mantine\/notifications\/esm\/.*\.mjs$/ }, ({ path }) => ({
          contents: readFileSync(path, 'utf8').replace(NAMED_IMPORT, (_, names: string) => importsOf(names)),
          loader: path.endsWith('.tsx') ? 'tsx' : path.endsWith('.ts') ? 'ts' : 'js',
        }))
      },
    },
    {
      name: 'styles of screens',
      setup(builder) {
        // All screens share one style sheet, so that the page does not move when a screen is loaded later.
        builder.onLoad({ filter: /console\/style\.css$/ }, ({ path }) => {
          const own = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
            .map((file) => file.replaceAll('\\', '/'))
            .filter(
              (file) =>
                file.endsWith('.css') &&
                file !== 'style.css' &&
                !file.startsWith(CAREERS) &&
                !file.startsWith(REFERENCE),
            )
            .sort()
          const imports = own.map((file) => `@import "./${file}";`).join('\n')
          return { contents: `${readFileSync(path, 'utf8')}\n${imports}`, loader: 'css', resolveDir: SOURCE }
        })
      },
    },
  ],
})

const NAMED_IMPORT = /import \{([^}]*)\} from ['"]@mantine\/core['"];?/g

const MANTINE = join(ROOT, 'node_modules/@mantine/core/esm')

/** The file of each Mantine component, by the name that the index exports. Some have another name in their file. */
const pieces = new Map<string, { file: string; name: string }>()

function importsOf(names: string): string {
  if (pieces.size === 0) {
    const index = readFileSync(join(MANTINE, 'index.mjs'), 'utf8')
    const files = new Map<string, { file: string; name: string }>()
    for (const [, list = '', file = ''] of index.matchAll(/import \{ ([^}]*) \} from "([^"]*)"/g))
      for (const one of list.split(', ')) {
        const [name = '', as = name] = one.split(' as ')
        files.set(as, { file: file.startsWith('.') ? join(MANTINE, file) : file, name })
      }
    const [, exported = ''] = /export \{ ([^}]*) \}/.exec(index) ?? []
    for (const one of exported.split(', ')) {
      const [name = '', as = name] = one.split(' as ')
      const found = files.get(name)
      if (found) pieces.set(as, found)
    }
  }
  return names
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one && !one.startsWith('type '))
    .map((one) => {
      const [name = '', as = name] = one.split(' as ')
      const piece = pieces.get(name)
      return piece
        ? `import { ${piece.name} as ${as} } from ${JSON.stringify(piece.file)};`
        : `import { ${one} } from '@mantine/core';`
    })
    .join(' ')
}

type Outputs = Record<string, { entryPoint?: string; imports: { path: string; kind: string }[] }>

const manifestOf = (outputs: Outputs): Manifest => ({
  ...madeOf(outputs, 'app.tsx', 'style.css'),
  careers: madeOf(outputs, `${CAREERS}/page.ts`, `${CAREERS}/careers.css`),
  reference: madeOf(outputs, `${REFERENCE}/page.ts`, `${REFERENCE}/reference.css`),
})

function madeOf(outputs: Outputs, from: string, style: string): Bundle {
  const nameOf = (path: string) => path.split('/').at(-1) as string
  const find = (entry: string) =>
    Object.keys(outputs).find((path) => outputs[path]?.entryPoint === `console/${entry}`) as string
  const script = find(from)
  const preload = new Set<string>()
  const visit = (path: string) => {
    for (const { path: next, kind } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement' && !preload.has(nameOf(next))) {
        preload.add(nameOf(next))
        visit(next)
      }
  }
  visit(script)
  return { script: nameOf(script), style: nameOf(find(style)), preload: [...preload] }
}

const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)]

async function compress(folder: string): Promise<void> {
  // The best quality takes seconds longer, once per build, and saves two per cent of every download.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11 }
  await Promise.all(
    readdirSync(folder).map(async (name) => {
      const bytes = readFileSync(join(folder, name))
      writeFileSync(join(folder, `${name}.br`), await brotli(bytes, { params }))
      writeFileSync(join(folder, `${name}.gz`), await zip(bytes, { level: 9 }))
    }),
  )
}

/**
 * Builds in a folder next to the current one and then replaces it, so that a running service always finds all files.
 */
export async function buildConsole(): Promise<void> {
  const draft = `${TARGET}.${process.pid}`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  const { metafile } = await build(options(draft, false))
  await compress(draft)
  writeFileSync(join(draft, 'manifest.json'), JSON.stringify(manifestOf(metafile?.outputs as Outputs)))
  rmSync(TARGET, { recursive: true, force: true })
  renameSync(draft, TARGET)
}

async function watch(): Promise<void> {
  const settings = options(TARGET, true)
  settings.plugins?.push({
    name: 'manifest',
    setup: (builder) =>
      builder.onEnd(({ metafile, errors }) => {
        if (errors.length === 0 && metafile)
          writeFileSync(join(TARGET, 'manifest.json'), JSON.stringify(manifestOf(metafile.outputs as Outputs)))
      }),
  })
  rmSync(TARGET, { recursive: true, force: true })
  mkdirSync(TARGET, { recursive: true })
  await (await context(settings)).watch()
  process.stdout.write('The console is built at every change: reload the page.\n')
}

if (import.meta.main) void (process.argv.includes('--watch') ? watch() : buildConsole())
