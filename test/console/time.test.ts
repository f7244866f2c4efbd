import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { longTest } from '../thorough.ts'
import { becomes, type Console, PHONE, startConsole, type Who } from './browser.ts'

/** Working time as people enter it: a week, the clock, and handing it in. */

const monday = (weeks: number) => {
  const now = new Date()
  now.setUTCDate(now.getUTCDate() + 1 - (now.getUTCDay() || 7) + 7 * weeks)
  return now.toISOString().slice(0, 10)
}
const plus = (first: string, days: number) => new Date(Date.parse(first) + days * 86_400_000).toISOString().slice(0, 10)

let at: Console
let boss: any
let ada: any
const employee = (): Who => ({ role: 'employee', employee_id: ada.id, name: 'Ada Lovelace' })
const manager = (): Who => ({ role: ['manager', 'employee'], employee_id: boss.id, name: 'Barbara Liskov' })
const entriesIn = async (week: string) =>
  (
    await at.service.get(
      `/time/timesheet_entries?employee_id=${ada.id}&starts_on[gte]=${week}&ends_on[lte]=${plus(week, 6)}`,
    )
  ).body.data

before(async () => {
  at = await startConsole()
  const { service } = at
  const place = await service.make('/locations', { name: 'Berlin', time_zone: 'Europe/Berlin' })
  const person = (first_name: string, last_name: string, more = {}) =>
    service.hire({ first_name, last_name, hired_on: '2020-01-01', location_id: place.id, ...more })
  boss = await person('Barbara', 'Liskov')
  ada = await person('Ada', 'Lovelace', { reporting_to_id: boss.id })
  await service.make('/time/projects', { name: 'Engine' })
  for (const day of [0, 1])
    await service.make('/time/timesheet_entries', {
      employee_id: ada.id,
      starts_at: `${plus(monday(-2), day)}T08:00:00Z`,
      ends_at: `${plus(monday(-2), day)}T12:00:00Z`,
      comment: 'Notes',
    })
})
after(() => at.stop())

test('a week is entered, copied from the last one, compared with the working pattern and submitted', async () => {
  const week = monday(-1)
  const page = await at.open(`/time?week=${week}`, { ...employee(), scheme: 'dark', mayTell: /422/ })
  await page.getByText('40:00', { exact: true }).waitFor()
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Copy last week' }).click()
  await page.getByText('2 entries copied').waitFor()
  assert.equal((await entriesIn(week)).length, 2)
  const tuesday = page.getByRole('region', { name: /^Tuesday/ })
  await tuesday.getByText('4:00 of 8:00').waitFor()
  await tuesday.getByRole('button', { name: /Add time/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Add time' })
  // It begins where the last entry of the day has ended, by the clock in Berlin.
  const [last] = (await entriesIn(week)).slice(-1)
  const wall = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit' })
  const end = wall.format(new Date(last.ends_at))
  await becomes(() => dialog.getByLabel('Start').inputValue(), end)
  await dialog.getByLabel('End').fill(end)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText(/must be after/).waitFor()
  await page.axeToo()
  await dialog.getByLabel('End').fill('18:00')
  await dialog.getByRole('combobox', { name: 'Project' }).click()
  await page.getByRole('option', { name: 'Engine' }).click()
  page.forgetQuestions()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await tuesday.getByText('Engine').waitFor()
  await page.picture('time-week')
  await page.axe()
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Submit week' }).click()
  await page.getByText('3 entries submitted').waitFor()
  assert.deepEqual(
    (await entriesIn(week)).map((one: any) => one.status),
    ['pending', 'pending', 'pending'],
  )
  page.forgetQuestions()
  await page.keyboard.press('z')
  await page.getByText('Undone').waitFor()
  assert.equal((await entriesIn(week))[0].status, 'unsubmitted')
  await page.done()
})

longTest('the empty days of a week are filled from the working pattern', async () => {
  const week = monday(12)
  const { service } = at
  await service.make('/time/timesheet_entries', {
    employee_id: ada.id,
    starts_at: `${plus(week, 1)}T08:00:00Z`,
    ends_at: `${plus(week, 1)}T09:00:00Z`,
  })
  const page = await at.open(`/time?week=${week}`, employee())
  await page.getByRole('button', { name: 'Fill from working pattern' }).waitFor()
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Fill from working pattern' }).click()
  await page.getByText('4 entries added').waitFor()
  await page
    .getByRole('region', { name: /^Friday/ })
    .getByText('09:00–17:00')
    .waitFor()
  assert.deepEqual(
    (await entriesIn(week)).map((one: any) => [one.date, one.minutes]).toSorted(),
    [0, 1, 2, 3, 4].map((n) => [plus(week, n), n === 1 ? 60 : 480]),
  )
  await becomes(() => page.getByRole('button', { name: 'Fill from working pattern' }).count(), 0)
  await page.picture('time-filled')
  await page.axe()
  page.forgetQuestions()
  await page.done()
})

longTest('a night shift is one entry, shown on both days; copying a week skips leave and free days', async () => {
  const { service } = at
  const [before, week] = [monday(3), monday(4)]
  const type = await service.make('/leave_types', { name: 'Vacation' })
  const policy = await service.make('/leave_policies', {
    name: 'Any',
    leave_type_id: type.id,
    type: 'manual',
    floor: '-99',
  })
  await service.make(`/employees/${ada.id}/leave_types`, {
    leave_type_id: type.id,
    leave_type_policy_id: policy.id,
    effective_on: '2020-01-01',
  })
  const leave = { employee_id: ada.id, leave_type_id: type.id, starts_on: plus(week, 2), ends_on: plus(week, 2) }
  await service.make('/leave_requests', { ...leave, skip_approval: true })
  for (const day of [2, 5])
    await service.make('/time/timesheet_entries', {
      employee_id: ada.id,
      starts_at: `${plus(before, day)}T08:00:00Z`,
      ends_at: `${plus(before, day)}T12:00:00Z`,
    })
  const page = await at.open(`/time?week=${before}`, employee())
  const sunday = page.getByRole('region', { name: /^Sunday/ })
  await sunday.getByRole('button', { name: /Add time/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Add time' })
  await dialog.getByLabel('Start').fill('22:00')
  await dialog.getByLabel('End').fill('06:00')
  await dialog.getByText(/^Ends on /).waitFor()
  await page.picture('time-night')
  page.forgetQuestions()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await sunday.getByText('22:00–24:00').waitFor()
  await page.getByRole('button', { name: 'Next week' }).click()
  await page
    .getByRole('region', { name: /^Monday/ })
    .getByRole('button', { name: /00:00–06:00.*since 22:00 the day before/ })
    .waitFor()
  assert.deepEqual((await entriesIn(plus(before, 7))).length, 0)
  await page.done()
  await service.make('/time/timesheet_entries', {
    employee_id: ada.id,
    starts_at: `${plus(before, 1)}T08:00:00Z`,
    ends_at: `${plus(before, 1)}T12:00:00Z`,
  })
  const next = await at.open(`/time?week=${week}`, employee())
  await next.getByRole('button', { name: 'Copy last week' }).waitFor()
  next.forgetQuestions()
  await next.getByRole('button', { name: 'Copy last week' }).click()
  await next.getByText('1 entry copied').waitFor()
  await next.getByText('3 entries skipped: leave, public holidays or days off').waitFor()
  assert.deepEqual(
    (await entriesIn(week)).map((one: any) => one.date),
    [plus(week, 1)],
  )
  await next.done()
})

test('a clock started on a phone runs on every device, pauses, and becomes an entry', async () => {
  const allEntries = async () => (await at.service.get(`/time/timesheet_entries?employee_id=${ada.id}`)).body.data
  const before = (await allEntries()).length
  const page = await at.open('/time', { ...employee(), size: PHONE })
  await page.getByRole('button', { name: 'Clock in' }).waitFor()
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Clock in' }).tap()
  await page.getByText(/^Clocked in since/).waitFor()
  await page.picture('time-phone')
  const width = await page.locator('html').evaluate((html) => html.scrollWidth)
  assert.ok(width <= PHONE.width, `the page is ${width} wide`)
  await page.axe()
  await page.done()
  const [{ id }] = (await at.service.get(`/time/clocks?employee_id=${ada.id}`)).body.data
  const half = new Date(Date.now() - 30 * 60_000).toISOString()
  assert.equal((await at.service.put(`/time/clocks/${id}`, { starts_at: half })).status, 200)
  const home = await at.open('/', employee())
  await home.getByRole('timer').filter({ hasText: /^0:3/ }).waitFor()
  await home.picture('home-clock')
  await home.axeToo()
  home.forgetQuestions()
  await home.getByRole('button', { name: 'Start break' }).click()
  await home.getByText(/^On a break since/).waitFor()
  home.forgetQuestions()
  await home.getByRole('button', { name: 'Clock out' }).click()
  await home.getByText(/^Clocked out: 0:0/).waitFor()
  await home.getByRole('button', { name: 'Clock in' }).waitFor()
  const worked = (await allEntries()).filter(({ type }: any) => type === 'working')
  // Where the person is it may be another day by now, and so two.
  assert.ok([before + 1, before + 2].includes(worked.length), String(worked.length))
  await home.done()
})

longTest('a forgotten clock asks when the work ended', async () => {
  const { id } = await at.service.make('/time/clocks', { employee_id: boss.id })
  const starts_at = new Date(Date.now() - 20 * 3_600_000).toISOString()
  assert.equal((await at.service.put(`/time/clocks/${id}`, { starts_at })).status, 200)
  const page = await at.open('/time', { ...manager(), mayTell: /422/ })
  await page.getByRole('button', { name: 'Clock out' }).click()
  const dialog = page.getByRole('dialog', { name: 'When did you stop working?' })
  await dialog.getByText(/is required/).waitFor()
  await page.axe()
  await page.picture('time-forgotten')
  const end = new Date(Date.parse(starts_at) + 8 * 3_600_000)
  const local = await page.evaluate(
    (at) => new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16),
    end.getTime(),
  )
  await dialog.getByLabel('End').fill(local)
  page.forgetQuestions()
  await dialog.getByRole('button', { name: 'Clock out' }).click()
  await page.getByText(/^Clocked out: 8:00/).waitFor()
  await page.done()
})

longTest('a conflict of a night shift is shown in the time zone of the grid', async () => {
  const week = monday(6)
  const { starts_at } = await at.service.make('/time/timesheet_entries', {
    employee_id: ada.id,
    starts_at: `${plus(week, 3)}T08:15:00Z`,
    ends_at: `${plus(week, 3)}T10:00:00Z`,
  })
  const page = await at.open(`/time?week=${week}`, { ...employee(), timezone: 'America/New_York', mayTell: /422/ })
  await page
    .getByRole('region', { name: /^Wednesday/ })
    .getByRole('button', { name: /Add time/ })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Add time' })
  await dialog.getByLabel('Start').fill('20:00')
  await dialog.getByLabel('End').fill('13:00')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const wall = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit' })
  await dialog.getByText(wall.format(new Date(starts_at))).waitFor()
  assert.equal(await dialog.getByText('starts_at').count(), 0)
  assert.equal((await entriesIn(week)).length, 1)
  await dialog.getByLabel('End').fill('06:00')
  page.forgetQuestions()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal((await entriesIn(week)).length, 2)
  await page.done()
})

longTest(
  'a clock stopped on another device stops here when the user comes back or when their press is refused',
  async () => {
    const clockIn = () => at.service.make('/time/clocks', { employee_id: ada.id })
    const clockOut = () => at.service.post('/time/clocks/clock_out', { employee_id: ada.id })
    const comeBack = () => page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await clockIn()
    const page = await at.open('/time', { ...employee(), mayTell: /asked twice|409/ })
    await page.getByRole('timer').waitFor()
    await clockOut()
    await comeBack()
    await page.getByRole('button', { name: 'Clock in' }).waitFor()
    await clockIn()
    await comeBack()
    await page.getByRole('timer').waitFor()
    const button = await page.getByRole('button', { name: 'Clock out', disabled: false }).elementHandle()
    await clockOut()
    // Where it was heard of just now, there is nothing to press any more, and this does nothing.
    await button?.evaluate((one) => (one as HTMLElement).click())
    await page.getByRole('button', { name: 'Clock in' }).waitFor()
    await page.done()
  },
)

test('a manager sees the months of the team and a link to approvals', async () => {
  const page = await at.open('/time/team', manager())
  await page.getByRole('row', { name: /Ada Lovelace/ }).waitFor()
  await page.picture('time-team')
  await page.axe()
  await page.getByRole('link', { name: 'Approvals' }).click()
  await page.waitForURL(/leave\/approvals\?kind=time/)
  await page.getByRole('heading', { name: 'No requests to review' }).waitFor()
  await page.done()
})

longTest('the old approvals URL redirects, and somebody without reports sees no team', async () => {
  const there = await at.open('/time/approvals', manager())
  await there.waitForURL(/leave\/approvals\?kind=time/)
  await there.getByRole('heading', { name: 'No requests to review' }).waitFor()
  await there.done()
  const other = await at.open('/time/team', employee())
  await other.getByRole('heading', { name: 'You have no access to this' }).waitFor()
  await other.done()
})

const enter = (starts_at: string, ends_at: string, more = {}) =>
  at.service.make('/time/timesheet_entries', { employee_id: ada.id, starts_at, ends_at, ...more })

longTest(
  'a time entry that is reopened shows the values that were saved, and untouched times keep their seconds',
  async () => {
    // The second time that clocks in Berlin show half past two.
    const { id } = await enter('2026-10-25T01:30:20Z', '2026-10-25T05:00:00Z', { comment: 'First' })
    const read = async () => (await at.service.get(`/time/timesheet_entries/${id}`)).body.data
    const { starts_at } = await read()
    const page = await at.open('/time?week=2026-10-19', { ...employee(), mayTell: /asked twice/ })
    const open = () => page.getByRole('button', { name: /^02:30/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Change time entry' })
    const comment = dialog.getByLabel('Comment')
    const save = async () => {
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await open()
    await comment.fill('Second')
    await save()
    assert.equal((await read()).starts_at, starts_at)
    await open()
    await comment.waitFor()
    await becomes(() => comment.inputValue(), 'Second')
    await dialog.getByLabel('End').fill('07:00')
    await save()
    assert.equal((await read()).ends_at, '2026-10-25T06:00:00.000Z')
    assert.equal((await read()).starts_at, starts_at)
    // What was typed is not given up by the way.
    await open()
    await comment.fill('Third')
    page.once('dialog', (question) => void question.dismiss())
    await comment.press('Escape')
    await becomes(() => comment.inputValue(), 'Third')
    page.once('dialog', (question) => void question.accept())
    await comment.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.equal((await read()).comment, 'Second')
    await page.done()
  },
)

longTest('an entry is extended past midnight, or not at all, with one undo', async () => {
  const week = monday(8)
  await enter(`${week}T19:00:00Z`, `${week}T20:00:00Z`)
  const other = await enter(`${plus(week, 1)}T01:00:00Z`, `${plus(week, 1)}T02:00:00Z`)
  const minutes = async () => (await entriesIn(week)).map((one: any) => one.minutes).sort()
  const page = await at.open(`/time?week=${week}`, { ...employee(), mayTell: /asked twice|422/ })
  await page
    .getByRole('region', { name: /^Monday/ })
    .getByRole('button', { name: /^2\d:00–/ })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Change time entry' })
  await dialog.getByLabel('End').fill('06:00')
  await dialog.getByText(/^Ends on /).waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText(/overlaps with/i).waitFor()
  assert.deepEqual(await minutes(), [60, 60])
  await at.service.delete(`/time/timesheet_entries/${other.id}`)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.deepEqual(
    (await entriesIn(week)).map((one: any) => one.minutes_after_midnight),
    [360],
  )
  await page.keyboard.press('z')
  await page.getByText('Undone', { exact: true }).waitFor()
  assert.deepEqual(await minutes(), [60])
  await page.done()
})

longTest('a night shift whose response was lost is completed by saving again', async () => {
  const week = monday(11)
  await enter(`${plus(week, 3)}T19:00:00Z`, `${plus(week, 3)}T20:00:00Z`)
  const count = async () => (await entriesIn(week)).length
  const page = await at.open(`/time?week=${week}`, { ...employee(), mayTell: /asked twice|Failed to load|ERR_/ })
  const loseOne = (path: string, method: string) => {
    let isLost = false
    return page.route(path, async (route) => {
      const request = route.request()
      if (isLost || request.method() !== method || request.headers().prefer) return route.continue()
      isLost = true
      await route.fetch()
      await route.abort()
    })
  }
  const night = async (path: string, method: string, title: string, expected: number) => {
    await loseOne(path, method)
    const dialog = page.getByRole('dialog', { name: title })
    await dialog.getByLabel('End').fill('06:00')
    await dialog.getByText(/^Ends on /).waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await count(), expected)
    await page.keyboard.press('z')
    await page.getByText('Undone', { exact: true }).waitFor()
    await page.getByRole('alert').filter({ hasText: 'Undone' }).getByRole('button', { name: 'Close' }).click()
    await page.getByText('Undone', { exact: true }).waitFor({ state: 'detached' })
    await page.unroute(path)
  }
  const day = (name: RegExp, button: RegExp) => page.getByRole('region', { name }).getByRole('button', { name: button })
  await day(/^Monday/, /Add time/).click()
  await page.getByRole('dialog', { name: 'Add time' }).getByLabel('Start').fill('21:00')
  await night('**/timesheet_entries', 'POST', 'Add time', 2)
  assert.equal(await count(), 1)
  await day(/^Thursday/, /^2\d:00–/).click()
  await night('**/timesheet_entries/*', 'PUT', 'Change time entry', 1)
  assert.equal(await count(), 1)
  await page.done()
})

longTest('a week that cannot be submitted shows an error and reloads', async () => {
  const week = monday(9)
  const [gone] = [
    await enter(`${week}T08:00:00Z`, `${week}T09:00:00Z`),
    await enter(`${week}T10:00:00Z`, `${week}T11:00:00Z`),
  ]
  const page = await at.open(`/time?week=${week}`, { ...employee(), mayTell: /asked twice|422/ })
  await page.route('**/submit', async (route) => {
    await at.service.delete(`/time/timesheet_entries/${gone.id}`)
    await route.continue()
  })
  await page.getByRole('button', { name: 'Submit week' }).click()
  await page.getByRole('alert').filter({ hasText: 'Something went wrong' }).waitFor()
  await page.waitForFunction(() => document.querySelectorAll('.time-entry').length === 1)
  await page.done()
})

longTest(
  'the week of somebody whose time the user may only read offers no action that the service would refuse',
  async () => {
    const week = monday(-2)
    const page = await at.open(`/time?week=${week}&employee_id=${ada.id}`, {
      ...manager(),
      mayTell: /asked twice.*directory/,
    })
    await page.getByText('Notes').first().waitFor()
    for (const name of [/Add time/, 'Copy last week', 'Submit week', 'Clock in'])
      assert.equal(await page.getByRole('button', { name }).count(), 0, String(name))
    await page.getByText('Notes').first().click()
    const dialog = page.getByRole('dialog')
    await becomes(() => dialog.getByLabel('Comment').isDisabled(), true)
    assert.equal(await dialog.getByRole('button', { name: 'Save' }).count(), 0)
    await page.done()
    const own = await at.open(`/time?week=${week}`, manager())
    await own.getByRole('button', { name: 'Copy last week' }).waitFor()
    await own.done()
  },
)

longTest('a double click on Break does not end the break', async () => {
  await at.service.make('/time/clocks', { employee_id: ada.id })
  const page = await at.open('/time', { ...employee(), mayTell: /asked twice/ })
  const box = await page.getByRole('button', { name: 'Start break' }).boundingBox()
  assert.ok(box)
  // Pressed within the page, as soon as there is another button in its place: from here a busy machine may be too late.
  await page.evaluate(
    async ([x, y]) => {
      const there = () => document.elementFromPoint(x, y)?.closest('button')
      const press = () => there()?.click()
      const isBack = () => there()?.textContent === 'End break'
      const changed = new Promise<void>((resolve) => {
        const watch = new MutationObserver(() => isBack() && resolve())
        watch.observe(document.body, { childList: true, characterData: true, subtree: true })
      })
      press()
      await changed
      press()
    },
    [box.x + 20, box.y + box.height / 2] as const,
  )
  await page.getByRole('button', { name: 'End break', disabled: false }).waitFor()
  const [clock] = (await at.service.get(`/time/clocks?employee_id=${ada.id}`)).body.data
  assert.equal(clock.type, 'break')
  await at.service.post('/time/clocks/clock_out', { employee_id: ada.id })
  await page.done()
})

test('HR sets rules for breaks and overtime, and the employee requests what is calculated from them', async () => {
  const { service } = at
  const week = monday(-6)
  const pattern = await service.make('/working_patterns', {
    name: 'Forty hours',
    ...Object.fromEntries(['monday', 'tuesday', 'wednesday', 'thursday', 'friday'].map((day) => [`${day}_hours`, 8])),
  })
  const { id } = await service.hire({ first_name: 'Grace', last_name: 'Hopper', hired_on: '2020-01-01' })
  await service.make(`/employees/${id}/employment_statuses`, {
    ...{ effective_from: '2020-01-01', working_pattern_id: pattern.id },
  })
  const hr = await at.open(`/settings/working_patterns/${pattern.id}`, { scheme: 'dark' })
  const rules = hr.getByRole('region', { name: 'Rules for breaks and overtime, by start date' })
  await rules.getByRole('button', { name: /^Add/ }).click()
  const panel = hr.getByRole('dialog').last()
  const fill = (field: string, value: string) => panel.getByLabel(field, { exact: true }).fill(value)
  await panel.getByLabel(/^Effective from/).fill('2020-01-01')
  await panel.getByRole('button', { name: 'Add: Breaks that are needed' }).click()
  const step = panel.getByRole('group', { name: 'Breaks that are needed 1' })
  await step.getByLabel('After so many minutes of work').fill('360')
  await step.getByLabel('Break in minutes').fill('30')
  await panel.getByRole('combobox', { name: 'Overtime is counted by' }).click()
  await hr.getByRole('option', { name: 'Week', exact: true }).click()
  await fill('Factor for overtime', '1.5')
  await hr.picture('time-rule')
  await hr.axe()
  hr.forgetQuestions()
  await panel.getByRole('button', { name: 'Add', exact: true }).click()
  await rules.getByText('1.5').waitFor()
  await hr.done()

  await service.make('/time/timesheet_entries', {
    ...{ employee_id: id, starts_at: `${plus(week, 5)}T08:00:00Z`, ends_at: `${plus(week, 5)}T14:10:00Z` },
  })
  const page = await at.open(`/time?week=${week}`, { role: 'employee', employee_id: id, name: 'Grace Hopper' })
  await page.getByRole('button', { name: 'Fill from working pattern' }).waitFor()
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Fill from working pattern' }).click()
  // Each day has the break that it needs.
  await page.getByText('10 entries added').waitFor()
  await page
    .getByRole('region', { name: /^Friday/ })
    .getByText('13:30–17:30')
    .waitFor()
  await page.getByText('Overtime of this week: 6:00, counts as 9:00').waitFor()
  await page.getByText('−0:10 missing break').waitFor()
  await page.picture('time-overtime')
  await page.axe()
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Request overtime' }).click()
  await page.getByText('Overtime of 1 day requested').waitFor()
  await page.getByText('6:00 requested').waitFor()
  await becomes(() => page.getByRole('button', { name: 'Request overtime' }).count(), 0)
  const [made] = (await service.get(`/time/overtime_requests?employee_id=${id}`)).body.data
  assert.deepEqual([made.date, made.minutes, made.credited_minutes, made.state], [plus(week, 5), 360, 540, 'pending'])
  await page.done()
  const inbox = await at.open('/leave/approvals?kind=overtime', { role: 'hr' })
  await inbox
    .getByText(/Overtime, .* · 6:00 h, counts as 9:00 h/)
    .first()
    .waitFor()
  await inbox.done()
})
