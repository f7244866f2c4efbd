import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FileRun, runFiles } from './gate/pool.ts'

/** Runs files of `gate/runs` as the gate runs test files, in one process after another. */
const run = (...names: string[]): Promise<FileRun[]> =>
  runFiles([{ name: 'Here', files: names.map((name) => `test/gate/runs/${name}.ts`), environment: {} }], {
    processes: 1,
    timeout: 1_000,
    isVerbose: false,
    weightOf: () => 1,
    onProgress: () => {},
    onStatement: () => {},
  })

const failuresOf = async (...names: string[]) =>
  (await run(...names)).map(({ file, failures }) => [
    file.replace('test/gate/runs/', '').replace('.ts', ''),
    failures.map(({ test, error }) => `${test}: ${error}`).join('\n'),
  ])

test('passed and skipped tests are counted, also a suite skipped as a whole', async () => {
  const runs = await run('green', 'skipped')
  assert.deepEqual(
    runs.map(({ passed, skipped, failures }) => [passed, skipped, failures]),
    [
      [1, 1, []],
      [0, 1, []],
    ],
  )
})

test('any fault in a test file fails that file, and the others run', async () => {
  const found = Object.fromEntries(
    await failuresOf('red', 'late', 'green', 'nothing', 'broken', 'before', 'gone', 'hanging'),
  )
  assert.equal(found.green, '')
  assert.match(found.red as string, /^is not well: .*1 !== 2/s)
  assert.match(found.late as string, /^outside of any test: .*1 !== 2/s)
  assert.match(found.nothing as string, /^the whole file: has no test/)
  assert.match(found.broken as string, /^loading, before or after: cannot be loaded/)
  assert.match(found.before as string, /cannot begin/)
  assert.match(found.gone as string, /^the whole file: the process ended with 0 before the file did/m)
  assert.match(found.hanging as string, /^the whole file: did not end within 1 s, and was killed/)
})

test('a failure after the last file of a process is reported', async () => {
  const [[, failures]] = (await failuresOf('late')) as [[string, string]]
  assert.match(failures, /outside of any test: .*1 !== 2/s)
})
