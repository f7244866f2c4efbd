import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readCommand } from '../src/command-line/options.ts'
import { operations } from '../src/operations.ts'
import {
  allDocuments,
  type Block,
  commandsIn,
  curlOf,
  type Document,
  differenceOf,
  documentOf,
  readDocument,
  targetOf,
  wordsOf,
} from './documents.ts'
import { ENGINE, freshDatabase, sender } from './harness.ts'
import { runHere, type ServiceHere, startHere } from './in-process.ts'

/** The README and the pages in docs/: their commands work, their links lead somewhere, and they leave nothing out. */

const isOnce = { skip: ENGINE !== 'sqlite' }

/** In the order in which people read them: what one page creates, the next ones use. */
const PAGES = [
  'README.md',
  ...['tutorial', 'api', 'access-and-privacy', 'careers', 'configuration', 'operate', 'benchmarks', 'console'].map(
    (name) => `docs/${name}.md`,
  ),
]

/** Languages of blocks that nothing is run from. */
const NOT_COMMANDS = ['json', 'text', 'js', 'html', 'nginx', 'caddy', 'sql', 'yaml']

/** Commands that cannot run in a test. Everything else that a page shows is run. */
const NOT_RUN = [
  /^npm ci$/,
  /^npm start$/,
  /^npm test$/,
  /^npm run demo$/,
  /^npm run bench -- --help$/,
  /^docker /,
  /^kubectl /,
  // On a machine with the service file. The same commands without the user are run.
  /^cd \/opt\/cadre$/,
  /^install -d -o cadre /,
  /^sudo -u cadre npm run -s cadre -- (key list|backup \S+ --files \S+ --force)$/,
  /^\(umask 077 && test -e \.env /,
  // Needs Citus, or an object store.
  /^npm run -s cadre -- distribute( --dry-run)?$/,
  /^npm run -s cadre -- files copy s3:/,
  // The program of the tutorial has a test of its own.
  /^node sync\.mjs$/,
]

const KEY = 'a-key-for-the-documents-of-the-project'
let folder: string
let service: ServiceHere
let environment: Record<string, string>
let removeDatabase: () => Promise<void>

before(async () => {
  if (isOnce.skip) return
  folder = mkdtempSync(join(tmpdir(), 'cadre-docs-'))
  const { url, remove } = await freshDatabase()
  removeDatabase = remove
  environment = { DATABASE_URL: url, CADRE_FILES: join(folder, 'files'), CADRE_API_KEY: KEY }
  mkdirSync(join(folder, 'srv/hr'), { recursive: true })
  mkdirSync(join(folder, 'var/backups/cadre'), { recursive: true })
  writeFileSync(join(folder, 'srv/hr/cadre.env'), 'LOG_LEVEL=silent\n')
  service = await startHere(environment)
})
after(async () => {
  if (isOnce.skip) return
  await service.stop()
  await removeDatabase()
  rmSync(folder, { recursive: true })
})

type Answer = { status: number; text: string; headers: Headers }

/** What the pages say to copy from a response, and where the test takes it from. */
const COPIED: Record<string, (answer: Answer | undefined) => string> = {
  KEY: () => KEY,
  LAST: (answer) => String(JSON.parse(answer?.text ?? '').metadata.last),
  REQUEST: (answer) => answer?.headers.get('x-request-id') as string,
}

/** Runs the commands of one page after another; variables and the last answer stay. */
class Shell {
  readonly #variables = new Map<string, string>()
  last: Answer | undefined

  /** Runs a line, and returns what is wrong with it. */
  async run(line: string): Promise<string | undefined> {
    if (line.startsWith('(')) return isKnown(line)
    for (const part of line.split(/\s+&&\s+/)) {
      const command = part.replace(/^export\s+/, '')
      const [, name, value] = /^(\w+)=('[^']*'|\S*)$/.exec(command) ?? []
      const problem = name ? this.#assign(name, value as string) : await this.#runOne(withoutSettings(command))
      if (problem) return problem
    }
    return undefined
  }

  #assign(name: string, value: string): undefined {
    const copied = COPIED[name]
    this.#variables.set(name, copied ? copied(this.last) : (wordsOf(value, this.#variables)[0] ?? ''))
    return undefined
  }

  async #runOne(command: string): Promise<string | undefined> {
    if (command.startsWith('curl ')) {
      this.last = await send(curlOf(wordsOf(command, this.#variables)))
      return undefined
    }
    if (isKnown(command) === undefined) return undefined
    const ours = /^npm run -s cadre -- (.*)$/.exec(command)?.[1]
    if (ours === undefined) return isKnown(command)
    const words = wordsOf(ours, this.#variables).map((word) => word.replace(/^\/(srv|var)\//, `${folder}/$1/`))
    // A service cannot run while its database is replaced.
    const elsewhere = { DATABASE_URL: `sqlite:${folder}/restored.db`, CADRE_FILES: join(folder, 'restored-files') }
    const { code, stdout, stderr } = await runHere(words, {
      ...environment,
      ...(words[0] === 'restore' ? elsewhere : {}),
    })
    return code === 0 ? undefined : `ends with ${code}: ${stdout}${stderr}`
  }
}

const isKnown = (command: string) =>
  NOT_RUN.some((pattern) => pattern.test(command))
    ? undefined
    : 'is not run: teach the test how, or add it to the list of commands that cannot be run'

/** `WORKERS=4 npm start` is `npm start` with a setting, which has to exist. */
function withoutSettings(command: string): string {
  const [settings = ''] = /^(?:[A-Z_]\w*=\S+ )*/.exec(command) ?? []
  for (const [, name] of settings.matchAll(/(\w+)=\S+ /g))
    assert.ok(variablesOfCode().has(name as string) || FROM_PACKAGES.includes(name as string), `${name} is no setting`)
  return command.slice(settings.length)
}

async function send({ method, url, headers, body, isStream }: ReturnType<typeof curlOf>): Promise<Answer> {
  const address = url.replace('http://127.0.0.1:3000', service.url)
  assert.ok(address.startsWith(service.url), `a request to somewhere else: ${url}`)
  const ended = new AbortController()
  const response = await fetch(address, { method, headers, signal: ended.signal, ...(body ? { body } : {}) })
  if (!isStream) return { status: response.status, text: await response.text(), headers: response.headers }
  let text = ''
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    text += new TextDecoder().decode(chunk)
    if (text.includes('event: change')) break
  }
  ended.abort()
  return { status: response.status, text, headers: response.headers }
}

/** Is the answer the one that the next block shows, or at least a success? */
function problemWith(answer: Answer, shown: Block | undefined): string | undefined {
  const expected = shown?.language === 'json' ? JSON.parse(shown.text) : undefined
  const status = typeof expected?.status === 'number' ? expected.status : undefined
  const isRight = status === undefined ? answer.status < 300 : answer.status === status
  if (!isRight) return `answers ${answer.status}: ${answer.text.slice(0, 500)}`
  return expected === undefined ? undefined : differenceOf(expected, JSON.parse(answer.text))
}

async function problemsOf({ path, blocks }: Document, shell: Shell): Promise<string[]> {
  const problems: string[] = []
  for (const [at, block] of blocks.entries()) {
    if (block.language !== 'sh') {
      if (!NOT_COMMANDS.includes(block.language))
        problems.push(`${path}:${block.line} has a block of the unknown language "${block.language}"`)
      continue
    }
    const lines = commandsIn(block.text)
    for (const [n, line] of lines.entries()) {
      shell.last = line.startsWith('curl ') ? undefined : shell.last
      const ran = await shell.run(line).catch((error: Error) => error.message)
      const isLast = n === lines.length - 1
      const told =
        ran ??
        (line.startsWith('curl ') && shell.last
          ? problemWith(shell.last, isLast ? blocks[at + 1] : undefined)
          : undefined)
      if (told) problems.push(`${path}:${block.line} ${line}\n  ${told}`)
    }
  }
  return problems
}

test('every command and request on the pages works, with the response that they show', isOnce, async () => {
  const shell = new Shell()
  const problems: string[] = []
  for (const page of PAGES) problems.push(...(await problemsOf(readDocument(page), shell)))
  assert.deepEqual(problems, [])
})

test(
  'the check of commands finds a failed request, a wrong response, a failed command and an unknown one',
  isOnce,
  async () => {
    const request = `curl -H 'X-API-KEY: ${KEY}' http://127.0.0.1:3000/api/public/v3`
    const block = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\`\n`
    const found = await problemsOf(
      documentOf(
        'wrong.md',
        [
          block('sh', `${request}/nothing`),
          block('sh', `${request}/company`),
          block('json', '{ "data": { "name": "Another company" } }'),
          block('sh', 'npm run -s cadre -- key revoke 999'),
          block('sh', 'make install'),
          block('sh', 'CADRE_PORT=1 npm start'),
          block('sh', `curl http://127.0.0.1:3000/api/careers/v1/vacancies?a[b]=1`),
          block('powershell', 'npm start'),
        ].join('\n'),
      ),
      new Shell(),
    )
    assert.deepEqual(
      found.map(
        (one) => /answers 404|Another company|ends with 1|is not run|is no setting|needs -g|powershell/.exec(one)?.[0],
      ),
      ['answers 404', 'Another company', 'ends with 1', 'is not run', 'is no setting', 'needs -g', 'powershell'],
    )
  },
)

test('the program of the tutorial copies all employees and prints a change as soon as it happens', isOnce, async () => {
  const program = readDocument('docs/tutorial.md').blocks.find(({ text }) => text.startsWith('// sync.mjs'))?.text
  const file = join(folder, 'sync.mjs')
  writeFileSync(file, program as string)
  const API = `${service.url}/api/public/v3`
  const child = spawn(process.execPath, [file], { env: { ...process.env, API, KEY } })
  let output = ''
  const said = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => output.includes(text) && resolve()
      child.stdout.on('data', look)
      child.once('exit', () => reject(new Error(`sync.mjs has ended: ${output}`)))
      AbortSignal.timeout(120_000).onabort = () => reject(new Error(`sync.mjs does not print "${text}": ${output}`))
      look()
    })
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const call = sender(service.url, KEY)
  const { data: alan } = (await call('POST', '/employees', { form: { first_name: 'Alan', last_name: 'Turing' } })).body
  try {
    await said('copied ')
    await call('PUT', `/employees/${alan.id}`, { form: { last_name: 'T.' } })
    await said('updated Alan T.')
    await call('DELETE', `/employees/${alan.id}`)
    await said(`removed ${alan.id}`)
  } finally {
    child.removeAllListeners('exit')
    child.kill('SIGKILL')
  }
})

test('code on the pages is in fenced blocks, so that the tests see it', isOnce, () => {
  const indented = PAGES.flatMap((path) =>
    [...withoutBlocks(readDocument(path)).matchAll(/(?:^|\n)\n {4,}(\S.*)/g)].map(([, line]) => `${path}: ${line}`),
  )
  assert.deepEqual(indented, [])
})

const withoutBlocks = ({ text }: Document) => text.replace(/^```[\s\S]*?^```/gm, '')

test('every operation, command and script that the pages name in a sentence exists', isOnce, () => {
  const paths = operations.map(
    ({ method, path }) => [method, new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)] as const,
  )
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  const problems = PAGES.flatMap((page) =>
    readDocument(page).inline.flatMap((code) => {
      const [, method, path = ''] = /^(GET|POST|PUT|PATCH|DELETE) (\/[^?\s]*)/.exec(code) ?? []
      if (method)
        return paths.some(([of, pattern]) => of === method && pattern.test(path))
          ? []
          : [`${page}: no operation ${code}`]
      const [, command] = /^npm run -s cadre -- (.*)$/.exec(code) ?? []
      const script = /^npm run (?:-s )?(\w+)/.exec(code)?.[1]
      if (script && !scripts[script]) return [`${page}: no script ${code}`]
      return command === undefined ? [] : mistakesIn(command).map((one) => `${page}: ${code}: ${one}`)
    }),
  )
  assert.deepEqual(problems, [])
})

function mistakesIn(command: string): string[] {
  try {
    readCommand(wordsOf(command, new Map()))
    return []
  } catch (error) {
    return [(error as Error).message.split('\n')[0] as string]
  }
}

test('every link in the documents leads to a file and a heading that exist', isOnce, () => {
  const anchors = new Map<string, Set<string>>()
  const anchorsOf = (file: string) => {
    const known = anchors.get(file) ?? readDocument(file).anchors
    anchors.set(file, known)
    return known
  }
  const broken = allDocuments().flatMap((path) =>
    readDocument(path).links.flatMap((link) => {
      const target = targetOf(path, link)
      if (!target) return []
      const isThere = existsSync(target.file)
      const leadsToHeading = target.anchor === undefined || (isThere && anchorsOf(target.file).has(target.anchor))
      return isThere && leadsToHeading ? [] : [`${path}: ${link}`]
    }),
  )
  assert.deepEqual(broken, [])
})

test('every test that ARCHITECTURE names for an invariant exists', isOnce, () => {
  const [, table = ''] = readFileSync('ARCHITECTURE.md', 'utf8').split('## Invariants and their tests')
  const names = table.split('\n').flatMap((line) => /\|([^|]*)\|$/.exec(line)?.[1]?.match(/(?<=`)[\w/.-]+(?=`)/g) ?? [])
  assert.ok(names.length > 50)
  const missing = names.filter((name) => ![`${name}.test.ts`, name].some((file) => existsSync(join('test', file))))
  assert.deepEqual(missing, [])
})

test('every address of the running service that the pages link to answers', isOnce, async () => {
  const addresses = new Set(PAGES.flatMap((page) => readDocument(page).addresses))
  assert.ok(addresses.size > 2)
  const broken: string[] = []
  for (const address of addresses) {
    const { status } = await fetch(address.replace(/^http:\/\/(127\.0\.0\.1|localhost):3000/, service.url), {
      method: 'HEAD',
    })
    // Where the console is not built, its own address says so.
    if (status !== 200 && new URL(address).pathname !== '/') broken.push(`${address}: ${status}`)
  }
  assert.deepEqual(broken, [])
})

test('every page is linked from the README, and every picture is on a page', isOnce, () => {
  const linked = new Set(
    PAGES.flatMap((page) => readDocument(page).links.map((link) => targetOf(page, link)?.file ?? '')),
  )
  const pages = readdirSync('docs').filter((file) => file.endsWith('.md'))
  const ofReadme = new Set(readDocument('README.md').links.map((link) => targetOf('README.md', link)?.file))
  assert.deepEqual(
    pages.map((file) => `docs/${file}`).filter((file) => !ofReadme.has(file) || !PAGES.includes(file)),
    [],
  )
  assert.deepEqual(
    readdirSync('docs/pictures').filter((file) => !linked.has(`docs/pictures/${file}`)),
    [],
  )
})

test('the README has at most 150 lines', isOnce, () => {
  assert.ok(readFileSync('README.md', 'utf8').trimEnd().split('\n').length <= 150)
})

/** Variables that packages read, and not our code. */
const FROM_PACKAGES = [
  'OTEL_SERVICE_NAME',
  'OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'MALLOC_MMAP_THRESHOLD_',
  'MALLOC_TRIM_THRESHOLD_',
]

/** The environment variables that our code reads. */
function variablesOfCode(): Set<string> {
  const settings = readFileSync('src/config.ts', 'utf8').matchAll(/^ {2}([A-Z][A-Z_]+): Type\./gm)
  const found = new Set([...settings].map(([, name]) => name as string))
  assert.ok(found.size > 15)
  for (const file of readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((one) => one.endsWith('.ts'))) {
    const code = readFileSync(join('src', file), 'utf8')
    const read = /\b(?:process\.env|environment)\.([A-Z][A-Z0-9_]+)|\b((?:OTEL|AWS)_[A-Z][A-Z0-9_]+|GLIBC_TUNABLES)\b/g
    for (const [, ours, theirs] of code.matchAll(read)) found.add((ours ?? theirs) as string)
  }
  return found
}

test('docs/configuration.md has every environment variable that the code reads, and no other', isOnce, () => {
  const rows = readFileSync('docs/configuration.md', 'utf8').matchAll(/^\| ((?:`[A-Z][A-Z0-9_]+`(?:, )?)+) \|/gm)
  const listed = [...rows].flatMap(([, names]) => (names as string).match(/\w+/g) as string[])
  assert.deepEqual(listed.toSorted(), [...new Set(listed)].toSorted())
  assert.deepEqual(listed.toSorted(), [...new Set([...variablesOfCode(), ...FROM_PACKAGES])].toSorted())
})

test(
  'docs/operate.md and the Grafana dashboard have every metric that the service reports, and no other',
  isOnce,
  () => {
    const inText = (text: string) => [
      ...new Set(
        (text.match(/\b(?:cadre|nodejs|process)_[a-z0-9_]+/g) ?? []).map((one) => one.replace(/_(bucket|count)$/, '')),
      ),
    ]
    const reported = inText(
      readFileSync('src/surfaces/monitoring/metrics.ts', 'utf8').match(/'\w+'/g)?.join(' ') ?? '',
    ).toSorted()
    assert.ok(reported.length > 20)
    assert.deepEqual(inText(readFileSync('docs/operate.md', 'utf8')).toSorted(), reported)
    const board = JSON.parse(readFileSync('deploy/grafana.json', 'utf8'))
    const queries = board.panels.flatMap(({ targets = [] }: any) => targets.map(({ expr }: any) => expr))
    assert.deepEqual(inText(queries.join(' ')).toSorted(), reported)
  },
)
