import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Console, PHONE, startConsole } from './browser.ts'

let at: Console
before(async () => {
  at = await startConsole()
})
after(() => at.stop())

test('the company gets another name and zone, which shows at once, and has them back by one press', async () => {
  const page = await at.open('/settings/company')
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Acme')
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Lisbon')
  await page.getByRole('option', { name: /Lisbon/ }).click()
  await page.picture('settings-company')
  await page.axe()
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Company changed').waitFor()
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

test('whoever may not change the company reads it, on a phone as well', async () => {
  const page = await at.open('/settings/company', { size: PHONE, permissions: ['organisation:read'] })
  await page.getByText('Test company').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0)
  await page.picture('settings-company-phone')
  await page.axe()
  await page.done()
})
