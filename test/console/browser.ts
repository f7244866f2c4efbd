import assert from 'node:assert/strict'
import { createReadStream, createWriteStream, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { createBrotliDecompress } from 'node:zlib'
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core'
import { buildConsole } from '../../console/build/build.ts'
import { type Service, startService } from '../harness.ts'

/**
 * A real browser for tests of pages: the one that comes with the packages, unpacked once into `node_modules/.cache`;
 * `CHROMIUM=/path` takes another. Whatever a page writes to its console as an error, whatever its policy stops, whatever
 * it asks of another host and whatever it asks twice fails the test that opened it.
 */

const require = createRequire(import.meta.url)

async function unpackedChromium(): Promise<{ executablePath: string; env: Record<string, string> }> {
  const packed = join(dirname(require.resolve('@sparticuz/chromium')), '..', 'bin')
  const { version } = JSON.parse(readFileSync(join(packed, '..', 'package.json'), 'utf8')) as { version: string }
  const cache = join(packed, '..', '..', '..', '.cache')
  const folder = join(cache, `chromium-${version}`)
  if (!existsSync(folder)) {
    const draft = `${folder}.${process.pid}`
    mkdirSync(draft, { recursive: true })
    const { extract } = require('tar-fs') as { extract: (target: string) => NodeJS.WritableStream }
    const inflate = (name: string, target: NodeJS.WritableStream) =>
      pipeline(createReadStream(join(packed, name)), createBrotliDecompress(), target)
    await Promise.all([
      inflate('chromium.br', createWriteStream(join(draft, 'chromium'), { mode: 0o700 })),
      inflate('fonts.tar.br', extract(join(draft, 'fonts'))),
      inflate('swiftshader.tar.br', extract(draft)),
      inflate('al2023.tar.br', extract(join(draft, 'al2023'))),
    ])
    try {
      renameSync(draft, folder)
    } catch {
      // Another process was faster.
      rmSync(draft, { recursive: true, force: true })
    }
  }
  return {
    executablePath: join(folder, 'chromium'),
    env: {
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_PATH: join(folder, 'fonts', 'fonts'),
      HOME: folder,
    },
  }
}

async function launch(): Promise<Browser> {
  if (process.env.CHROMIUM) return chromium.launch({ executablePath: process.env.CHROMIUM })
  if (process.platform !== 'linux' || process.arch !== 'x64') return chromium.launch({ channel: 'chrome' })
  const { executablePath, env } = await unpackedChromium()
  return chromium.launch({ executablePath, env: { ...process.env, ...env }, args: ['--no-sandbox'] })
}

/** No test is about how fast a machine is: one that is busy, or slow, has as long as this. */
const PATIENCE = 60_000

/** What a page shows is there when it is there: read again until it is so. */
export async function becomes<T>(read: () => Promise<T>, wanted: T | RegExp): Promise<void> {
  const isSo = (seen: T) => (wanted instanceof RegExp ? wanted.test(String(seen)) : isDeepStrictEqual(seen, wanted))
  for (const until = Date.now() + PATIENCE; Date.now() < until; await setTimeout(20)) if (isSo(await read())) return
  const seen = await read()
  if (wanted instanceof RegExp) assert.match(String(seen), wanted)
  else assert.deepEqual(seen, wanted)
}

/**
 * The browser forgets who is signed in, and something is pressed. What a page asks for by itself may tell it first: what
 * is pressed then stands beneath what says so, and is pressed all the same.
 */
export async function pressSignedOut(page: Page, what: Locator): Promise<void> {
  const one = await what.elementHandle()
  await page.context().clearCookies()
  await one?.evaluate((element) => (element as HTMLElement).click())
}

export const PHONE = { width: 390, height: 844 }
export const DESKTOP = { width: 1280, height: 800 }

export type Console = {
  service: Service
  browser: Browser
  /** A page of somebody who is signed in with this role; what went wrong on it fails the test at `close`. */
  open: (path: string, options?: Opening) => Promise<Watched>
  stop: () => Promise<void>
}

export type Who = {
  /** One or more of the ready-made roles: owner, hr, payroll, recruiter, hiring_manager, manager, employee. */
  role?: string | string[]
  /** Or what the person may do, of everybody; everything when nothing is said. */
  permissions?: string[]
  /** The employee who it is. */
  employee_id?: number
  name?: string
}

export type Opening = Who & {
  size?: { width: number; height: number }
  scheme?: 'light' | 'dark'
  locale?: string
  /** Of the clock of the browser. */
  timezone?: string
  /** Nobody is signed in. */
  isNobody?: boolean
  /** Questions that may be asked twice, and errors that are meant, by a part of their text. */
  mayTell?: RegExp
}

export type Watched = Page & {
  /** Fails on what axe finds, in light and in dark. */
  axe: () => Promise<void>
  /** A picture for those who look: with `SCREENSHOTS=1`, into `node_modules/.cache/screenshots`. */
  picture: (name: string) => Promise<void>
  /** From now on, what was asked before may be asked again: something has changed. */
  forgetQuestions: () => void
  done: () => Promise<void>
}

type Start = { base?: string; config?: NonNullable<Parameters<typeof startService>[0]>['config'] }

/** One company and one browser for a file of tests. */
export async function startConsole({ base = '', config = {} }: Start = {}): Promise<Console> {
  await builtOnce()
  const at = base ? { PUBLIC_URL: `http://localhost${base}` } : {}
  const service = await startService({ config: { ...at, ...config } })
  const browser = await launch()
  return {
    service,
    browser,
    open: (path, options) => open(service, browser, base + path, options),
    async stop() {
      await browser.close()
      await service.stop()
    },
  }
}

/** The gate builds before it runs the files; whoever runs one file gets a build too. */
const builtOnce = async () => (process.env.CONSOLE_BUILT ? undefined : await buildConsole())

async function open(service: Service, browser: Browser, path: string, options: Opening = {}): Promise<Watched> {
  const { size = DESKTOP, scheme = 'light', locale = 'en-GB' } = options
  const context = await browser.newContext({
    viewport: size,
    colorScheme: scheme,
    locale,
    ...(options.timezone ? { timezoneId: options.timezone } : {}),
    reducedMotion: 'reduce',
    ...(size.width < 600 ? { isMobile: true, hasTouch: true } : {}),
  })
  const { role, permissions, employee_id, name } = options
  if (!options.isNobody) await signIn(service, context, { role, permissions, employee_id, name } as Who)
  const page = await context.newPage()
  // Passkeys need a name, not a number.
  const home = service.url.replace('127.0.0.1', 'localhost')
  page.setDefaultTimeout(PATIENCE)
  const wrong: string[] = []
  let asked = new Set<string>()
  const tell = (text: string) => void (options.mayTell?.test(text) || wrong.push(text))
  page.on('console', (message) => message.type() === 'error' && tell(`console: ${message.text()}`))
  page.on('pageerror', (error) => tell(`error: ${error.message}`))
  page.on('request', (request) => {
    const url = request.url()
    if (/^(data|blob):/.test(url)) return
    if (new URL(url).origin !== home) tell(`asks another host: ${url}`)
    if (request.method() !== 'GET' || !url.includes('/api/')) return
    if (asked.has(url)) tell(`asked twice: ${url}`)
    asked.add(url)
  })
  await page.goto(home + path)
  return Object.assign(page, {
    axe: () => runAxe(page).finally(() => page.emulateMedia({ colorScheme: scheme })),
    picture: (name: string) => takePicture(page, name),
    forgetQuestions: () => {
      asked = new Set()
    },
    done: async () => {
      await context.close()
      assert.deepEqual(wrong, [])
    },
  })
}

async function runAxe(page: Page): Promise<void> {
  const source = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    // By the debugger, not as a script of the page: its policy would stop that.
    await page.evaluate(`${source}; undefined`)
    const { violations } = await page.evaluate<{ violations: any[] }>(
      "axe.run(document, { resultTypes: ['violations'], rules: { region: { enabled: false } } })",
    )
    for (const { id, nodes } of violations)
      for (const { target, failureSummary } of nodes) found.push(`${colorScheme} ${id} ${target}: ${failureSummary}`)
  }
  assert.deepEqual(found, [])
}

async function takePicture(page: Page, name: string): Promise<void> {
  if (!process.env.SCREENSHOTS) return
  const folder = join('node_modules', '.cache', 'screenshots')
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`) })
}

/** Sessions of this service by what they may do: a person is made once. */
const people = new WeakMap<Service, Map<string, Promise<Session>>>()
type Session = { cookie: { name: string; value: string }; userId: number; email: string }

/** Somebody who may do this, signed in: invited by a key, through the link that the invitation gives. */
export function personWith(service: Service, who: Who): Promise<Session> {
  const known = people.get(service) ?? new Map<string, Promise<Session>>()
  people.set(service, known)
  const name = JSON.stringify(who)
  const session = known.get(name) ?? makePerson(service, who, `person${known.size + 1}@example.com`)
  known.set(name, session)
  return session
}

export const PASSWORD = 'seven grey herons at noon'

async function makePerson(service: Service, { role, permissions, employee_id, name }: Who, email: string) {
  const wanted = [role ?? []].flat()
  const roleIds = role
    ? (await service.get('/roles')).body.data.flatMap((one: { id: number; standard: string }) =>
        wanted.includes(one.standard) ? one.id : [],
      )
    : [
        (
          await service.make('/roles', {
            name: `Role of ${email}`,
            grants: [
              { scope: 'everybody', permissions: permissions ?? ['*'], sees: ['compensation', 'personal', 'notes'] },
            ],
          })
        ).id,
      ]
  assert.ok(roleIds.length > 0 && roleIds.length >= wanted.length, `there is a role ${role}`)
  const sent = { email, name: name ?? 'Ada Lovelace', role_ids: roleIds, ...(employee_id ? { employee_id } : {}) }
  const { user, link } = await service.make('/users/invite', sent)
  const [, token] = link.url.split('#')
  const json = { token, password: PASSWORD }
  const used = await service.send('POST', '/sign_in/link_use', {
    key: null,
    json,
    headers: { origin: service.url, 'sec-fetch-site': 'same-origin' },
  })
  assert.equal(used.status, 200, used.text)
  const [pair = ''] = (used.headers.getSetCookie()[0] ?? '').split(';')
  const [cookieName = '', value = ''] = pair.split('=')
  return { cookie: { name: cookieName, value }, userId: user.id as number, email }
}

async function signIn(service: Service, context: BrowserContext, who: Who): Promise<void> {
  const { cookie } = await personWith(service, who)
  await context.addCookies([{ ...cookie, domain: 'localhost', path: '/', httpOnly: true, sameSite: 'Lax' }])
}
