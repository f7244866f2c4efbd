import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { type Service, startService } from './harness.ts'
import { longTest } from './thorough.ts'

const run = promisify(execFile)
const DOCUMENT = resolve('openapi.json')
const PACKAGES = resolve('node_modules')

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.stop())

test('every operation has one response of success, so that generated clients have one type for its result', () => {
  const { paths } = JSON.parse(readFileSync(DOCUMENT, 'utf8'))
  for (const [path, methods] of Object.entries<any>(paths))
    for (const [method, { responses }] of Object.entries<any>(methods)) {
      const successes = Object.keys(responses).filter((status) => status.startsWith('2'))
      assert.equal(successes.length, 1, `${method} ${path}: ${successes}`)
      assert.match(successes[0] as string, /^20[014]$/, `${method} ${path}`)
    }
})

test('what a dry run adds is an optional member of the usual response', () => {
  const { paths } = JSON.parse(readFileSync(DOCUMENT, 'utf8'))
  for (const [path, method, status] of [
    ['/divisions', 'post', '201'],
    ['/divisions/{id}', 'put', '200'],
    ['/employees/bulk', 'patch', '200'],
  ] as const) {
    const { schema } = paths[path][method].responses[status].content['application/json']
    assert.deepEqual(Object.keys(schema.properties).slice(-2), ['changes', 'omitted'], path)
    assert.ok(!schema.required?.includes('changes'), path)
  }
  const { schema } = paths['/divisions'].get.responses['200'].content['application/json']
  assert.ok(!('changes' in schema.properties))
})

/** Generators, and the program that is written with what each makes. */
const GENERATORS = [
  {
    name: 'openapi-typescript',
    program: 'test/generators/by-openapi-typescript.txt',
    args: (folder: string) => [
      join(PACKAGES, 'openapi-typescript/bin/cli.js'),
      DOCUMENT,
      '-o',
      join(folder, 'api.d.ts'),
    ],
  },
  {
    name: 'hey-api',
    program: 'test/generators/by-hey-api.txt',
    args: (folder: string) => [join(PACKAGES, '@hey-api/openapi-ts/dist/run.mjs'), '-i', DOCUMENT, '-o', folder, '-s'],
  },
]

for (const { name, program, args } of GENERATORS)
  longTest(`a client that ${name} makes of the document compiles, and a program with it runs`, async () => {
    // Within the packages' folder, where the libraries of generated clients are found.
    const folder = join(PACKAGES, '.cache', `client-${name}`)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(join(folder, name), { recursive: true })
    await run(process.execPath, [
      '--import',
      resolve('test/generators/typescript-api.mjs'),
      ...args(join(folder, name)),
    ])
    copyFileSync(program, join(folder, 'program.ts'))
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, include: ['**/*.ts'] }))
    await run(join(PACKAGES, '.bin', 'tsc'), ['-p', folder]).catch(({ stdout }) => assert.fail(stdout.slice(0, 4000)))
    const outfile = join(folder, 'program.mjs')
    await build({
      entryPoints: [join(folder, 'program.ts')],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
    })
    const { stdout } = await run(process.execPath, [outfile, `${service.url}/api/public/v3`, service.key])
    assert.deepEqual(JSON.parse(stdout), {
      renamed: 'Aviation and space',
      changes: ['createDivision'],
      people: ['Ada Kay'],
      problem: 'validation_failed',
      left: 0,
    })
  })

/** As strict as projects are, and generated files are checked too. */
const OPTIONS = {
  target: 'esnext',
  lib: ['esnext', 'dom', 'dom.iterable'],
  types: ['node'],
  typeRoots: [join(PACKAGES, '@types')],
  module: 'preserve',
  moduleResolution: 'bundler',
  strict: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: false,
}
