import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { longTest } from '../thorough.ts'
import { becomes, type Console, personWith, startConsole, type Watched } from './browser.ts'

/** What somebody does is done once, by them, and never about something else than they saw. */

let at: Console
let grace: number
before(async () => {
  at = await startConsole()
  const { service } = at
  grace = (await service.hire({ first_name: 'Grace', last_name: 'Hopper', hired_on: '2024-02-01' })).id
})
after(() => at.stop())

const positions = async (name: string) =>
  (await at.service.get('/positions?per_page=200')).body.data.filter((one: { name: string }) => one.name === name)
    .length

async function beginPosition(page: Watched, name: string) {
  const panel = page.getByRole('dialog')
  await panel.getByLabel('Name').fill(name)
  return panel.getByRole('button', { name: /^(Save|Add|Create)/ })
}

test('pressing again after a lost response creates no second record, and undo removes it', async () => {
  const page = await at.open('/settings/positions/new', { mayTell: /Failed to load|ERR_|asked twice/ })
  const save = await beginPosition(page, 'Lost')
  let keys: (string | undefined)[] = []
  await page.route('**/v3/positions', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    keys = [...keys, route.request().headers()['idempotency-key']]
    // It reaches the service; what the service says does not come back.
    const answer = await route.fetch()
    return keys.length === 1 ? route.abort() : route.fulfill({ response: answer })
  })
  await save.click()
  await page
    .getByText(/cannot be reached/)
    .first()
    .waitFor()
  page.forgetQuestions()
  await save.click()
  const undo = page.getByRole('button', { name: 'Undo' })
  await undo.waitFor()
  assert.equal(await positions('Lost'), 1)
  assert.ok(keys[0])
  assert.equal(keys[0], keys[1])
  page.forgetQuestions()
  await undo.click()
  await page.getByText('Undone').waitFor()
  assert.equal(await positions('Lost'), 0)
  await page.done()
})

longTest('repeating a request after another action sends it as a new request', async () => {
  const page = await at.open('/settings/positions/new', { mayTell: /Failed to load|ERR_|asked twice/ })
  const keys: (string | undefined)[] = []
  await page.route('**/v3/positions', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    keys.push(route.request().headers()['idempotency-key'])
    const answer = await route.fetch()
    return keys.length === 1 ? route.abort() : route.fulfill({ response: answer })
  })
  await (await beginPosition(page, 'Anew')).click()
  await page
    .getByText(/cannot be reached/)
    .first()
    .waitFor()
  // It was stored after all; somebody takes it away, and something else is done meanwhile.
  const [stored] = (await at.service.get('/positions?sort=-id&per_page=1')).body.data
  assert.equal(stored.name, 'Anew')
  await at.service.delete(`/positions/${stored.id}`)
  await (await beginPosition(page, 'Between')).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Add position', exact: true }).click()
  await (await beginPosition(page, 'Anew')).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.equal(await positions('Anew'), 1)
  assert.equal(new Set(keys).size, 3)
  await page.done()
})

longTest('pressing twice creates one record and shows one message', async () => {
  const page = await at.open('/settings/positions/new', { mayTell: /asked twice/ })
  const save = await beginPosition(page, 'Twice')
  await save.evaluate((button: HTMLElement) => {
    button.click()
    button.click()
  })
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  await becomes(() => page.getByRole('button', { name: 'Undo' }).count(), 1)
  assert.equal(await positions('Twice'), 1)
  await page.done()
})

const phone = async () => (await at.service.get(`/employees/${grace}`)).body.data.work_phone_number
const setPhone = (work_phone_number: string) =>
  at.service.send('PUT', `/employees/${grace}`, { json: { work_phone_number } })

test('a page sends nothing after another user signed in to the same browser, and reloads', async () => {
  const page = await at.open(`/people/${grace}`, { mayTell: /asked twice|409/ })
  const context = page.context()
  const { cookie } = await personWith(at.service, { role: 'owner', name: 'Somebody Else' })
  await page.getByRole('button', { name: 'Edit Contact' }).click()
  await page.getByLabel('Work phone').fill('+49 30 7777')
  // The browser says nothing of it: what it keeps for pages still names the one who was there before.
  await context.addCookies([{ ...cookie, domain: 'localhost', path: '/', httpOnly: true, sameSite: 'Lax' }])
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Another user has signed in').waitFor()
  await page.getByRole('button', { name: 'Somebody Else' }).waitFor()
  assert.equal(await phone(), null)
  await page.done()
})

longTest('an idle page reloads when another user signs in to the same browser', async () => {
  const page = await at.open(`/people/${grace}`, { mayTell: /asked twice|409/ })
  const context = page.context()
  const { cookie } = await personWith(at.service, { role: 'owner', name: 'Somebody Else' })
  await page.getByRole('button', { name: 'Edit Contact' }).click()
  await page.getByLabel('Work phone').fill('+49 30 7777')
  await context.addCookies([{ ...cookie, domain: 'localhost', path: '/', httpOnly: true, sameSite: 'Lax' }])
  const beside = await context.newPage()
  await beside.goto(page.url())
  await page.getByText('Another user has signed in').waitFor()
  await page.getByRole('button', { name: 'Somebody Else' }).waitFor()
  await page.done()
})

longTest(
  'closing the conflict dialog keeps the typed values, and another change by somebody else is shown again',
  async () => {
    await setPhone('+49 30 0')
    const page = await at.open(`/people/${grace}`, { mayTell: /412|asked twice/ })
    const field = page.getByLabel('Work phone')
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await page.getByRole('button', { name: 'Edit Contact' }).click()
    await field.fill('+49 30 9999')
    await setPhone('+49 30 1111')
    await save.click()
    const dialog = page.getByRole('dialog', { name: 'Changed by somebody else' })
    await dialog.getByText('+49 30 1111').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await becomes(() => field.inputValue(), '+49 30 9999')
    await becomes(() => page.getByRole('alert').count(), 0)
    await save.click()
    await dialog.getByText('+49 30 1111').waitFor()
    await setPhone('+49 30 2222')
    await dialog.getByRole('button', { name: 'Save my values' }).click()
    await dialog.getByText('+49 30 2222').waitFor()
    await dialog.getByRole('button', { name: 'Save my values' }).click()
    await page.getByRole('button', { name: 'Edit Contact' }).waitFor()
    assert.equal(await phone(), '+49 30 9999')
    await page.done()
  },
)

test('choosing a person loads no employee records, so it is not logged as reading pay', async () => {
  await at.service.make('/departments', { name: 'Sales', manager_id: grace })
  const asked: string[] = []
  const page = await at.open('/healthz', {
    role: ['hr', 'employee'],
    employee_id: grace,
    mayTell: /asked twice/,
  })
  page.on('request', (one) => void (/\/employees(\?|\/\d+$)/.test(one.url()) && asked.push(one.url())))
  await page.goto(new URL('/settings/departments', page.url()).href)
  await page.getByRole('table').getByText('Grace Hopper').waitFor()
  for (const [screen, label] of [
    ['Leave', 'Employee'],
    ['Time', 'Employee'],
  ] as const) {
    await page.getByRole('link', { name: screen, exact: true }).click()
    await page.getByRole('combobox', { name: label }).click()
    await page.getByRole('option', { name: 'Grace Hopper' }).waitFor()
  }
  assert.deepEqual(asked, [])
  await page.done()
})
