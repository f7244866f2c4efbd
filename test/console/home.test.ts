import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { longTest } from '../thorough.ts'
import { type Console, PHONE, startConsole } from './browser.ts'

const today = new Date().toISOString().slice(0, 10)
const inDays = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString().slice(0, 10)

let at: Console
let ada: number
let grace: number
before(async () => {
  at = await startConsole()
  const { service } = at
  const person = async (first_name: string, last_name: string, values = {}) =>
    (await service.hire({ first_name, last_name, hired_on: '2024-02-01', ...values })).id as number
  ada = await person('Ada', 'Lovelace')
  grace = await person('Grace', 'Hopper', { reporting_to_id: ada })
  await person('Alan', 'Turing', { reporting_to_id: ada, hired_on: inDays(-30), probation_ends_on: inDays(20) })
  await person('Edsger', 'Dijkstra', { hired_on: inDays(10) })
  const kind = await service.make('/leave_types', { name: 'Vacation' })
  const policy = await service.make('/leave_policies', { name: 'Thirty', leave_type_id: kind.id, type: 'manual' })
  for (const id of [ada, grace]) {
    await service.make(`/employees/${id}/leave_types`, {
      leave_type_id: kind.id,
      leave_type_policy_id: policy.id,
      effective_on: '2024-02-01',
    })
    await service.put(`/employees/${id}/update_leave_balance`, { leave_type_id: kind.id, balance: '30' })
  }
  const [starts_on, ends_on] = [inDays(20), inDays(24)]
  await service.make('/leave_requests', { employee_id: grace, leave_type_id: kind.id, starts_on, ends_on })
  await service.make('/time/overtime_requests', { employee_id: grace, date: inDays(-3), minutes: 90 })
  await service.make('/tasks', { name: 'Order a desk', employee_id: ada, starts_on: today, ends_on: inDays(2) })
})
after(() => at.stop())

test('Home shows all cards to a user with all roles, and a task can be completed there', async () => {
  const page = await at.open('/', { employee_id: ada, name: 'Ada Lovelace' })
  await page.getByRole('heading', { name: /Ada$/, level: 1 }).waitFor()
  const card = (name: string) => page.getByRole('region', { name })
  await card('Pending approvals').getByText('Grace Hopper').first().waitFor()
  await card('Pending approvals')
    .getByText(/Overtime/)
    .waitFor()
  await card('Pending approvals').getByRole('link', { name: 'Review 2 requests' }).waitFor()
  await card('Probation ending soon').getByRole('link', { name: 'Alan Turing' }).waitFor()
  await card('New employees').getByRole('link', { name: 'Edsger Dijkstra' }).waitFor()
  await card('My leave').getByText('Vacation').waitFor()
  await card('Who is away').getByText('Nobody is away today').waitFor()
  await card('Birthdays and anniversaries').waitFor()
  await card('Recent changes')
    .getByText(/Task Order a desk: added/)
    .waitFor()
  await page.picture('home-light')
  await page.axe()
  page.forgetQuestions()
  await card('My tasks').getByRole('checkbox', { name: 'Complete task: Order a desk' }).click()
  await page.getByText('Task completed').waitFor()
  await card('My tasks').getByText('No open tasks').waitFor()
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await card('My tasks').getByText('Order a desk').waitFor()
  await page.done()
})

longTest('each card of Home links to its list', async () => {
  const page = await at.open('/', { employee_id: ada, name: 'Ada Lovelace' })
  const card = (name: string) => page.getByRole('region', { name })
  const leadsTo = (name: string) => card(name).getByRole('link', { name: 'Show all' }).getAttribute('href')
  assert.match((await leadsTo('Recent changes')) ?? '', /\/settings\/audits$/)
  await card('New employees').getByRole('link', { name: 'Show all' }).click()
  await page.getByText('Currently employed or starting soon: 2 people').waitFor()
  await page.goBack()
  page.forgetQuestions()
  await card('Probation ending soon').getByRole('link', { name: 'Show all' }).click()
  await page.getByText('On probation: 1 person').waitFor()
  await page.getByRole('columnheader', { name: 'End of probation' }).waitFor()
  await page.done()
})

longTest('employees see their own and company cards on a phone, and nothing about others', async () => {
  const page = await at.open('/', { role: 'employee', employee_id: grace, name: 'Grace Hopper', size: PHONE })
  await page.getByRole('region', { name: 'My leave' }).getByText('Pending').waitFor()
  await page.getByRole('region', { name: 'New employees' }).waitFor()
  for (const name of ['Pending approvals', 'Probation ending soon', 'Recent changes'])
    assert.equal(await page.getByRole('region', { name }).count(), 0, name)
  await page.picture('home-phone')
  const width = await page.locator('html').evaluate((html) => html.scrollWidth)
  assert.ok(width <= PHONE.width, `the page is ${width} wide`)
  await page.axe()
  await page.getByRole('link', { name: 'My profile' }).click()
  await page.getByRole('heading', { name: 'Grace Hopper', level: 1 }).waitFor()
  await page.done()
})

longTest('Home explains a missing role, and one failing card leaves the others', async () => {
  const nobody = await at.open('/', { permissions: ['teams:read'] })
  await nobody.getByRole('heading', { name: 'Nothing to show yet' }).waitFor()
  await nobody.done()
  const page = await at.open('/sign-in', { permissions: ['directory:read', 'calendar:read'], mayTell: /400/ })
  await page.route('**/calendars?**', (route) => route.fulfill({ status: 400, json: { code: 'x', detail: 'No' } }))
  page.forgetQuestions()
  await page.goto(`${new URL(page.url()).origin}/`)
  await page.getByRole('link', { name: 'Edsger Dijkstra' }).waitFor()
  await page.getByRole('heading', { name: 'Could not load this page' }).first().waitFor()
  await page.done()
})

longTest("greeting, date and balances use the time zone of the employee's location", async () => {
  const zone = 'Pacific/Fiji'
  const place = await at.service.make('/locations', { name: 'Suva', time_zone: zone })
  const { id } = await at.service.hire({
    first_name: 'Mary',
    last_name: 'Ross',
    hired_on: '2024-02-01',
    location_id: place.id,
  })
  const asked: string[] = []
  const page = await at.open('/leave', {
    role: 'employee',
    employee_id: id,
    timezone: 'UTC',
    // Whoever goes on before it was answered asks again.
    mayTell: /asked twice/,
  })
  page.on('request', (one) => void (one.url().includes('leave_balances') && asked.push(one.url())))
  await page.getByRole('link', { name: 'Home' }).first().click()
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options }).format()
  const hour = Number(part({ hour: '2-digit', hourCycle: 'h23' }))
  const greeting = hour < 12 ? 'Good morning' : hour < 18 ? 'Good afternoon' : 'Good evening'
  await page.getByRole('heading', { name: new RegExp(`^${greeting}`), level: 1 }).waitFor()
  await page.getByText(part({ weekday: 'long', day: 'numeric', month: 'long' })).waitFor()
  await page.getByRole('region', { name: 'My leave' }).waitFor()
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format()
  assert.ok(
    asked.every((url) => url.endsWith(`?as_of=${day}`)),
    asked.join(' '),
  )
  await page.done()
})
