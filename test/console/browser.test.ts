import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { longTest } from '../thorough.ts'
import { type Console, DESKTOP, PHONE, startConsole } from './browser.ts'
import { findBrowser } from './find-browser.ts'

/** The helper of the page tests: pages share a device, and nothing goes from one to the next. */

let at: Console
before(async () => {
  at = await startConsole()
})
after(() => at.stop())

longTest('a reused browser page keeps nothing of the tests before it', async () => {
  const first = await at.open('/people', { role: 'hr', mayTell: /asked twice|gone/ })
  await first.getByRole('heading', { name: 'People', level: 1 }).waitFor()
  const started = await first.evaluate(() => history.length)
  await first.evaluate(() => {
    localStorage.setItem('left', 'yes')
    sessionStorage.setItem('left', 'yes')
    window.name = 'left'
    history.pushState(null, '', '/people?left=yes')
    addEventListener('beforeunload', (event) => event.preventDefault())
  })
  await first.context().addCookies([{ name: 'left', value: 'yes', url: first.url() }])
  await first.setViewportSize(PHONE)
  await first.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await first.route('**/*', (route) => route.abort())
  let heard = 0
  first.on('request', () => heard++)
  first.on('dialog', () => heard++)
  await first.context().newPage()
  await first.done()

  heard = 0
  const second = await at.open('/sign-in', { isNobody: true })
  assert.equal(second, first, 'it is the same page')
  await second.getByLabel('E-mail').waitFor()
  const left = await second.evaluate(() => ({
    kept: localStorage.getItem('left'),
    session: sessionStorage.getItem('left'),
    cookie: document.cookie,
    name: window.name,
    history: history.length,
    size: { width: innerWidth, height: innerHeight },
    isPrint: matchMedia('print').matches,
    isDark: matchMedia('(prefers-color-scheme: dark)').matches,
  }))
  const isDark = process.env.SCHEME === 'dark'
  const nothing = {
    kept: null,
    session: null,
    cookie: '',
    name: '',
    history: started,
    size: DESKTOP,
    isPrint: false,
    isDark,
  }
  assert.deepEqual(left, nothing)
  assert.deepEqual(await second.context().cookies(), [])
  assert.equal(second.context().pages().length, 1)
  assert.equal(heard, 0)
  await second.done()
})

longTest('a browser context with irreversible settings is not reused', async () => {
  const first = await at.open('/sign-in', { isNobody: true })
  await first.context().setOffline(true)
  await first.done()
  assert.ok(first.isClosed())
  const second = await at.open('/sign-in', { isNobody: true })
  assert.notEqual(second, first)
  await second.done()
})

test('page errors, repeated requests and axe findings fail the test', async () => {
  const page = await at.open('/sign-in', { isNobody: true, mayTell: /status of 404/ })
  await page.getByLabel('E-mail').waitFor()
  await page.axe()
  await page.evaluate(() => {
    const image = document.createElement('img')
    image.src = 'data:image/gif;base64,R0lGODlhAQABAAAAACw='
    document.querySelector('main')?.append(image)
  })
  await assert.rejects(page.axe(), /image-alt/)
  await page.evaluate(() => document.querySelector('img:not([alt])')?.remove())
  const never = (one: typeof page) => one.getByText('This is never there').waitFor()
  await page.evaluate(() => void fetch('/api/public/v3/nothing').then(() => fetch('/api/public/v3/nothing')))
  await assert.rejects(never(page), /asked twice: .*nothing/)
  await assert.rejects(page.done(), /asked twice: .*nothing/)

  const other = await at.open('/sign-in', { isNobody: true, scheme: 'dark' })
  await other.getByLabel('E-mail').waitFor()
  await other.contrast()
  await other.evaluate(() => {
    const text = document.createElement('p')
    text.textContent = 'Hardly seen'
    const isDark = matchMedia('(prefers-color-scheme: dark)').matches
    text.style.setProperty('color', isDark ? '#444' : '#bbb')
    document.querySelector('main')?.append(text)
  })
  for (const look of [other.contrast, other.axe]) await assert.rejects(look(), /color-contrast/)
  await other.evaluate(() => void setTimeout(() => console.error('gone wrong')))
  await assert.rejects(never(other), /console: gone wrong/)
  await assert.rejects(other.done(), /console: gone wrong/)
})

test('without a browser the error says what to install', () => {
  const { CHROMIUM } = process.env
  try {
    process.env.CHROMIUM = '/nowhere/chromium'
    assert.throws(() => findBrowser(), /CHROMIUM=\/nowhere\/chromium is not a program.* Install Chromium/)
  } finally {
    if (CHROMIUM === undefined) delete process.env.CHROMIUM
    else process.env.CHROMIUM = CHROMIUM
  }
  assert.ok(findBrowser())
})
