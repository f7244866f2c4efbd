import { spawn } from 'node:child_process'
import { glob, readFile } from 'node:fs/promises'
import { operations } from '../src/operations.ts'
import { apiDocument } from '../src/surfaces/pages.ts'
import { VERSION } from '../src/version.ts'
import type { Engine } from './harness.ts'
import { postgresServer } from './postgres-server.ts'

/** Everything that must hold before a change lands, top to bottom. `npm test -- teams` runs only the tests whose file matches. */
const only = process.argv[2] ?? ''

await step('Format and lint', () => run('biome', ['check', '.']))
await step('Types', () => run('tsc', []))
await step('openapi.json is up to date', checkDocument)
await step('Tests on SQLite', async () => runTests('sqlite'))
await step('Tests on PostgreSQL', async () => {
  const server = await postgresServer()
  try {
    await runTests('postgres', { TEST_POSTGRES_URL: server.url() })
  } finally {
    await server.remove()
  }
})

async function step(name: string, work: () => Promise<void>): Promise<void> {
  const begun = Date.now()
  console.log(`\n== ${name}`)
  try {
    await work()
  } catch (error) {
    console.error(`== ${name}: failed. ${error instanceof Error ? error.message : error}`)
    process.exit(1)
  }
  console.log(`== ${name}: ${((Date.now() - begun) / 1000).toFixed(1)} s`)
}

/** Files in `test/sqlite` and `test/postgres` are about that engine alone; all others run on both. */
async function runTests(engine: Engine, environment: Record<string, string> = {}): Promise<void> {
  const other = engine === 'sqlite' ? 'test/postgres/' : 'test/sqlite/'
  const files = (await Array.fromAsync(glob('test/**/*.test.ts'))).map((file) => file.replaceAll('\\', '/'))
  const wanted = files.filter((file) => !file.startsWith(other) && file.includes(only)).sort()
  const reporter = process.env.CI ? 'spec' : 'dot'
  await run(
    'node',
    ['--test', '--test-concurrency=2', '--test-timeout=240000', `--test-reporter=${reporter}`, ...wanted],
    {
      TEST_ENGINE: engine,
      ...environment,
    },
  )
}

async function checkDocument(): Promise<void> {
  const committed = await readFile('openapi.json', 'utf8').catch(() => '')
  if (committed !== `${JSON.stringify(apiDocument({ operations, version: VERSION }), null, 2)}\n`)
    throw new Error('Write it anew with: npm run openapi')
}

function run(command: string, args: string[], environment: Record<string, string> = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: 'inherit',
      env: { ...process.env, ...environment },
      shell: process.platform === 'win32',
    })
    child.on('error', reject)
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}`))))
  })
}
