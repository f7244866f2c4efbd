import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { longTest } from '../thorough.ts'
import { becomes, type Console, PHONE, startConsole } from './browser.ts'

let at: Console
let grace: { id: number }
before(async () => {
  at = await startConsole()
  const { service } = at
  grace = await service.hire({ first_name: 'Grace', last_name: 'Hopper', hired_on: '2015-01-01' })
  await service.post(`/employees/${grace.id}/terminate`, { effective_from: '2020-08-31' })
})
after(() => at.stop())

test('the company name and time zone change at once, and undo restores them', async () => {
  const page = await at.open('/settings/company')
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Acme')
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Lisbon')
  await page.getByRole('option', { name: /Lisbon/ }).click()
  await page.picture('settings-company')
  await page.axe()
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Company settings saved').waitFor()
  const { data } = (await at.service.get('/company')).body
  assert.deepEqual([data.name, data.time_zone], ['Acme', 'Europe/Lisbon'])
  await page.getByRole('button', { name: 'Ada Lovelace' }).click()
  await page.getByRole('menu').getByText('Acme').waitFor()
  await page.keyboard.press('Escape')
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>('input[name=name]')?.value !== 'Acme')
  assert.equal((await at.service.get('/company')).body.data.name, 'Test company')
  await page.done()
})

longTest('a user who may not edit the company can read it, also on a phone', async () => {
  const page = await at.open('/settings/company', { size: PHONE, permissions: ['organisation:read', 'users:read'] })
  await page.getByRole('definition').filter({ hasText: 'Test company' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0)
  await page.picture('settings-company-phone')
  await page.axe()
  await page.done()
})

test('a retention rule lists who is due, and erases only them after the number is typed', async () => {
  const page = await at.open('/settings/erasure')
  await page.getByText('No retention period is set, so no data is due for erasure. Enter one above.').waitFor()
  await page.getByLabel('Former employees: months after they left').fill('36')
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Retention periods saved').waitFor()
  const list = page.getByRole('region', { name: 'Due for erasure' })
  await list.getByRole('link', { name: 'Grace Hopper' }).waitFor()
  await list.getByText(/Left on .*2020/).waitFor()
  await page.picture('settings-retention')
  await page.axe()
  await list.getByRole('button', { name: 'Erase the data of this person' }).click()
  const dialog = page.getByRole('dialog', { name: 'Permanently erase the data of one person?' })
  await becomes(() => dialog.getByRole('button', { name: 'Erase the data of this person' }).isDisabled(), true)
  await dialog.getByRole('textbox', { name: 'Type 1 to confirm' }).fill('1')
  page.forgetQuestions()
  await dialog.getByRole('button', { name: 'Erase the data of this person' }).click()
  await page.getByText('Data of 1 person erased').waitFor()
  await list.getByText('No data is due for erasure').waitFor()
  assert.equal((await at.service.get(`/employees/${grace.id}`)).status, 404)
  await page.setViewportSize(PHONE)
  const width = await page.locator('html').evaluate((html) => html.scrollWidth)
  assert.ok(width <= PHONE.width, `the page is ${width} wide`)
  await page.picture('settings-retention-phone')
  await page.done()
})
