import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { longTest } from '../thorough.ts'
import { becomes, type Console, pressSignedOut, startConsole } from './browser.ts'

/** What the frame does about what happens around it: sessions that end, versions that come, other clocks. */

let at: Console
let grace: number
before(async () => {
  at = await startConsole()
  grace = (
    await at.service.hire({
      first_name: 'Grace',
      last_name: 'Hopper',
      hired_on: '2024-02-01',
      work_phone_number: '+49 30 1',
    })
  ).id
})
after(() => at.stop())

longTest('an ended session is explained, and signing in returns to the page', async () => {
  const page = await at.open('/people', { mayTell: /401/ })
  await page.getByRole('link', { name: 'Grace Hopper' }).waitFor()
  // What the page asks for by itself would lead to the sign-in from where one is.
  await page.route(/\/me\//, () => undefined)
  await pressSignedOut(page, page.getByRole('link', { name: 'Hiring' }))
  await page.getByText('You have been signed out').waitFor()
  assert.equal(await page.getByText('API key').count(), 0)
  assert.match(page.url(), /\/sign-in\?to=%2Fhiring/)
  await page.done()
})

test('typed values are kept after an ended session and a new sign-in', async () => {
  const page = await at.open(`/people/${grace}`, { mayTell: /401|asked twice/ })
  await page.getByRole('button', { name: 'Edit Contact' }).click()
  await page.getByLabel('Work phone').fill('+49 30 4444')
  const cookies = await page.context().cookies()
  await pressSignedOut(page, page.getByRole('button', { name: 'Save' }))
  const dialog = page.getByRole('dialog', { name: 'You have been signed out' })
  const link = dialog.getByRole('link', { name: 'Sign in' })
  await becomes(() => link.getAttribute('target'), '_blank')
  await page.axe()
  await page.context().addCookies(cookies)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.waitFor({ state: 'detached' })
  await becomes(() => page.getByLabel('Work phone').inputValue(), '+49 30 4444')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('+49 30 4444').first().waitFor()
  await page.done()
})

longTest('a first visit shows the sign-in page without an error', async () => {
  const page = await at.open('/people', { isNobody: true })
  await page.getByLabel('E-mail').waitFor()
  assert.match(page.url(), /\/sign-in\?to=%2Fpeople$/)
  await page.done()
})

longTest('a page of an old version reloads the new one', async () => {
  const page = await at.open('/people', { mayTell: /404|Failed to|asked twice/ })
  await page.getByRole('link', { name: 'Grace Hopper' }).waitFor()
  await page.route('**/bundle/*.js', (route) => route.fulfill({ status: 404 }), { times: 1 })
  await page.route(/localhost:\d+\/$/, (route) => route.fulfill({ body: '<script src="/bundle/app-NEW.js">' }))
  const loaded = page.waitForEvent('domcontentloaded')
  await page.getByRole('link', { name: 'Hiring' }).click()
  await loaded
  await page.getByRole('heading', { name: 'Hiring', level: 1 }).waitFor()
  await page.done()
})

longTest("today is the date at the employee's location on every page, not that of the browser", async () => {
  const isLate = new Date().getUTCHours() >= 10
  const page = await at.open('/', { timezone: isLate ? 'Pacific/Kiritimati' : 'Etc/GMT+12' })
  const today = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })
  await page.getByText(today.format(new Date())).waitFor()
  await page.done()
})

longTest('the command palette runs actions from any page', async () => {
  const page = await at.open('/people', { role: 'employee', employee_id: grace, name: 'Grace Hopper' })
  await page.getByRole('link', { name: 'Grace Hopper' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('leave req')
  await page.getByRole('option', { name: 'Request leave' }).waitFor()
  assert.equal(await page.getByRole('option', { name: 'Invite user' }).count(), 0)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/leave$/)
  await page.done()
})

longTest('the command palette finds settings sections by name and quick actions by other words for them', async () => {
  const edsger = await at.service.hire({ first_name: 'Edsger', last_name: 'Dijkstra' })
  const page = await at.open('/people', {
    role: 'hr',
    employee_id: edsger.id,
    name: 'Edsger Dijkstra',
    mayTell: /asked twice/,
  })
  await page.getByRole('link', { name: 'Grace Hopper' }).waitFor()
  await page.keyboard.press('Control+k')
  const search = page.getByRole('dialog').getByRole('combobox')
  await search.fill('vacation')
  await page.getByRole('option', { name: 'Request leave' }).waitFor()
  await search.fill('leave t')
  await page.getByRole('option', { name: 'Leave types' }).waitFor()
  assert.equal(await page.getByRole('option', { name: 'API keys' }).count(), 0)
  await page.axe()
  await page.getByRole('option', { name: 'Leave types' }).click()
  await page.waitForURL(/\/settings\/leave_types$/)
  await page.done()
})

longTest('phone numbers stay left-to-right in right-to-left layout', async () => {
  const page = await at.open(`/people/${grace}`, { mayTell: /asked twice/ })
  await page.evaluate(() => localStorage.setItem('cadre-direction', 'rtl'))
  await page.reload()
  const number = page.getByRole('link', { name: /\+49 30/ }).first()
  await number.waitFor()
  const [plus, last] = await number.evaluate((link) => {
    const walker = document.createTreeWalker(link, NodeFilter.SHOW_TEXT)
    let text = walker.nextNode() as Text
    while (!text.data.includes('+')) text = walker.nextNode() as Text
    const at = text.data.indexOf('+')
    const left = (index: number) => {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + 1)
      return range.getBoundingClientRect().left
    }
    return [left(at), left(text.data.trimEnd().length - 1)]
  })
  assert.ok((plus as number) < (last as number), 'the plus stands before the number')
  await page.done()
})
