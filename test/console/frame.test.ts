import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { longTest } from '../thorough.ts'
import { becomes, type Console, startConsole } from './browser.ts'

let at: Console
before(async () => {
  at = await startConsole()
  await at.service.hire({ first_name: 'Ada', last_name: 'Lovelace', hired_on: '2024-02-01' })
})
after(() => at.stop())

longTest('a list of 100,000 people scrolls to its end and loads only visible pages', async () => {
  const page = await at.open('/healthz')
  const asked: number[] = []
  await page.route('**/employees?*', (route) => {
    const wanted = new URL(route.request().url()).searchParams
    const number = Number(wanted.get('page'))
    asked.push(number)
    const data = Array.from({ length: 100 }, (_, index) => {
      const id = (number - 1) * 100 + index + 1
      return { id, full_name: `Person ${id}`, first_name: 'Person', last_name: String(id), status: 'employed' }
    })
    const metadata = { page: number, pages: 1000, count: 100_000, items: 100 }
    return route.fulfill({ json: { data, metadata } })
  })
  page.forgetQuestions()
  await page.goto(`${new URL(page.url()).origin}/people`)
  await page.getByText('100,000 people').waitFor()
  // What it draws does not grow with the list.
  assert.ok((await page.locator('*').count()) < 3000)
  await page.getByRole('row').nth(1).focus()
  await page.keyboard.press('End')
  await page.getByRole('link', { name: 'Person 100000' }).waitFor()
  assert.ok(asked.length <= 4, `asked for pages ${asked}`)
  assert.ok((await page.getByRole('row').count()) < 60)
  await page.done()
})

longTest(
  'a page in right-to-left layout is never wider than the window, and its menu is on the right-hand side',
  async () => {
    const page = await at.open('/people')
    await page.getByText('1 person').waitFor()
    await page.evaluate(() => localStorage.setItem('cadre-direction', 'rtl'))
    page.forgetQuestions()
    await page.reload()
    await page.getByText('1 person').waitFor()
    await becomes(() => page.locator('html').getAttribute('dir'), 'rtl')
    const menu = await page.getByRole('navigation').boundingBox()
    assert.ok(menu && menu.x > 600, 'the menu is at the right')
    const isWider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    assert.equal(isWider, false)
    await page.picture('people-rtl')
    await page.done()
  },
)

longTest('printing shows only the content of a page', async () => {
  const page = await at.open('/people')
  await page.getByText('1 person').waitFor()
  // The browser itself would open its dialog.
  await page.evaluate(() => {
    window.print = () => void dispatchEvent(new Event('beforeprint'))
  })
  await page.emulateMedia({ media: 'print' })
  assert.equal(await page.getByRole('navigation').isVisible(), false)
  assert.equal(await page.getByRole('searchbox').isVisible(), false)
  await becomes(() => page.getByRole('link', { name: 'Ada Lovelace' }).isVisible(), true)
  await page.emulateMedia({ media: 'screen' })
  await page.getByRole('button', { name: 'Print' }).click()
  await page.locator('table').getByRole('cell', { name: 'Ada Lovelace' }).waitFor()
  await page.emulateMedia({ media: 'print' })
  await page.picture('people-print')
  await page.done()
})

longTest('two tabs of one user share one connection for changes, and both update', async () => {
  const page = await at.open('/people', { role: 'hr' })
  await page.getByText('1 person').waitFor()
  const second = await page.context().newPage()
  let streams = 0
  second.on('request', (request) => void (request.url().includes('/changes') && streams++))
  await second.goto(page.url())
  await second.getByText('1 person').waitFor()
  page.forgetQuestions()
  const [ada] = (await at.service.get('/employees?q=lovelace')).body.data
  await at.service.put(`/employees/${ada.id}`, { first_name: 'Augusta' })
  await second.getByRole('link', { name: 'Augusta Lovelace' }).waitFor()
  await page.getByRole('link', { name: 'Augusta Lovelace' }).waitFor()
  assert.equal(streams, 0)
  await at.service.put(`/employees/${ada.id}`, { first_name: 'Ada' })
  await page.done()
})

longTest('a saved view restores its filters', async () => {
  let page = await at.open('/people?status=all')
  await page.getByText('1 person').waitFor()
  await page.getByRole('button', { name: 'Saved views' }).click()
  await page.getByRole('menuitem', { name: 'Save view…' }).click()
  await page.getByLabel('View name').fill('Everybody ever')
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByLabel('View name').waitFor({ state: 'detached' })
  await page.done()
  // On another device of the same person.
  page = await at.open('/people')
  await page.getByRole('button', { name: 'Saved views' }).click()
  await page.axe()
  await page.getByRole('menuitem', { name: 'Everybody ever', exact: true }).click()
  await page.waitForURL(/status=all/)
  await page.done()
})

longTest('an unknown URL shows a not-found page with the menu', async () => {
  const page = await at.open('/nowhere/at/all')
  await page.getByRole('heading', { name: 'Not found' }).waitFor()
  await page.axe()
  await page.getByRole('link', { name: 'People' }).click()
  await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
  await becomes(() => page.evaluate(() => document.activeElement?.textContent), 'People')
  await becomes(() => page.title(), 'People · Cadre')
  await page.done()
})

test('the bell shows new notifications at once, until they are seen', async () => {
  const { id: employee_id } = await at.service.hire({ first_name: 'Grace', last_name: 'Hopper' })
  const page = await at.open('/account', { role: 'employee', name: 'Grace Hopper', employee_id })
  const bell = page.getByRole('button', { name: 'Notifications' })
  await bell.click()
  await page.getByText('No notifications').waitFor()
  await page.keyboard.press('Escape')
  page.forgetQuestions()
  await at.service.make('/tasks', { name: 'Of somebody else', employee_id: 1 })
  await at.service.make('/tasks', { name: 'Sort the cards', employee_id })
  await bell.getByText('1').waitFor()
  await bell.click()
  await page.getByRole('link', { name: 'New task: Sort the cards' }).waitFor()
  assert.equal(await page.getByText('Of somebody else').count(), 0)
  await page.axe()
  page.forgetQuestions()
  await page.keyboard.press('Escape')
  await bell.getByText('1').waitFor({ state: 'detached' })
  // Whoever follows one has looked, at what was shown and at nothing that comes later.
  page.forgetQuestions()
  const heard = page.waitForResponse(
    async (one) => /me\/notifications$/.test(one.url()) && (await one.text()).includes('Draw the cards'),
  )
  await at.service.make('/tasks', { name: 'Draw the cards', employee_id })
  const [newest] = (await (await heard).json()).data
  await bell.getByText('1').waitFor()
  await bell.click()
  const told = page.waitForRequest(/notifications\/seen/)
  page.forgetQuestions()
  await page.getByRole('link', { name: 'New task: Draw the cards' }).click()
  assert.deepEqual((await told).postDataJSON(), { until: newest.at })
  await page.getByRole('link', { name: 'New task: Draw the cards' }).waitFor({ state: 'detached' })
  await bell.getByText('1').waitFor({ state: 'detached' })
  await page.done()
})
