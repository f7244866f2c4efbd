import assert from 'node:assert/strict'
import { createReadStream, createWriteStream, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { createBrotliDecompress } from 'node:zlib'
import { type Browser, type BrowserContext, type CDPSession, chromium, type Locator, type Page } from 'playwright-core'
import { buildConsole } from '../../console/build/build.ts'
import { type Service, startService } from '../harness.ts'
import { isLong, isThorough } from '../thorough.ts'
import { findBrowser, packagedFolder } from './find-browser.ts'

/**
 * A real browser for tests of pages: one for each process, which all test files of the process share. Whatever a page writes to its console as an error, whatever its policy stops, whatever
 * it asks of another host and whatever it asks twice fails the test that opened it.
 */

const require = createRequire(import.meta.url)

/** The browser of the packages, unpacked once into `node_modules/.cache`. */
async function unpackedChromium(): Promise<{ executablePath: string; env: Record<string, string> }> {
  const packed = packagedFolder() as string
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

/** A process that draws like a graphics card would, only to be slower than the browser itself. */
const WITHOUT_GPU = ['--disable-gpu', '--disable-software-rasterizer']

export async function launch(): Promise<Browser> {
  const found = findBrowser()
  if (!('isPackaged' in found)) return chromium.launch({ ...found, args: WITHOUT_GPU })
  const { executablePath, env } = await unpackedChromium()
  return chromium.launch({ executablePath, env: { ...process.env, ...env }, args: ['--no-sandbox', ...WITHOUT_GPU] })
}

/** How long the browser waits for the next test file, in milliseconds, before it closes and lets the process end. */
const LINGER = 5_000

/** The browser of this process, for as long as somebody uses it. It ends with the process, however that ends. */
const shared: { launched?: Promise<Browser> | undefined; users: number; closing?: NodeJS.Timeout } = { users: 0 }

/** Devices that are wiped and wait for whoever opens the next page, in this test file or in the next one. */
const idle: Device[] = []

async function takeBrowser(): Promise<Browser> {
  shared.users++
  clearTimeout(shared.closing)
  shared.launched ??= launch()
  const browser = await shared.launched.catch((error) => {
    shared.launched = undefined
    throw error
  })
  if (browser.isConnected()) return browser
  // It has crashed: the next file begins with a new one.
  shared.launched = launch()
  return shared.launched
}

function returnBrowser(): void {
  if (--shared.users > 0) return
  const { launched } = shared
  shared.closing = setTimeout(() => {
    shared.launched = undefined
    void launched?.then((browser) => browser.close())
  }, LINGER).unref()
}

/** No test is about how fast a machine is: one that is busy, or slow, has as long as this. */
const PATIENCE = 60_000

/** What a page shows is there when it is there: read again until it is so. */
export async function becomes<T>(read: () => Promise<T>, wanted: T | RegExp): Promise<void> {
  const isSo = (seen: T) => (wanted instanceof RegExp ? wanted.test(String(seen)) : isDeepStrictEqual(seen, wanted))
  // Soon again at first, then less often: each look costs the page some milliseconds.
  for (let [until, next] = [Date.now() + PATIENCE, 20]; Date.now() < until; next = Math.min(2 * next, 250)) {
    if (isSo(await read())) return
    await pause(next)
  }
  const seen = await read()
  if (wanted instanceof RegExp) assert.match(String(seen), wanted)
  else assert.deepEqual(seen, wanted)
}

/** Types into a field that is searched as one types, and waits until it offers only what was looked for. */
export async function searchFor(page: Page, field: Locator, words: string, wanted: string | RegExp): Promise<void> {
  await field.fill(words)
  const [found, all] = [page.getByRole('option', { name: wanted }), page.getByRole('option')]
  await becomes(async () => (await found.count()) > 0 && (await found.count()) === (await all.count()), true)
}

/**
 * Searches and chooses what is found. By keys: the list stands above its field while it is long and below it once it is
 * short, and a press of the mouse that it moves away under is lost.
 */
export async function chooseFound(page: Page, field: Locator, words: string, wanted: string | RegExp): Promise<void> {
  await searchFor(page, field, words, wanted)
  await field.press('ArrowDown')
  await field.press('Enter')
  await becomes(() => page.getByRole('option').count(), 0)
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

/** Waits until the page's own clock has gone on by so many milliseconds: for what it refuses right after a press. */
export async function letPass(page: Page, milliseconds: number): Promise<void> {
  const begun = await page.evaluate(() => performance.now())
  await page.waitForFunction(([from, length]) => performance.now() - from > length, [begun, milliseconds] as const)
}

export const PHONE = { width: 390, height: 844 }
export const DESKTOP = { width: 1280, height: 800 }

export type Console = {
  service: Service
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
  /** Fails on what axe finds: in the colour scheme of the page, in the proofs in light and in dark. */
  axe: () => Promise<void>
  /** The same for one more state of a screen that the gate looks at already: only who asks for this file, or the proofs. */
  axeToo: () => Promise<void>
  /** Fails on text that is hard to read in the colours of now. */
  contrast: () => Promise<void>
  /** A picture for those who look: with `SCREENSHOTS=1`, into `node_modules/.cache/screenshots`. */
  picture: (name: string) => Promise<void>
  /** From now on, what was asked before may be asked again: something has changed. */
  forgetQuestions: () => void
  done: () => Promise<void>
}

type Start = { base?: string; config?: NonNullable<Parameters<typeof startService>[0]>['config'] }

/** One company for a file of tests. */
export async function startConsole({ base = '', config = {} }: Start = {}): Promise<Console> {
  await builtOnce()
  const at = base ? { PUBLIC_URL: `http://localhost${base}` } : {}
  const service = await startService({ config: { ...at, ...config } })
  const devices = new Devices(await takeBrowser(), service)
  return {
    service,
    open: (path, options) => open(service, devices, base + path, options),
    async stop() {
      await devices.close()
      returnBrowser()
      await service.stop()
    },
  }
}

/** The gate builds before it runs the files; whoever runs one file gets a build too. */
const builtOnce = async () => (process.env.CONSOLE_BUILT ? undefined : await buildConsole())

/** A context of the browser with its one page. */
type Device = { context: BrowserContext; page: Page; kind: string; debug: CDPSession; isMarked: boolean }

/** What cannot be taken back from a page or its context: a device on which a test did this is not used again. */
const MARKS = {
  page: ['addInitScript', 'exposeFunction', 'exposeBinding', 'setExtraHTTPHeaders'],
  context: [
    'addInitScript',
    'exposeFunction',
    'exposeBinding',
    'setExtraHTTPHeaders',
    'newCDPSession',
    'grantPermissions',
    'setGeolocation',
    'setOffline',
  ],
  clock: ['install', 'fastForward', 'pauseAt', 'resume', 'runFor', 'setFixedTime', 'setSystemTime'],
} as const

/** What tests listen to. */
const EVENTS = [
  'console',
  'dialog',
  'download',
  'pageerror',
  'popup',
  'request',
  'requestfinished',
  'response',
] as const

/**
 * The devices of one company. A page that opens on a device of before costs a third of one on a new device: the browser
 * has its process, and knows the scripts. Whoever comes next finds no cookie, nothing stored and no history.
 */
class Devices {
  readonly #browser: Browser
  /** An address of the service that costs nothing and does nothing. */
  readonly #nowhere: string
  readonly #inUse = new Set<Device>()

  constructor(browser: Browser, service: Service) {
    this.#browser = browser
    this.#nowhere = `${homeOf(service)}/healthz`
  }

  async take({ size = DESKTOP, locale = 'en-GB', timezone }: Opening): Promise<Device> {
    const isPhone = size.width < 600
    const kind = JSON.stringify([isPhone, locale, timezone])
    const known = idle.findIndex((one) => one.kind === kind && !one.page.isClosed())
    const device =
      known >= 0 ? (idle.splice(known, 1)[0] as Device) : await this.#make(kind, { size, locale, timezone })
    this.#inUse.add(device)
    return device
  }

  async #make(kind: string, { size = DESKTOP, locale, timezone }: Opening): Promise<Device> {
    const context = await this.#browser.newContext({
      viewport: size,
      locale,
      ...(timezone ? { timezoneId: timezone } : {}),
      ...(size.width < 600 ? { isMobile: true, hasTouch: true } : {}),
    })
    await context.addInitScript(behaveAlike)
    const page = await context.newPage()
    page.setDefaultTimeout(PATIENCE)
    const device = { context, page, kind, debug: await context.newCDPSession(page), isMarked: false }
    for (const [owner, names] of [
      [page, MARKS.page],
      [context, MARKS.context],
      [page.clock, MARKS.clock],
    ] as unknown as [Record<string, any>, string[]][])
      for (const name of names) {
        const own = owner[name].bind(owner)
        owner[name] = (...given: unknown[]) => {
          device.isMarked = true
          return own(...given)
        }
      }
    return device
  }

  /** Wipes a device for the next one. */
  async giveBack(device: Device): Promise<void> {
    const { context, page, debug, isMarked } = device
    this.#inUse.delete(device)
    for (const event of EVENTS) page.removeAllListeners(event)
    if (isMarked || page.isClosed()) return context.close()
    for (const other of context.pages()) if (other !== page) await other.close()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.goto(this.#nowhere)
    await page.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
      window.name = ''
    })
    await context.clearCookies()
    await debug.send('Page.resetNavigationHistory')
    idle.push(device)
  }

  /** Closes what a test that failed has left open. */
  async close(): Promise<void> {
    await Promise.all([...this.#inUse].map(({ context }) => context.close()))
    this.#inUse.clear()
  }
}

/** Runs in each page first: pages behave alike on busy machines, and in browsers with or without a viewer of PDFs. */
function behaveAlike(): void {
  if (!Object.hasOwn(navigator, 'pdfViewerEnabled'))
    Object.defineProperty(navigator, 'pdfViewerEnabled', { value: false, configurable: true })
  // A notice goes after some seconds. A machine that is busy may not have come to look at it by then.
  const own = window.setTimeout.bind(window)
  window.setTimeout = ((work: () => void, after = 0, ...given: unknown[]) =>
    own(work, after >= 4_000 ? after * 100 : after, ...given)) as typeof window.setTimeout
}

// Passkeys need a name, not a number.
const homeOf = (service: Service) => service.url.replace('127.0.0.1', 'localhost')

/** `SCHEME=dark` opens in dark what else opens in light, and the other way round: a long run runs all files twice. */
const schemeOf = ({ scheme = 'light' }: Opening) =>
  process.env.SCHEME === 'dark' ? (scheme === 'light' ? 'dark' : 'light') : scheme

async function open(service: Service, devices: Devices, path: string, options: Opening = {}): Promise<Watched> {
  const device = await devices.take(options)
  const { context, page } = device
  const scheme = schemeOf(options)
  await page.setViewportSize(options.size ?? DESKTOP)
  await page.emulateMedia({ media: null, colorScheme: scheme, reducedMotion: 'reduce' })
  const { role, permissions, employee_id, name } = options
  if (!options.isNobody) await signIn(service, context, { role, permissions, employee_id, name } as Who)
  const home = homeOf(service)
  const wrong: string[] = []
  let asked = new Map<string, number>()
  // The page is closed at once: what the test waits for then fails with this reason, and not by waiting in vain.
  const tell = (text: string) => {
    if (options.mayTell?.test(text)) return
    wrong.push(text)
    device.isMarked = true
    void page.close({ reason: `The page told of something wrong: ${text}` }).catch(() => undefined)
  }
  page.on('console', (message) => message.type() === 'error' && tell(`console: ${message.text()}`))
  page.on('pageerror', (error) => tell(`error: ${error.message}`))
  page.on('request', (request) => {
    const url = request.url()
    // The viewer of PDFs is the browser's own.
    if (/^(data|blob|chrome|chrome-extension):/.test(url)) return
    if (new URL(url).origin !== home) tell(`asks another host: ${url}`)
    if (request.method() !== 'GET' || !url.includes('/api/')) return
    const before = asked.get(url)
    if (before !== undefined && Date.now() - before < KEPT) tell(`asked twice: ${url}`)
    asked.set(url, Date.now())
  })
  // Who leaves a page gives up what is not answered yet. Coming back asks again, which is right: nothing was kept.
  page.on('requestfailed', (request) => void asked.delete(request.url()))
  await page.goto(home + path)
  // Another scheme has other colours and nothing else.
  const schemes = isThorough ? (['light', 'dark'] as const) : [scheme]
  const axe = () =>
    runAxe(page, { service, schemes, rules: ALL_RULES }).finally(() => page.emulateMedia({ colorScheme: scheme }))
  return Object.assign(page, {
    axe,
    axeToo: () => (isLong ? axe() : Promise.resolve()),
    contrast: () => runAxe(page, { service, schemes: [scheme], rules: CONTRAST }),
    picture: (name: string) => takePicture(page, name),
    forgetQuestions: () => {
      asked = new Map()
    },
    done: async () => {
      await devices.giveBack(device)
      assert.deepEqual(wrong, [])
    },
  })
}

/** Pages keep answers for 30 seconds. A test that takes longer, on a busy machine, sees them ask again. */
const KEPT = 25_000

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

const ALL_RULES = 'rules: { region: { enabled: false } }'
const CONTRAST = "runOnly: ['color-contrast']"

/** Companies on whose pages axe has looked at the menu. */
const menusSeen = new WeakSet<Service>()

type AxeOptions = { service: Service; schemes: readonly ('light' | 'dark')[]; rules: string }

async function runAxe(page: Page, { service, schemes, rules }: AxeOptions): Promise<void> {
  const place = isThorough ? 'document' : lookedAt(!menusSeen.has(service))
  menusSeen.add(service)
  // By the debugger, not as a script of the page: its policy would stop that.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(`${AXE}; undefined`)
  const found: string[] = []
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme })
    await page.evaluate(colouredAs, colorScheme)
    const { violations } = await page.evaluate<{ violations: any[] }>(
      `axe.run(${place}, { resultTypes: ['violations'], ${rules} })`,
    )
    for (const { id, nodes } of violations)
      for (const { target, failureSummary } of nodes) found.push(`${colorScheme} ${id} ${target}: ${failureSummary}`)
  }
  assert.deepEqual(found, [])
}

/**
 * What axe looks at in the gate: of long lists and tables the first lines, as the others are made of the same parts; while
 * a dialog is open, the dialog and the notices, as nobody reaches what lies behind; and the menu around the content, which
 * all screens share, once in each test file. The proofs look at everything.
 */
const lookedAt = (isMenuToo: boolean) => `(() => {
  const exclude = ['tr', 'li', '[role=row]'].map((one) => [one + ':nth-child(n+13)'])
  const dialogs = [...document.querySelectorAll('[aria-modal=true]')].filter((one) => one.checkVisibility())
  const content = dialogs.length > 0 ? dialogs : document.querySelectorAll('main')
  const include = [...content, ...document.querySelectorAll('.notices')]
  return content.length === 0 || (dialogs.length === 0 && ${isMenuToo}) ? { exclude } : { include, exclude }
})()`

/** Waits until the page has the colours of a scheme, unless somebody has chosen another one on it. */
async function colouredAs(scheme: string): Promise<void> {
  const chosen = localStorage.getItem('mantine-color-scheme-value')
  const wanted = chosen === 'light' || chosen === 'dark' ? chosen : scheme
  const shown = () => document.documentElement.getAttribute('data-mantine-color-scheme') ?? wanted
  while (shown() !== wanted) await new Promise(requestAnimationFrame)
  const changing = document.getAnimations().filter((one) => one instanceof CSSTransition)
  await Promise.all(changing.map((one) => one.finished.catch(() => undefined)))
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
              {
                scope: 'everybody',
                permissions: permissions ?? ['*'],
                sees: ['compensation', 'personal', 'notes', 'planned'],
              },
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
