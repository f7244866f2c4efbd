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
  await list.getByText(/Not employed since .*2020/).waitFor()
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

longTest('refusals, and why data remains after erasing, are explained in Ukrainian', async () => {
  const { service } = at
  const above = await service.make('/departments', { name: 'Above' })
  await service.make('/departments', { name: 'Below', parent_id: above.id })
  const { id } = await service.hire({ first_name: 'Mary', last_name: 'Jackson' })
  const leave_type_id = (await service.make('/leave_types', { name: 'Rest' })).id
  const policy = await service.make('/leave_policies', { name: 'Rest', leave_type_id, type: 'external' })
  await service.make(`/employees/${id}/leave_types`, { leave_type_id, leave_type_policy_id: policy.id })
  const options = { locale: 'uk-UA', mayTell: /asked twice|status of (409|422)/ }
  const page = await at.open(`/settings/departments/${above.id}`, options)
  await page.getByRole('combobox', { name: 'Вищий відділ' }).click()
  await page.getByRole('option', { name: 'Below' }).click()
  await page.getByRole('button', { name: 'Зберегти' }).click()
  await page.getByText('Відділ не може підпорядковуватися сам собі чи своєму підлеглому відділу.').waitFor()
  await page.getByRole('button', { name: 'Скасувати' }).click()
  page.forgetQuestions()
  await page.goto(new URL(`/settings/leave_policies/${policy.id}`, page.url()).href)
  await page.getByRole('button', { name: 'Видалити' }).click()
  await page
    .getByRole('dialog', { name: /^Видалити/ })
    .getByRole('button', { name: 'Видалити' })
    .click()
  await page
    .getByText(/^Ще використовується\. Запис: «Призначений вид відсутності», № \d+\. Спершу змініть його\.$/)
    .waitFor()
  page.forgetQuestions()
  await page.goto(new URL(`/settings/erasure?id=${id}`, page.url()).href)
  const stays = page.getByRole('row', { name: /^Журнал змін/ })
  await stays.getByText('Журнал зберігає, що, коли й хто зробив. Самі значення буде видалено').waitFor()
  await page.done()
})
