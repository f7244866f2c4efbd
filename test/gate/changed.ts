import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The test files that the changes since `main` affect, committed or not: by imports, and by area, as `src/people` has its
 * tests in `test/people`. The harness imports the whole service, so imports through it do not count. This is for a quick
 * look; the whole gate stays the proof.
 */
export async function affectedFiles(all: readonly string[]): Promise<string[]> {
  const changed = new Set(changedFiles())
  const areas = new Set(
    [...changed].flatMap((file) => /^(?:src|console)\/(?:screens\/)?([\w-]+)\//.exec(file)?.[1] ?? []),
  )
  // These have no folder of tests: what every record and every start goes through is tested by some files.
  const GROUND = ['database', 'engine', 'ledger']
  if (GROUND.some((area) => areas.has(area)))
    for (const area of [
      'migrations',
      'schema',
      'yesterday',
      'plans',
      'every-write',
      'ledger',
      'writes',
      'lists',
      'audits/undo',
    ])
      changed.add(`test/${area}.test.ts`)
  const isOfArea = (file: string) => [...areas].some((area) => file.startsWith(`test/${area}/`))
  const isOfConsole = [...changed].some((file) => file.startsWith('console/'))
  return all.filter(
    (file) => reaches(file, changed) || isOfArea(file) || (isOfConsole && file.startsWith('test/console/')),
  )
}

function changedFiles(): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)
  const base = git('merge-base', 'main', 'HEAD')[0] ?? 'HEAD'
  return [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')]
}

const WHOLE_SERVICE = 'test/harness.ts'

/** Does a file import one of these, itself or through others? */
function reaches(file: string, wanted: ReadonlySet<string>, seen = new Set<string>()): boolean {
  if (wanted.has(file)) return true
  if (seen.has(file) || file === WHOLE_SERVICE) return false
  seen.add(file)
  return importsOf(file).some((one) => reaches(one, wanted, seen))
}

function importsOf(file: string): string[] {
  if (!existsSync(file)) return []
  const found = readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.{1,2}\/[^']+)'/g)
  return [...found].map(([, path = '']) => join(dirname(file), path).replaceAll('\\', '/'))
}
