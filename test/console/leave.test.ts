import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { longTest } from '../thorough.ts'
import { becomes, type Console, letPass, PHONE, personWith, startConsole, type Watched, type Who } from './browser.ts'

/** Leave as people do it: ask, look who is away, decide. */

const day = (offset: number) => {
  const at = new Date()
  at.setUTCDate(at.getUTCDate() + offset)
  return at.toISOString().slice(0, 10)
}
/** The next Monday that is so many weeks away. */
const monday = (weeks: number) => day(7 * weeks + ((8 - new Date().getUTCDay()) % 7 || 7))
const plus = (first: string, days: number) => new Date(Date.parse(first) + days * 86_400_000).toISOString().slice(0, 10)

let at: Console
let boss: any
let ada: any
let grace: any
let type: any
const manager = (): Who => ({ role: ['manager', 'employee'], employee_id: boss.id, name: 'Barbara Liskov' })
const employee = (): Who => ({ role: 'employee', employee_id: ada.id, name: 'Ada Lovelace' })

before(async () => {
  at = await startConsole()
  const { service } = at
  const person = (first_name: string, last_name: string, reporting_to_id?: number) =>
    service.hire({ first_name, last_name, hired_on: '2020-01-01', reporting_to_id })
  boss = await person('Barbara', 'Liskov')
  ada = await person('Ada', 'Lovelace', boss.id)
  grace = await person('Grace', 'Hopper', boss.id)
  type = await service.make('/leave_types', { name: 'Holiday', hex_color: '#2f9e44' })
  const policy = await service.make('/leave_policies', {
    name: 'Usual',
    leave_type_id: type.id,
    type: 'manual',
    visibility: true,
    counted_as: 'working_days',
    floor: 0,
  })
  for (const { id } of [boss, ada, grace]) {
    await service.make(`/employees/${id}/leave_types`, {
      leave_type_id: type.id,
      leave_type_policy_id: policy.id,
      effective_on: '2020-01-01',
    })
    await service.make('/leave_adjustments', {
      employee_id: id,
      leave_type_id: type.id,
      occurred_on: '2020-01-01',
      amount: 20,
    })
  }
  await ask(grace.id, monday(4), 2, { skip_approval: true })
})
after(() => at.stop())

const ask = (employee_id: number, starts_on: string, days: number, more = {}) =>
  at.service.make('/leave_requests', {
    employee_id,
    leave_type_id: type.id,
    starts_on,
    ends_on: plus(starts_on, days - 1),
    ...more,
  })

/** Into the field that has the focus, in the order in which the browser writes days. */
async function typeDay(page: Watched, label: string, wanted: string): Promise<void> {
  const [year, month, date] = wanted.split('-') as [string, string, string]
  for (const text of [`${month}${date}${year}`, `${date}${month}${year}`]) {
    await page.keyboard.type(text)
    if ((await page.getByLabel(label).inputValue()) === wanted) return
    for (let n = 0; n < 3; n++) await page.keyboard.press('ArrowLeft')
  }
  assert.fail(`${wanted} could not be typed`)
}

const notWide = async (page: Watched) => {
  const width = await page.locator('html').evaluate((html) => html.scrollWidth)
  assert.ok(width <= PHONE.width, `the page is ${width} wide`)
}

test('leave is requested by keyboard alone, with days, remaining balance and absent colleagues shown', async () => {
  const last = plus(monday(4), 7)
  // With its year still to be typed the day is there already; is it asked about then, it is refused or asked about again.
  const page = await at.open('/leave', { ...employee(), mayTell: new RegExp(`asked twice: .*${last}|status of 422`) })
  await page.getByRole('heading', { name: 'Leave', level: 1 }).waitFor()
  await page.getByText('20 days', { exact: true }).first().waitFor()
  await page.keyboard.press('n')
  // The only kind of leave is chosen already.
  await becomes(() => page.getByRole('combobox', { name: 'Leave type' }).inputValue(), 'Holiday')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await typeDay(page, 'First day', monday(4))
  for (let n = 0; n < 10 && !(await page.getByLabel('Last day').evaluate((one) => one === document.activeElement)); n++)
    await page.keyboard.press('Tab')
  await typeDay(page, 'Last day', last)
  await page.getByText('6 days', { exact: true }).waitFor()
  await page.getByText('14 days', { exact: true }).waitFor()
  await page.getByRole('listitem').filter({ hasText: 'Grace Hopper' }).waitFor()
  await page.picture('leave-ask')
  await page.axe()
  page.forgetQuestions()
  await page.keyboard.press('Enter')
  await page.getByText('Request sent: 6 days').waitFor()
  await page
    .getByRole('region', { name: 'My leave requests' })
    .getByText('Waiting for approval by Barbara Liskov')
    .waitFor()
  await page.done()
})

longTest('a request that is not allowed shows an error at its field before it is sent', async () => {
  const page = await at.open('/leave', { ...employee(), mayTell: /422/ })
  await page.getByLabel('First day').fill(monday(8))
  await page.getByLabel('Last day').fill(plus(monday(8), 60))
  await page.getByText(/The balance would fall to/).waitFor()
  await page.axe()
  await page.done()
})

test('all pending requests are decided by keyboard, one or several at once, and undone together', async () => {
  const { service } = at
  for (const weeks of [10, 11, 12, 13]) await ask(grace.id, monday(weeks), 1, { comment: `Week ${weeks}` })
  const own = await ask(boss.id, monday(10), 1)
  await service.make('/time/overtime_requests', { employee_id: ada.id, date: day(-7), minutes: 90, comment: 'Release' })
  const entry = await service.make('/time/timesheet_entries', {
    employee_id: ada.id,
    starts_at: `${day(-7)}T08:00:00Z`,
    ends_at: `${day(-7)}T16:00:00Z`,
    status: 'pending',
  })
  // The details of the next one are looked at anew when the one before is decided.
  const page = await at.open('/leave/approvals', {
    ...manager(),
    scheme: 'dark',
    mayTell: /asked twice.*(leave_balances|directory|calendars|timesheets|leave_requests\?state=pending)/,
  })
  const inbox = page.getByRole('list', { name: 'Pending requests' })
  await inbox.getByText('Week 10').waitFor()
  // Ada's leave, four of Grace's, overtime and a week of time; not one's own.
  await becomes(() => inbox.getByRole('listitem').count(), 7)
  await page.picture('leave-approvals')
  await page.axe()
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
  page.forgetQuestions()
  await page.keyboard.press('j')
  await page.waitForFunction(() => document.activeElement?.getAttribute('data-key'))
  const kinds: string[] = []
  for (let n = 0; n < 2; n++) {
    const name = await focused()
    kinds.push(name)
    await letPass(page, 700)
    await page.keyboard.press('a')
    await page.waitForFunction((before) => document.activeElement?.getAttribute('aria-label') !== before, name)
    await page.getByText(`Approved: ${name}`).waitFor()
    page.forgetQuestions()
  }
  assert.deepEqual(kinds.map((one) => /Overtime|Week from/.exec(one)?.[0]).sort(), ['Overtime', 'Week from'])
  assert.equal((await service.get(`/time/timesheet_entries/${entry.id}`)).body.data.status, 'approved')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.getByText('2 selected').waitFor()
  page.forgetQuestions()
  await page.keyboard.press('r')
  await page.getByRole('textbox', { name: 'Reason for rejection' }).fill('Two others are away')
  await page.picture('leave-reject')
  await page.axeToo()
  await page.keyboard.press('Control+Enter')
  await page.getByText('2 requests rejected').waitFor()
  const states = async () =>
    (await service.get(`/leave_requests?employee_id=${grace.id}&sort=starts_on`)).body.data.map((one: any) => one.state)
  assert.deepEqual(await states(), ['approved', 'rejected', 'rejected', 'pending', 'pending'])
  const [told] = (await service.get(`/leave_requests?employee_id=${grace.id}&state=rejected`)).body.data
  assert.equal(told.rejection_reason, 'Two others are away')
  page.forgetQuestions()
  await page.keyboard.press('z')
  await page.getByText('Undone').waitFor()
  assert.deepEqual(await states(), ['approved', 'pending', 'pending', 'pending', 'pending'])
  await inbox.getByText('Week 10').waitFor()
  assert.equal((await service.get(`/leave_requests/${own.id}`)).body.data.state, 'pending')
  await page.done()
})

longTest(
  'a decided request stays in its place: a double click decides only one, and no key decides the next one',
  async () => {
    const { service } = at
    const ids: number[] = []
    for (const weeks of [14, 15, 16])
      ids.push((await ask(grace.id, monday(weeks), 1, { comment: `Later ${weeks}` })).id)
    const states = () =>
      Promise.all(ids.map(async (id) => (await service.get(`/leave_requests/${id}`)).body.data.state as string))
    const page = await at.open('/leave/approvals?kind=leave', { ...manager(), mayTell: /asked twice/ })
    const line = (weeks: number) => page.getByRole('listitem').filter({ hasText: `Later ${weeks}` })
    const approve = line(14).getByRole('button', { name: /^Approve/ })
    await approve.dblclick()
    await page.getByText(/^Approved: Grace Hopper/).waitFor()
    await line(14).getByText('Approved', { exact: true }).waitFor()
    assert.deepEqual(await states(), ['approved', 'pending', 'pending'])
    await page.picture('leave-decided')
    await page.axe()
    await line(14).getByRole('button', { name: /^Undo/ }).click()
    await approve.waitFor()
    assert.deepEqual(await states(), ['pending', 'pending', 'pending'])
    // Somebody else decides about the one that is looked at.
    await line(15).click()
    await service.post(`/leave_requests/${ids[1]}/reject`)
    await line(15).getByText('Already decided').waitFor()
    await page.keyboard.press('a')
    await page.keyboard.press('j')
    await page.waitForFunction(() => document.activeElement?.textContent?.includes('Later 16'))
    assert.deepEqual(await states(), ['pending', 'rejected', 'pending'])
    await page.done()
  },
)

longTest(
  'in a bulk decision, requests that could not be decided are listed with their reasons and stay selected',
  async () => {
    const { service } = at
    const asked: any[] = []
    for (const weeks of [50, 51, 52]) asked.push(await ask(grace.id, monday(weeks), 1, { comment: `Week ${weeks}` }))
    const page = await at.open('/leave/approvals?kind=leave', {
      ...manager(),
      mayTell: /asked twice|status of (409|500)/,
    })
    const line = (week: number) => page.getByRole('listitem').filter({ hasText: `Week ${week}` })
    for (const weeks of [50, 51, 52]) await line(weeks).getByRole('checkbox').check()
    await page.route(`**/leave_requests/${asked[0].id}/approve`, (route) =>
      route.fulfill({ status: 500, body: 'Oops' }),
    )
    await page.route(`**/leave_requests/${asked[1].id}/approve`, async (route) => {
      await service.send('POST', `/leave_requests/${asked[1].id}/withdraw`)
      await route.continue()
    })
    await page.getByRole('button', { name: 'Approve 3' }).click()
    const told = page.getByRole('alert').filter({ hasText: '2 requests could not be approved or rejected' })
    await told.waitFor()
    assert.match((await told.getByRole('listitem').nth(0).textContent()) ?? '', /Grace.*: Server error/)
    await becomes(() => told.getByRole('listitem').nth(1).textContent(), /Grace.*: .*Withdrawn/)
    await becomes(() => line(50).getByRole('checkbox').isChecked(), true)
    assert.equal((await service.get(`/leave_requests/${asked[2].id}`)).body.data.state, 'approved')
    await page.axe()
    await page.picture('leave-not-decided')
    await page.done()
  },
)

longTest('unsent decisions are not shown as decided, and each decided line can be undone', async () => {
  const { service } = at
  const asked: any[] = []
  const weeks = [60, 61, 62, 63]
  for (const week of weeks) asked.push(await ask(grace.id, monday(week), 1, { comment: `In week ${week}` }))
  const page = await at.open('/leave/approvals?kind=leave', {
    ...manager(),
    mayTell: /asked twice|Failed to load|ERR_/,
  })
  const line = (week: number) => page.getByRole('listitem').filter({ hasText: `In week ${week}` })
  const stateOf = async (n: number) => (await service.get(`/leave_requests/${asked[n].id}`)).body.data.state
  for (const week of weeks) await line(week).getByRole('checkbox').check()
  await page.route(`**/leave_requests/${asked[2].id}/approve`, (route) => route.abort())
  await page.getByRole('button', { name: 'Approve 4' }).click()
  await page.getByRole('alert').filter({ hasText: '2 requests could not be approved or rejected' }).waitFor()
  await becomes(() => line(63).getByRole('checkbox').isChecked(), true)
  assert.deepEqual(await Promise.all([0, 1, 2, 3].map(stateOf)), ['approved', 'approved', 'pending', 'pending'])
  await line(60).getByRole('button', { name: /^Undo/ }).click()
  await page.getByText('Undone', { exact: true }).waitFor()
  assert.deepEqual(await Promise.all([0, 1].map(stateOf)), ['pending', 'approved'])
  await page.done()
})

longTest('the figures of a week add up: worked, leave and expected time', async () => {
  const week = monday(-4)
  await ask(ada.id, week, 2, { skip_approval: true })
  await at.service.make('/time/timesheet_entries', {
    employee_id: ada.id,
    starts_at: `${plus(week, 2)}T08:00:00Z`,
    ends_at: `${plus(week, 2)}T16:00:00Z`,
    status: 'pending',
  })
  const page = await at.open('/leave/approvals?kind=time', manager())
  await page
    .getByRole('listitem', { name: /^Ada Lovelace/ })
    .first()
    .click()
  const details = page.locator('.leave-details')
  for (const figure of ['40:00', '16:00', '−16:00']) await details.getByText(figure, { exact: true }).waitFor()
  await page.done()
})

test('the calendar shows absent team members, with the month in the URL and in browser history', async () => {
  const month = monday(4).slice(0, 7)
  const page = await at.open(`/leave/calendar?month=${month}`, { ...employee(), scheme: 'dark' })
  await page
    .getByRole('img', { name: /^Holiday, / })
    .first()
    .waitFor()
  await page.getByRole('link', { name: 'Grace Hopper' }).waitFor()
  await page.picture('leave-calendar')
  await page.axe()
  await page.keyboard.press(']')
  await page.waitForURL((url) => url.searchParams.get('month') !== month)
  await page.goBack()
  await page
    .getByRole('img', { name: /^Holiday, / })
    .first()
    .waitFor()
  await page.getByText('List', { exact: true }).click()
  await page.getByRole('table', { name: 'Calendar' }).getByText('Grace Hopper').waitFor()
  await page.axeToo()
  await page.done()
})

longTest('balances, a request, absences and decisions work on a phone', async () => {
  const page = await at.open('/leave', { ...employee(), size: PHONE })
  await page.getByLabel('First day').fill(monday(20))
  await page.getByText('1 day', { exact: true }).waitFor()
  await page.picture('leave-phone')
  await notWide(page)
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Send request' }).tap()
  await page.getByText('Request sent: 1 day').waitFor()
  page.forgetQuestions()
  await page
    .getByRole('button', { name: /^Withdraw request: / })
    .first()
    .tap()
  await page.getByText('Request withdrawn').waitFor()
  await page.axe()
  await page.done()
  await ask(grace.id, monday(25), 1)
  const other = await at.open('/leave/approvals', { ...manager(), size: PHONE })
  await other
    .getByRole('button', { name: /^Approve: / })
    .first()
    .waitFor()
  await other.picture('leave-approvals-phone')
  await notWide(other)
  await other.axe()
  await other.done()
})

longTest('somebody who may not decide sees no approvals', async () => {
  const page = await at.open('/leave/approvals', employee())
  await page.getByRole('heading', { name: 'You have no access to this' }).waitFor()
  await page.getByRole('link', { name: 'My leave' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Approvals' }).count(), 0)
  await page.done()
})

test("users undo their own actions, and nobody else's", async () => {
  const { service } = at
  const as = async (who: Who, method: string, path: string, json?: unknown) => {
    const { cookie } = await personWith(service, { ...who, permissions: undefined } as Who)
    const headers = { cookie: `${cookie.name}=${cookie.value}`, origin: service.url, 'sec-fetch-site': 'same-origin' }
    return service.send(method, path, { key: null, headers, ...(json ? { json } : {}) })
  }
  const { id } = await ask(grace.id, monday(30), 1)
  const approved = await as(manager(), 'POST', `/leave_requests/${id}/approve`)
  assert.equal(approved.status, 200, approved.text)
  const undo = (who: Who, requestId: string | null) => as(who, 'POST', `/me/requests/${requestId}/undo`)
  const requestId = approved.headers.get('x-request-id')
  assert.equal((await undo(employee(), requestId)).status, 404)
  assert.equal((await undo({ role: 'hr', name: 'Other' }, requestId)).status, 404)
  assert.equal((await undo(manager(), 'nothing')).status, 404)
  assert.equal((await service.post(`/me/requests/${requestId}/undo`)).status, 403)
  const undone = await undo(manager(), requestId)
  assert.equal(undone.status, 204, undone.text)
  assert.equal((await service.get(`/leave_requests/${id}`)).body.data.state, 'pending')
  assert.equal((await undo(manager(), requestId)).status, 409)
  assert.equal((await undo(manager(), undone.headers.get('x-request-id'))).status, 409)
  // Who is not their manager any more has no decision to take back.
  const again = await as(manager(), 'POST', `/leave_requests/${id}/approve`)
  await service.make(`/employees/${grace.id}/positions`, { effective_from: day(0), reporting_to_id: null })
  assert.equal((await undo(manager(), again.headers.get('x-request-id'))).status, 404)
  assert.equal((await service.get(`/leave_requests/${id}`)).body.data.state, 'approved')
})

longTest(
  'list and grid show the same people, holidays follow the location, and the print names the month',
  async () => {
    const { service } = at
    const outsider = await service.hire({ first_name: 'Edsger', last_name: 'Dijkstra', hired_on: '2020-01-01' })
    const [{ leave_type_policy }] = (await service.get(`/employees/${ada.id}/leave_balances`)).body.data
    await service.make(`/employees/${outsider.id}/leave_types`, {
      leave_type_id: type.id,
      leave_type_policy_id: leave_type_policy.id,
      effective_on: '2020-01-01',
    })
    await service.make('/leave_adjustments', {
      employee_id: outsider.id,
      leave_type_id: type.id,
      occurred_on: '2020-01-01',
      amount: 20,
    })
    const first = monday(40)
    await ask(outsider.id, first, 1)
    await ask(grace.id, first, 1)
    await ask(ada.id, first, 1)
    const policy = await service.make('/holiday_policies', { name: 'Bavaria', country_code: 'DE' })
    const free = plus(first, 1)
    await service.make('/holidays', { holiday_policy_id: policy.id, name: 'Foundation Day', occurs_on: free })
    const place = await service.make('/locations', { name: 'Munich', holiday_policy_id: policy.id })
    await service.put(`/employees/${grace.id}`, { reporting_to_id: boss.id, location_id: place.id })
    const month = first.slice(0, 7)
    const hr = { role: ['hr', 'employee'], employee_id: grace.id, name: 'Grace Hopper' }
    const page = await at.open(`/leave/calendar?month=${month}&view=list`, hr)
    const table = page.getByRole('table', { name: 'Calendar' })
    await table.getByText('Grace Hopper').waitFor()
    assert.equal(await table.getByText('Edsger Dijkstra').count(), 0)
    await page.getByText('Everybody', { exact: true }).click()
    await table.getByText('Edsger Dijkstra').waitFor()
    await page.done()
    const grid = await at.open(`/leave/calendar?month=${month}`, hr)
    await grid.getByText(/Foundation Day \(Bavaria\)$/).waitFor()
    const row = (name: string) =>
      grid.getByRole('list', { name: 'Calendar' }).getByRole('listitem').filter({ hasText: name })
    await row('Grace Hopper').getByRole('img', { name: 'Foundation Day (Bavaria)' }).waitFor()
    assert.equal(
      await row('Ada Lovelace')
        .getByRole('img', { name: /Foundation Day/ })
        .count(),
      0,
    )
    await grid.picture('leave-calendar-holiday')
    await grid.axe()
    await grid.emulateMedia({ media: 'print' })
    await becomes(() => grid.getByRole('heading', { level: 2 }).isVisible(), true)
    await grid.done()
    const inbox = await at.open('/leave/approvals?kind=leave', manager())
    const mine = inbox.getByRole('listitem', { name: /^Ada Lovelace/ }).last()
    await mine.click()
    await inbox.locator('.leave-details').getByText('(pending)').first().waitFor()
    await inbox.done()
  },
)
