import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { leaveOf } from '../leave/on-leave.ts'
import { longTest } from '../thorough.ts'
import { becomes, type Console, PHONE, startConsole } from './browser.ts'

let at: Console
const { person, ask } = leaveOf(() => at.service)
before(async () => {
  at = await startConsole()
  const { service } = at
  const year = new Date().getUTCFullYear()
  const engineering = (await service.make('/departments', { name: 'Engineering' })).id
  const sales = (await service.make('/departments', { name: 'Sales' })).id
  const field = (await service.make('/departments', { name: 'Field sales', parent_id: sales })).id
  const senior = (await service.make('/job_levels', { name: 'Senior' })).id
  const type = await service.make('/termination_types', { name: 'Own wish' })
  for (let n = 0; n < 24; n++) {
    const hired_on = n < 16 ? `${2010 + n}-03-01` : `${year - 1}-12-${String(n).padStart(2, '0')}`
    const { id } = await service.hire({
      hired_on,
      department_id: n % 3 === 0 ? (n % 2 === 0 ? field : sales) : engineering,
      job_level_id: senior,
    })
    const salary = { amount: String(50_000 + n * 2000), currency_code: 'EUR', effective_on: hired_on, per: 'year' }
    await service.make(`/employees/${id}/salaries`, salary)
    if (n % 8 !== 7) continue
    const leaving = { effective_from: `${year - 1}-12-31`, termination_type_id: type.id }
    const gone = await service.post(`/employees/${id}/terminate`, leaving)
    assert.equal(gone.status, 200, gone.text)
  }
  const away = await person({ floor: '-99' }, {}, { first_name: 'Ada', last_name: 'Lovelace', hired_on: '2036-01-01' })
  const { body } = await ask(away, '2036-01-14', '2036-01-15')
  await service.post(`/leave_requests/${body.data.id}/approve`)
})
after(() => at.stop())

test('charts show their numbers, filters are in the URL, and figures link to the people behind them', async () => {
  const page = await at.open('/dashboards?period=last_year')
  await page.getByRole('heading', { name: 'Dashboards', level: 1 }).waitFor()
  const change = page.getByRole('region', { name: 'Change', exact: true })
  await change.getByRole('img', { name: 'Change' }).waitFor()
  const row = change.getByRole('row', { name: /^Dec/ })
  await becomes(() => row.getByRole('cell').allTextContents(), ['21', '8', '3'])
  await page.picture('dashboards-light')
  await page.axe()
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.picture('dashboards-dark')
  await page.getByRole('combobox', { name: 'Department' }).click()
  await page.getByRole('option', { name: 'Sales', exact: true }).click()
  await page.waitForURL(/department_id=/)
  await change.getByRole('columnheader', { name: 'Transferred in' }).waitFor()
  const left = page
    .getByRole('region', { name: 'Turnover', exact: true })
    .getByRole('row', { name: /^Dec/ })
    .getByRole('link')
  await becomes(() => left.textContent(), '1')
  await left.click()
  await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
  await page.getByText('1 person').waitFor()
  await page.getByText(/^Left: 1 Dec \d+ – 31 Dec \d+$/).waitFor()
  await page.picture('dashboards-behind')
  await page.axeToo()
  await page.goBack()
  await change.waitFor()
  await page.done()
})

longTest('a department is counted with its sub-departments unless chosen alone', async () => {
  const { service } = at
  const read = async (name: string) => (await service.get(`/departments?q=${name}`)).body.data
  const [sales] = (await read('Sales')).filter(({ name }: any) => name === 'Sales')
  const page = await at.open(`/dashboards?department_id=${sales.id}`)
  const headcount = page.getByRole('region', { name: 'Headcount', exact: true })
  await headcount.getByText('Field sales').waitFor()
  const count = async (more: string) =>
    (await service.get(`/reports/headcount?department_id=${sales.id}${more}`)).body.data.headcount.count
  const [alone, whole] = [await count(''), await count('&with_below=true')]
  assert.ok(alone < whole)
  const tile = page.locator('.dashboards-figure').first()
  await becomes(() => tile.textContent(), String(whole))
  page.forgetQuestions()
  await page.getByRole('checkbox', { name: 'Include sub-departments' }).uncheck()
  await headcount.getByText('Field sales').waitFor({ state: 'detached' })
  await becomes(() => tile.textContent(), String(alone))
  await page.goBack()
  await headcount.getByText('Field sales').waitFor()
  await tile.getByRole('link').click()
  await page.getByText(`${whole} people`).waitFor()
  await page.done()
})

longTest('the largest groups are shown, and all on request', async () => {
  const { service } = at
  for (let n = 0; n < 12; n++) {
    const { id } = await service.make('/locations', { name: `Place ${n}` })
    await service.hire({ hired_on: '2020-01-01', location_id: id })
  }
  const page = await at.open('/dashboards')
  const headcount = page.getByRole('region', { name: 'Headcount', exact: true })
  const all = headcount.getByRole('button', { name: 'Show all 13' })
  await all.click()
  await becomes(() => headcount.getByText(/^Place \d+$/).count(), 12)
  await page.emulateMedia({ media: 'print' })
  await page.getByText(/^1 \w+ \d+ – \d+ \w+ \d+$/).waitFor()
  await page.done()
})

longTest('dashboards fit a phone, and pay is hidden without permission', async () => {
  const page = await at.open('/dashboards', { size: PHONE, permissions: ['reports:read', 'recruitment:read'] })
  await page.getByRole('region', { name: 'Time to hire' }).getByText('No data for this period').waitFor()
  assert.equal(await page.getByRole('region', { name: 'Salaries' }).count(), 0)
  await page.done()
  const whole = await at.open('/dashboards', { size: PHONE })
  await whole.getByRole('region', { name: 'Tenure' }).getByRole('img').waitFor()
  await whole
    .getByRole('region', { name: 'Salaries', exact: true })
    .getByRole('img', { name: 'Salaries EUR' })
    .waitFor()
  const width = await whole.locator('html').evaluate((html) => html.scrollWidth)
  assert.ok(width <= PHONE.width, `the page is ${width} wide`)
  await whole.picture('dashboards-phone')
  await whole.getByRole('region', { name: 'Salaries', exact: true }).scrollIntoViewIfNeeded()
  await whole.picture('dashboards-phone-pay')
  await whole.axe()
  await whole.done()
})

longTest('absence days open the requests behind them, also by URL', async () => {
  const page = await at.open('/dashboards?from=2036-01-01&to=2036-06-30', { role: 'hr' })
  const absence = page.getByRole('region', { name: 'Absence', exact: true })
  await absence.getByRole('row', { name: /^Jan/ }).getByRole('link').click()
  const panel = page.getByRole('dialog', { name: 'Records behind this number' })
  await panel.getByText('1 record').waitFor()
  await panel.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
  await page.picture('dashboards-panel')
  await page.axe()
  await page.goBack()
  await panel.waitFor({ state: 'detached' })
  await page.done()
})

longTest('a range that ends before it starts shows one error at its field', async () => {
  const page = await at.open('/dashboards?from=2026-05-01&to=2026-04-01')
  await page.getByRole('alert').waitFor()
  await becomes(() => page.getByRole('alert').allTextContents(), ['Last day: This cannot be before “First day”.'])
  await page.axe()
  await page.done()
})
