import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isLong, longTest } from '../thorough.ts'
import { becomes, type Console, PHONE, startConsole } from './browser.ts'

/** More than one page of the list, for the tests that scroll. */
const OTHERS = isLong ? 150 : 10
const ALL = `${OTHERS + 4} people`

let at: Console
before(async () => {
  at = await startConsole()
  const { service } = at
  const sales = await service.make('/departments', { name: 'Sales' })
  const berlin = await service.make('/locations', { name: 'Berlin', country: 'DE' }).catch(() => undefined)
  for (const [first_name, last_name] of [
    ['Ada', 'Lovelace'],
    ['Grace', 'Hopper'],
    ['Alan', 'Turing'],
    ['Edsger', 'Dijkstra'],
  ])
    await service.hire({
      first_name,
      last_name,
      email: `${first_name?.toLowerCase()}@example.com`,
      hired_on: '2024-02-01',
      department_id: first_name === 'Ada' ? sales.id : undefined,
      location_id: berlin?.id,
    })
  for (let n = 0; n < OTHERS; n++)
    await service.hire({ first_name: 'Person', last_name: `Zz${String(n).padStart(4, '0')}`, hired_on: '2024-02-01' })
})
after(() => at.stop())

test('people are listed and found while typing, with the search in the URL', async () => {
  const page = await at.open('/people')
  await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
  await page.getByText(ALL).waitFor()
  await page.getByRole('link', { name: 'Edsger Dijkstra' }).waitFor()
  await page.picture('people-light')
  await page.axe()
  await page.getByRole('searchbox', { name: /Search by name/ }).fill('hop')
  await page.getByText('1 person').waitFor()
  await becomes(() => page.getByRole('link', { name: 'Grace Hopper' }).count(), 1)
  assert.match(page.url(), /\?q=hop$/)
  await page.done()
})

longTest('a long list scrolls and loads only visible pages', async () => {
  const page = await at.open('/people')
  await page.getByText(ALL).waitFor()
  await page.mouse.wheel(0, 20_000)
  await page.getByRole('link', { name: 'Person Zz0149' }).waitFor()
  assert.ok((await page.getByRole('row').count()) < 60)
  await page.done()
})

longTest('the list fits a phone with its main columns, and the menu is a drawer', async () => {
  const page = await at.open('/people', { size: PHONE })
  await page.getByText(ALL).waitFor()
  await page.picture('people-phone')
  assert.equal(await page.getByRole('columnheader', { name: 'Department' }).count(), 0)
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('link', { name: 'People' }).waitFor()
  const { width } = await page.locator('html').evaluate((html) => ({ width: html.scrollWidth }))
  assert.ok(width <= PHONE.width, `the page is ${width} wide`)
  await page.axe()
  await page.done()
})

longTest('view, columns, order and status are in the URL, and Back reverts them', async () => {
  const page = await at.open('/people')
  await page.getByText(ALL).waitFor()
  await page.getByRole('button', { name: 'Hire date' }).click()
  await page.waitForURL(/sort=hired_on/)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'E-mail' }).check()
  await page.getByRole('columnheader', { name: 'E-mail' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('Cards', { exact: true }).click()
  await page.waitForURL(/view=cards/)
  await page.getByRole('link', { name: /Ada Lovelace/ }).waitFor()
  await page.picture('people-cards')
  await page.axe()
  await page.goBack()
  await page.getByRole('columnheader', { name: 'E-mail' }).waitFor()
  await page.done()
})

longTest('a missing permission shows a message and loads nothing', async () => {
  const page = await at.open('/people', { permissions: ['teams:read'] })
  await page.getByRole('heading', { name: 'You have no access to this' }).waitFor()
  await page.axe()
  await page.done()
})

longTest('an empty result and a failing service show a message', async () => {
  const page = await at.open('/people?q=nobodyatall', { mayTell: /500|Failed to load/ })
  await page.getByRole('heading', { name: 'No results for these filters' }).waitFor()
  await page.route('**/employees?**', (route) => route.fulfill({ status: 400, json: { code: 'x', detail: 'No' } }))
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('heading', { name: 'Could not load this page' }).waitFor()
  await page.axe()
  await page.unroute('**/employees?**')
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText(ALL).waitFor()
  await page.done()
})

longTest('palette, rows, selection and help work by keyboard', async () => {
  const page = await at.open('/people')
  await page.getByText(ALL).waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.axe()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or go to' }).fill('peop')
  await page.getByRole('option', { name: 'People' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('row').nth(1).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('x')
  await page.getByText('1 selected').waitFor()
  await page.done()
})

test('a bulk change is selected, previewed, applied and undone', async () => {
  const { service } = at
  const support = await service.make('/departments', { name: 'Support' })
  const page = await at.open('/people?q=Zz000', { role: 'hr', mayTell: /asked twice/ })
  await page.getByText('10 people').waitFor()
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByText('10 selected').waitFor()
  await page.getByRole('button', { name: 'Change selected…' }).click()
  await page.getByRole('combobox', { name: 'Field to change' }).click()
  await page.getByRole('option', { name: 'Department' }).click()
  await becomes(() => page.getByRole('button', { name: 'Preview' }).isDisabled(), true)
  await page.getByRole('combobox', { name: 'Department' }).last().click()
  await page.getByRole('option', { name: 'Support' }).click()
  await page.getByLabel('From').fill('2026-01-01')
  await page.axeToo()
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('button', { name: 'Apply 10 changes' }).waitFor()
  await page.picture('people-bulk')
  await page.axe()
  const there = async () => (await service.get(`/employees?department_id=${support.id}`)).body.metadata.count
  assert.equal(await there(), 0)
  page.forgetQuestions()
  const [first] = (await service.get('/employees?q=Zz000')).body.data
  await service.put(`/employees/${first.id}`, { work_phone_number: '+49 30 1' })
  let goOn = () => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  await page.route('**/employees/bulk', (route) => held.then(() => route.continue()), { times: 1 })
  await page.getByRole('button', { name: 'Apply 10 changes' }).click()
  // Whoever is impatient does not close what tells who was left.
  await page.keyboard.press('Escape')
  goOn()
  await page.getByText('9 employees changed').waitFor()
  await page
    .getByRole('alert')
    .filter({ hasText: 'Some employees were changed in the meantime' })
    .getByText(first.full_name)
    .waitFor()
  assert.equal(await there(), 9)
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Apply 1 change' }).click()
  await page.getByText('1 employee changed').waitFor()
  await page.getByRole('cell', { name: 'Support' }).first().waitFor()
  assert.equal(await there(), 10)
  await page.picture('people-undo')
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Undo' }).last().press('Enter')
  await page.getByText('Undone', { exact: true }).waitFor()
  assert.equal(await there(), 9)
  await page.done()
})

longTest(
  'the list shows current employees; future ones are a count and a filter; leavers show their date',
  async () => {
    const { service } = at
    const [last] = (await service.get('/employees?q=Zz0149')).body.data
    await service.post(`/employees/${last.id}/terminate`, { effective_from: '2099-03-31' })
    await service.hire({ first_name: 'Barbara', last_name: 'Liskov', hired_on: '2099-01-01' })
    const page = await at.open('/people', { role: 'hr' })
    await page.getByText(`Currently employed: ${ALL}`).waitFor()
    await page.getByRole('button', { name: 'Starting soon: 1' }).click()
    await page.getByText('Starting soon: 1 person').waitFor()
    await page.getByText('Starts 1 Jan 2099').waitFor()
    await page.picture('people-starting')
    await page.axe()
    page.forgetQuestions()
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Leaving', exact: true }).click()
    await page.getByText('Leaving: 1 person').waitFor()
    await page.getByText('Left as of 31 Mar 2099').waitFor()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'First day after employment' }).check()
    await page.getByRole('cell', { name: '31 Mar 2099', exact: true }).waitFor()
    await page.done()
    await service.post(`/employees/${last.id}/activate`)
  },
)

longTest('a planned bulk change previews the values of its date', async () => {
  const { service } = at
  const depot = await service.make('/departments', { name: 'Depot' })
  const page = await at.open('/people?q=Zz001', { role: 'hr', mayTell: /asked twice/ })
  await page.getByText('10 people').waitFor()
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('button', { name: 'Change selected…' }).click()
  await page.getByRole('combobox', { name: 'Field to change' }).click()
  await page.getByRole('option', { name: 'Department' }).click()
  await page.getByRole('combobox', { name: 'Department' }).last().click()
  await page.getByRole('option', { name: 'Depot' }).click()
  await page.getByLabel('From').fill('2099-01-01')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('columnheader', { name: 'From 1 Jan 2099' }).waitFor()
  await page.getByRole('button', { name: 'Apply 10 changes' }).click()
  await page.getByText('10 employees changed').waitFor()
  const there = async (more: string) =>
    (await service.get(`/employees?department_id=${depot.id}${more}`)).body.metadata.count
  assert.deepEqual([await there(''), await there('&as_of=2099-01-01')], [0, 10])
  await page.done()
})

longTest('changes by others appear without a reload', async () => {
  const page = await at.open('/people?q=turing', { role: 'hr' })
  await page.getByRole('link', { name: 'Alan Turing' }).waitFor()
  const [alan] = (await at.service.get('/employees?q=turing')).body.data
  page.forgetQuestions()
  await at.service.put(`/employees/${alan.id}`, { first_name: 'Alan Mathison' })
  await page.getByRole('link', { name: 'Alan Mathison Turing' }).waitFor()
  await page.done()
})

longTest('employees see cards only, and a manager also their reports', async () => {
  const { service } = at
  const named = async (q: string) => (await service.get(`/employees?q=${q}`)).body.data[0].id as number
  const [ada, grace, edsger] = [await named('lovelace'), await named('hopper'), await named('dijkstra')]
  await service.put(`/employees/${grace}`, { reporting_to_id: ada })

  const asEmployee = await at.open('/people?status=terminated', { role: 'employee', employee_id: edsger })
  await asEmployee.getByText(ALL).waitFor()
  assert.equal(await asEmployee.getByRole('checkbox', { name: 'Select all' }).count(), 0)
  assert.equal(await asEmployee.getByText('My team').count(), 0)
  await asEmployee.axe()
  await asEmployee.getByRole('searchbox', { name: /Search by name/ }).fill('hop')
  await asEmployee.getByText('1 person').waitFor()
  await asEmployee.getByRole('link', { name: 'Grace Hopper' }).click()
  await asEmployee.getByRole('heading', { name: 'Grace Hopper' }).waitFor()
  await asEmployee.done()

  const who = { role: ['manager', 'employee'], employee_id: ada }
  const asManager = await at.open('/people', who)
  await asManager.getByText('2 people').waitFor()
  await asManager.getByRole('radiogroup', { name: 'Employees shown' }).getByText('Everybody').click()
  await asManager.getByText(ALL).waitFor()
  assert.match(asManager.url(), /of=everybody/)
  await asManager.goBack()
  await asManager.getByText('2 people').waitFor()
  await asManager.done()

  const onPhone = await at.open('/people?of=everybody', { ...who, size: PHONE })
  await onPhone.getByText(ALL).waitFor()
  await onPhone.picture('people-directory-phone')
  const { width } = await onPhone.locator('html').evaluate((html) => ({ width: html.scrollWidth }))
  assert.ok(width <= PHONE.width, `the page is ${width} wide`)
  await onPhone.axe()
  await onPhone.done()

  const asRecruiter = await at.open('/people', { role: 'recruiter' })
  await asRecruiter.getByText(ALL).waitFor()
  await asRecruiter.done()
})
