import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { longTest } from '../thorough.ts'
import { becomes, type Console, PHONE, startConsole } from './browser.ts'

let at: Console
before(async () => {
  at = await startConsole()
})
after(() => at.stop())

const owner = { role: 'owner' }

test('an empty company starts on Home with adding and inviting the first person', async () => {
  const { service } = at
  await service.make('/departments', { name: 'Sales' })
  const page = await at.open('/', owner)
  const steps = page.getByRole('region', { name: 'Get started' })
  await steps.getByText('Add departments (done)').waitFor()
  await steps.getByRole('link', { name: 'Invite users' }).waitFor()
  await page.picture('home-empty')
  await page.axeToo()
  await steps.getByRole('link', { name: 'Add employees' }).click()
  await page.getByRole('heading', { name: 'Add employee', level: 1 }).waitFor()
  await becomes(() => page.getByRole('checkbox', { name: 'Give access' }).isDisabled(), true)
  await page.getByLabel('First name').fill('Grace')
  await page.getByLabel('Last name').fill('Hopper')
  await page.getByLabel('E-mail').fill('grace@example.com')
  await page.getByLabel('First day of work').fill('2026-02-01')
  await page.getByRole('combobox', { name: 'Department' }).click()
  await page.getByRole('option', { name: 'Sales' }).click()
  await page.getByRole('checkbox', { name: 'Give access' }).check()
  await page.getByText('Employee', { exact: true }).first().waitFor()
  await page.picture('new-person')
  await page.axe()
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Add employee' }).click()
  const dialog = page.getByRole('dialog', { name: 'Grace Hopper added with access' })
  await becomes(() => dialog.getByLabel('Sign-in link').inputValue(), /#/)
  await page.axeToo()
  await dialog.getByRole('button', { name: 'View profile' }).click()
  await page.getByRole('heading', { name: 'Grace Hopper', level: 1 }).waitFor()
  const [grace] = (await service.get('/employees?q=hopper')).body.data
  assert.deepEqual([grace.hired_on, grace.department.name], ['2026-02-01', 'Sales'])
  const users = (await service.get('/users?q=grace@example.com')).body.data
  assert.deepEqual(
    users.map(({ employee_id, roles }: any) => [employee_id, roles.map(({ standard }: any) => standard)]),
    [[grace.id, ['employee']]],
  )
  page.forgetQuestions()
  await page.getByRole('link', { name: 'Home' }).click()
  await page.getByRole('region', { name: 'New employees' }).waitFor()
  await steps.waitFor({ state: 'detached' })
  await page.done()
})

longTest('an employee is added from People on a phone, with errors at their fields', async () => {
  const page = await at.open('/people', { ...owner, size: PHONE, mayTell: /422/ })
  await page.getByRole('link', { name: 'Add employee' }).click()
  await page.getByLabel('First name').fill('Alan')
  await page.getByLabel('Last name').fill('Turing')
  await page.getByLabel('E-mail').fill('grace@example.com')
  const width = await page.locator('html').evaluate((html) => html.scrollWidth)
  assert.ok(width <= PHONE.width, `the page is ${width} wide`)
  await page.picture('new-person-phone')
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Add employee' }).click()
  await page.getByText(/taken|already/).waitFor()
  await page.getByLabel('E-mail').fill('alan@example.com')
  await page.getByRole('button', { name: 'Add employee' }).click()
  await page.getByText('Alan Turing added').waitFor()
  await page.getByRole('heading', { name: 'Alan Turing', level: 1 }).waitFor()
  await page.done()
})

longTest('a manager of their own reports cannot add employees', async () => {
  const page = await at.open('/people/new', { role: 'manager' })
  await page.getByRole('heading', { name: 'You have no access to this' }).waitFor()
  await page.done()
})
