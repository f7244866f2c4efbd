import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Console, PHONE, startConsole } from './browser.ts'

let at: Console
before(async () => {
  at = await startConsole()
  const { service } = at
  const top = await service.make('/departments', { name: 'Company' })
  await service.make('/departments', { name: 'Sales', parent_id: top.id })
  await service.make('/locations', { name: 'Berlin', country_code: 'DE', time_zone: 'Europe/Berlin' })
  await service.hire({ first_name: 'Grace', last_name: 'Hopper', email: 'grace@example.com', hired_on: '2024-02-01' })
})
after(() => at.stop())

test('a plain list is looked at, added to, changed and undone, from its address', async () => {
  const page = await at.open('/settings')
  await page.getByRole('heading', { name: 'Company', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Departments', exact: true }).click()
  await page.getByRole('link', { name: 'Sales' }).waitFor()
  await page.picture('settings-departments')
  await page.axe()
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Research')
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
  await page.getByText('Research added').waitFor()
  page.forgetQuestions()
  await page.getByRole('link', { name: 'Research' }).click()
  await page.waitForURL(/\/settings\/departments\/\d+$/)
  await page.getByRole('textbox', { name: 'Name' }).fill('Sales')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('must be unique').or(page.getByText(/taken|already/)).first().waitFor()
  await page.picture('settings-department')
  await page.axe()
  await page.done()
})
