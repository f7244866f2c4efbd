import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '../src/config.ts'
import { ENGINE, freshDatabase } from './harness.ts'
import { freePort } from './postgres-server.ts'

/** What is deployed: an image can only be built where there is Docker, but its steps can be taken here. */

const isOnce = { skip: ENGINE !== 'sqlite' }
const dockerfile = readFileSync('Dockerfile', 'utf8').replaceAll('\\\n', '')
const stages = dockerfile.split(/^FROM /m).slice(1)
const last = stages.at(-1) as string

let folder: string
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'cadre-image-'))
})
after(() => rmSync(folder, { recursive: true, force: true }))

/** Packages as `npm ci --omit=dev --omit=optional` would leave them: what is not among them is not found. */
function installIn(place: string): void {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean; devOptional?: boolean }>
  }
  for (const [path, { dev, optional, devOptional }] of Object.entries(packages)) {
    if (!/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) || dev || optional || devOptional) continue
    mkdirSync(join(place, dirname(path)), { recursive: true })
    symlinkSync(join(process.cwd(), path), join(place, path))
  }
}

test(
  'the final image stage contains everything that the service needs and no packages for development',
  isOnce,
  async () => {
    for (const [, from, what = '', to = ''] of last.matchAll(/^COPY (--from=\w+ )?(\S+) (\S+)$/gm)) {
      const target = join(folder, to, to.endsWith('/') ? what : '')
      if (what.endsWith('/node_modules')) installIn(folder)
      else if (what.endsWith('/dist')) {
        // Bundling it is the matter of other tests; here it is that it is found.
        mkdirSync(join(target, 'console'), { recursive: true })
        const made = { script: 'app.js', style: 'style.css', preload: [] }
        writeFileSync(join(target, 'console', 'manifest.json'), JSON.stringify({ ...made, careers: made }))
      } else {
        assert.equal(from, undefined)
        cpSync(what, target, { recursive: true })
      }
    }
    const { url, remove } = await freshDatabase()
    const port = await freePort()
    const [program, ...words] = [...wordsOf('ENTRYPOINT'), ...wordsOf('CMD')]
    assert.equal(program, 'node')
    const child = spawn(process.execPath, ['--preserve-symlinks', '--preserve-symlinks-main', ...words], {
      cwd: folder,
      env: {
        PORT: String(port),
        DATABASE_URL: url,
        CADRE_FILES: join(folder, 'files'),
        LOG_LEVEL: 'warn',
        OTEL_TRACES_EXPORTER: 'otlp',
        OTEL_EXPORTER_OTLP_TIMEOUT: '100',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const gone = new Promise((resolve) => child.once('close', resolve))
    let said = ''
    await new Promise<void>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          said += chunk
          if (said.includes('/docs')) resolve()
        })
      gone.then(() => reject(new Error(said)))
    })
    for (const [path, accept] of [
      ['/', 'text/html'],
      ['/docs', 'text/html'],
      ['/readyz', '*/*'],
      ['/openapi.json', '*/*'],
    ] as const)
      assert.equal((await fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept } })).status, 200, path)
    // The check of the image's health, as it stands there.
    const [, check] = /^HEALTHCHECK .*?CMD (\[.*\])$/m.exec(last) ?? []
    const [, ...checking] = JSON.parse(check as string) as string[]
    const health = (at: number) =>
      new Promise((resolve) => spawn(process.execPath, checking, { env: { PORT: String(at) } }).once('close', resolve))
    assert.equal(await health(port), 0)
    child.kill('SIGTERM')
    assert.equal(await gone, 0)
    assert.equal(await health(port), 1)
    await remove()
  },
)

const wordsOf = (instruction: string) =>
  JSON.parse(new RegExp(`^${instruction} (\\[.*\\])$`, 'm').exec(last)?.[1] as string) as string[]

test('the image runs as an unprivileged user, and its build context contains what it copies', isOnce, () => {
  assert.match(last, /^USER node$/m)
  const sent = readFileSync('.dockerignore', 'utf8').match(/(?<=^!).+/gm) as string[]
  for (const [, from, what = ''] of dockerfile.matchAll(/^COPY (--from=\w+ )?(.+) \S+$/gm))
    if (!from) for (const one of what.split(' ')) assert.ok(sent.includes(one), `${one} is not sent to the build`)
  assert.ok(readFileSync('.dockerignore', 'utf8').split('\n').includes('*'))
})

test(
  'the compose and Kubernetes files use only existing settings, matching names and existing health probes',
  isOnce,
  () => {
    const compose = parse(readFileSync('compose.yaml', 'utf8'))
    const known = Object.keys(
      readConfig({ WORKERS: '2', METRICS_PORT: '1', PUBLIC_URL: 'http://x', CADRE_API_KEY: 'x'.repeat(32) }),
    )
    const isKnown = (name: string) => known.includes(name) || name.startsWith('AWS_') || name.startsWith('OTEL_')
    for (const name of Object.keys(compose.services.cadre.environment)) assert.ok(isKnown(name), name)

    const place = join('deploy', 'kubernetes')
    const kustomization = parse(readFileSync(join(place, 'kustomization.yaml'), 'utf8'))
    assert.deepEqual(
      readdirSync(place).filter((file) => file !== 'kustomization.yaml'),
      [...kustomization.resources].sort(),
    )
    const literals = kustomization.configMapGenerator[0].literals.map((one: string) => one.split(/=(.*)/s).slice(0, 2))
    assert.doesNotThrow(() => readConfig(Object.fromEntries(literals)))
    const all = kustomization.resources.flatMap((file: string) =>
      parseAllDocuments(readFileSync(join(place, file), 'utf8')).map((document) => document.toJS()),
    )
    const one = (kind: string) => all.find((each: any) => each.kind === kind)
    const { spec } = one('Deployment')
    const [container] = spec.template.spec.containers
    const names = [...literals.map(([name]: [string]) => name), ...container.env.map(({ name }: any) => name)]
    for (const name of names) assert.ok(isKnown(name), name)
    for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
      assert.match(container[probe].httpGet.path, /^\/(healthz|readyz)$/)
    assert.ok(spec.replicas >= 2 && container.lifecycle.preStop && container.securityContext.readOnlyRootFilesystem)
    // Whoever stops is given the time that stopping may take.
    assert.ok(spec.template.spec.terminationGracePeriodSeconds >= 5 + 10)
    // The machine's cores say nothing of what a container may use: as many workers as it has processors and memory for.
    const workers = Number(Object.fromEntries(literals).WORKERS)
    const { requests, limits } = container.resources
    assert.ok(workers >= 1 && Number(limits.cpu) >= workers && Number(requests.cpu) > 0)
    assert.ok(
      mebibytes(requests.memory) >= 100 + 150 * workers && mebibytes(limits.memory) >= 2 * (100 + 150 * workers),
    )
    const labels = spec.template.metadata.labels
    for (const selector of [
      spec.selector.matchLabels,
      one('PodDisruptionBudget').spec.selector.matchLabels,
      one('Service').spec.selector,
      one('NetworkPolicy').spec.podSelector.matchLabels,
    ])
      assert.deepEqual(selector, labels)
    const ports = new Map(container.ports.map(({ name, containerPort }: any) => [name, containerPort]))
    assert.ok(ports.has(one('Service').spec.ports[0].targetPort))
    assert.equal(ports.get('metrics'), Number(Object.fromEntries(literals).METRICS_PORT))
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    assert.equal(kustomization.images[0].newTag, version)
  },
)

const mebibytes = (text: string) => Number.parseInt(text, 10) * (text.endsWith('Gi') ? 1024 : 1)

test(
  'the documented way to start compose creates the database password once and keeps it on the next start',
  isOnce,
  () => {
    const line = /^#\s+(\(umask .*\))$/m.exec(readFileSync('compose.yaml', 'utf8'))?.[1] as string
    assert.ok(readFileSync('docs/operate.md', 'utf8').includes(line))
    const kept = () => {
      execFileSync('sh', ['-c', line], { cwd: folder })
      return readFileSync(join(folder, '.env'), 'utf8')
    }
    const first = kept()
    assert.match(first, /^POSTGRES_PASSWORD=[0-9a-f]{48}\n$/)
    assert.equal(kept(), first)
    assert.equal(statSync(join(folder, '.env')).mode & 0o777, 0o600)
    assert.ok(readFileSync('.gitignore', 'utf8').split('\n').includes('.env'))
  },
)

test('a systemd reload signals only the main process', isOnce, () => {
  assert.match(readFileSync('deploy/cadre.service', 'utf8'), /^ExecReload=\/bin\/kill -USR2 \$MAINPID$/m)
})
