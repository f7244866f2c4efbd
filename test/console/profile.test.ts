import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { longTest } from '../thorough.ts'
import { becomes, type Console, chooseFound, PHONE, startConsole, type Watched } from './browser.ts'

let at: Console
let ada: number
let grace: number
let alan: number
before(async () => {
  at = await startConsole()
  const { service } = at
  const [sales, lab] = [
    await service.make('/departments', { name: 'Sales' }),
    await service.make('/departments', { name: 'Laboratory' }),
  ]
  const engineer = await service.make('/positions', { name: 'Engineer' })
  await service.make('/positions', { name: 'Principal engineer' })
  const person = async (first_name: string, last_name: string, values = {}) =>
    (
      await service.hire({
        first_name,
        last_name,
        email: `${first_name.toLowerCase()}@example.com`,
        hired_on: '2024-02-01',
        position_id: engineer.id,
        department_id: sales.id,
        ...values,
      })
    ).id as number
  ada = await person('Ada', 'Lovelace')
  grace = await person('Grace', 'Hopper', { reporting_to_id: ada, date_of_birth: '1990-12-09' })
  alan = await person('Alan', 'Turing', { reporting_to_id: grace })
  await service.make(`/employees/${grace}/positions`, { effective_from: '2025-03-01', department_id: lab.id })
  for (const [effective_on, amount] of [
    ['2024-02-01', '5000'],
    ['2025-02-01', '5500'],
  ])
    await service.make(`/employees/${grace}/salaries`, { effective_on, amount, currency_code: 'EUR', per: 'month' })
  const group = await service.make('/employee_field_groups', { name: 'Office' })
  await service.make('/employee_fields', {
    name: 'Shirt size',
    type: 'single_select',
    group_id: group.id,
    options: ['S', 'M'],
  })
  const folder = await service.make('/document_folders', { name: 'Contracts' })
  const form = new FormData()
  form.append('name', 'Terms')
  form.append('document_folder_id', String(folder.id))
  form.append('document', new File(['Forty hours a week.'], 'terms.txt', { type: 'text/plain' }))
  const { status, text } = await service.send('POST', `/employees/${grace}/documents`, { multipart: form })
  assert.equal(status, 201, text)
})
after(() => at.stop())

test('a profile is edited in place, changed from a date, and undone from its history', async () => {
  const page = await at.open(`/people/${grace}`, { mayTell: /422/ })
  await page.getByRole('heading', { name: 'Grace Hopper', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Alan Turing' }).waitFor()
  await page.picture('profile-light')
  await page.axe()

  await page.getByRole('button', { name: 'Edit Contact' }).click()
  await page.getByRole('textbox', { name: 'E-mail', exact: true }).fill('ada@example.com')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('is already taken').waitFor()
  await page.getByRole('textbox', { name: 'E-mail', exact: true }).fill('hopper@example.com')
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'hopper@example.com' }).first().waitFor()

  await page.getByRole('button', { name: 'Edit Office' }).click()
  await page.getByRole('combobox', { name: 'Shirt size' }).click()
  await page.getByRole('option', { name: 'M', exact: true }).click()
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('definition').filter({ hasText: /^M$/ }).waitFor()

  await page.getByRole('button', { name: 'Actions', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Change job…' }).click()
  await page.getByLabel('From').fill('2099-01-01')
  await page.getByRole('combobox', { name: 'Position' }).click()
  await page.getByRole('option', { name: 'Principal engineer' }).click()
  page.forgetQuestions()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByText('Job change saved, effective from 1 Jan 2099').waitFor()
  await page.getByRole('tab', { name: 'Job and compensation' }).click()
  await page.getByText('Engineer → Principal engineer').waitFor()
  await page.getByText('€5,500 per month').waitFor()
  await page.getByText('Sales → Laboratory').waitFor()
  await page.picture('profile-job')
  await page.axeToo()

  await page.getByRole('tab', { name: 'Change history' }).click()
  page.forgetQuestions()
  await page
    .getByRole('button', { name: /^Undo: Job added/ })
    .first()
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Change undone').waitFor()
  const { body } = await at.service.get(`/employees/${grace}/positions`)
  assert.equal(body.data.length, 2)
  await page.done()
})

longTest(
  'the history shows amounts with their currency, readable dates, and names instead of record numbers',
  async () => {
    const page = await at.open(`/people/${grace}?tab=history`, { role: 'hr' })
    const told = async (what: string) => {
      const line = page.getByRole('listitem').filter({ hasText: what }).first()
      await line.getByRole('button', { name: 'Details' }).click()
      return line.getByRole('table')
    }
    const pay = await told('Salary added')
    await pay.getByRole('cell', { name: '€5,500', exact: true }).waitFor()
    await pay.getByRole('cell', { name: '1 Feb 2025', exact: true }).waitFor()
    await (await told('Job added')).getByRole('cell', { name: 'Laboratory', exact: true }).first().waitFor()
    await page.done()
  },
)

longTest('a past date is in the URL and shows the person as they were', async () => {
  const page = await at.open(`/people/${grace}?as_of=2024-06-01`)
  await page.getByText('Job and compensation as of 1 Jun 2024').waitFor()
  await page.getByText('Sales', { exact: true }).first().waitFor()
  assert.equal(await page.getByRole('button', { name: 'Edit Contact' }).count(), 0)
  assert.equal(await page.getByRole('button', { name: 'Actions', exact: true }).count(), 0)
  await page.axe()
  await page.getByRole('slider').press('ArrowRight')
  await page.waitForURL(/as_of=2024-06-02/)
  await page.getByRole('button', { name: 'Next change' }).click()
  await page.waitForURL(/as_of=2024-08-01|as_of=2025-02-01/)
  await page.getByRole('button', { name: 'Back to today' }).click()
  await page.getByText('Laboratory', { exact: true }).first().waitFor()
  await page.done()
})

longTest(
  'a job change warns of later entries and of dates before the hire date; employees are referred to HR',
  async () => {
    const page = await at.open(`/people/${grace}?as_of=2024-12-01`)
    // From change to change, of pay too.
    await page.getByRole('button', { name: 'Next change' }).click()
    await page.waitForURL(/as_of=2025-02-01/)
    page.forgetQuestions()
    await page.goto(`${new URL(page.url()).origin}/people/${grace}`)
    page.forgetQuestions()
    await page.getByRole('button', { name: 'Edit Employment' }).click()
    const dialog = page.getByRole('dialog', { name: /Change job/ })
    await dialog.getByLabel('From').first().fill('2024-01-01')
    await dialog.getByText(/before the first day of work, 1 Feb 2024/).waitFor()
    await dialog.getByText('This change applies only until 1 Feb 2024, when a later entry takes effect.').waitFor()
    await becomes(() => dialog.getByRole('button', { name: 'Save' }).isVisible(), true)
    const box = await dialog.getByRole('button', { name: 'Save' }).boundingBox()
    assert.ok(box && box.y + box.height <= 800, 'what is decided is in sight')
    await page.picture('profile-warning')
    await page.axe()
    await page.context().close()
    const own = await at.open(`/people/${alan}`, { role: 'employee', employee_id: alan, name: 'Alan' })
    await own.getByText('Ask HR to change it').waitFor()
    await own.done()
  },
)

longTest('a change without a new value and a document without a file are not saved', async () => {
  const page = await at.open(`/people/${grace}`, { mayTell: /asked twice/ })
  const dialog = page.getByRole('dialog')
  for (const [action, path] of [
    ['Change job…', 'positions'],
    ['Change employment status…', 'employment_statuses'],
    ['Change salary…', 'salaries'],
  ] as const) {
    const count = async () => (await at.service.get(`/employees/${grace}/${path}`)).body.data.length as number
    const before = await count()
    await page.getByRole('button', { name: 'Actions', exact: true }).click()
    await page.getByRole('menuitem', { name: action }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Nothing has changed yet').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await count(), before, action)
  }
  await page.getByRole('tab', { name: 'Documents' }).click()
  await page.getByRole('button', { name: 'Add document' }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Nothing')
  await dialog.getByRole('combobox', { name: 'Folder' }).click()
  await page.getByRole('option', { name: 'Contracts' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Choose a file or enter a link.').waitFor()
  await page.axe()
  await dialog.getByRole('textbox', { name: 'Link' }).fill('https://example.com/handbook')
  await dialog.getByText('Choose a file or enter a link.').waitFor({ state: 'detached' })
  page.forgetQuestions()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'Nothing' }).waitFor()
  await page.done()
})

longTest('a second salary from the same date is refused in words about the date', async () => {
  const page = await at.open(`/people/${grace}`, { mayTell: /422|asked twice/ })
  await page.getByRole('button', { name: 'Actions', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Change salary…' }).click()
  await page.getByLabel('From').fill('2025-02-01')
  await page.getByRole('textbox', { name: 'Amount' }).fill('6000')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByText('There is already an entry for this date.').waitFor()
  await page.context().close()
})

longTest('assets of one name are told apart by code and serial number when one is assigned', async () => {
  const { service } = at
  const category = await service.make('/asset_categories', { name: 'Notebooks', icon: 'fas fa-laptop' })
  const location = await service.make('/locations', { name: 'Vienna' })
  for (const n of [1, 2])
    await service.make('/assets', {
      name: 'Laptop, 16 inches',
      code: `LT-${n}`,
      serial_number: `SN-${n}`,
      location_id: location.id,
      asset_category_id: category.id,
    })
  const page = await at.open(`/people/${grace}?tab=assets`, { mayTell: /asked twice/ })
  await page.getByRole('button', { name: 'Assign asset' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Issued on').waitFor()
  await dialog.getByRole('combobox', { name: 'Asset' }).click()
  await page.picture('profile-assets')
  await page.getByRole('option', { name: /LT-2 · SN-2/ }).click()
  await becomes(() => dialog.getByRole('combobox', { name: 'Asset' }).inputValue(), 'Laptop, 16 inches · LT-2')
  page.forgetQuestions()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/^LT-2 · SN-2 · since/).waitFor()
  await page.done()
})

longTest('documents are previewed on a phone without leaving the page', async () => {
  const page = await at.open(`/people/${grace}?tab=documents`, { size: PHONE })
  await page.getByRole('button', { name: 'Preview of Terms' }).click()
  await page.getByText('Forty hours a week.').waitFor()
  await page.axe()
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Overview' }).click()
  await page.getByRole('heading', { name: 'Employment' }).waitFor()
  await page.picture('profile-phone')
  const width = await page.locator('html').evaluate((html) => html.scrollWidth)
  assert.ok(width <= PHONE.width, `the page is ${width} wide`)
  await page.done()
})

test('managers see their reports without pay and without edit buttons', async () => {
  const page = await at.open(`/people/${alan}`, { role: 'manager', employee_id: grace, name: 'Grace Hopper' })
  await page.getByRole('tab', { name: 'Job', exact: true }).click()
  await page.getByText('Started work').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Actions', exact: true }).count(), 0)
  assert.equal(await page.getByRole('tab', { name: 'Family and emergency contacts' }).count(), 0)
  assert.equal(await page.getByText('EUR').count(), 0)
  await page.done()
})

longTest('colleagues see the public card, and an unknown person shows not found', async () => {
  const page = await at.open(`/people/${ada}`, { role: 'employee', employee_id: alan, name: 'Alan', mayTell: /404/ })
  await page.getByRole('heading', { name: 'Ada Lovelace', level: 1 }).waitFor()
  await page.getByText('Everybody in the company can see this').waitFor()
  assert.equal(await page.getByRole('tab').count(), 0)
  await page.picture('profile-card')
  await page.axe()
  page.forgetQuestions()
  await page.goto(`${new URL(page.url()).origin}/people/999999`)
  await page.getByRole('heading', { name: 'Not found' }).waitFor()
  await page.done()
})

longTest(
  'changes name custom fields, offer undo only in the view of today, and Back returns to the filtered list',
  async () => {
    const { service } = at
    await service.send('PUT', `/employees/${alan}`, { json: { fields: { shirt_size: 'M' } } })
    const page = await at.open('/people?q=turing')
    await page.getByRole('link', { name: 'Alan Turing' }).click()
    await page.getByRole('tab', { name: 'Change history' }).click()
    await page.getByText('Shirt size changed').waitFor()
    assert.ok((await page.getByRole('button', { name: /^Undo/ }).count()) > 0)
    await page.getByRole('link', { name: 'Back to list' }).click()
    await page.waitForURL(/people\?q=turing$/)
    await page.done()

    const then = await at.open(`/people/${alan}?tab=history&as_of=2025-01-01`)
    await then.getByText('Shirt size changed').waitFor()
    assert.equal(await then.getByRole('button', { name: /^Undo/ }).count(), 0)
    await then.done()
  },
)

/** Somebody who is terminated, who reports to them, and what can be read of it. */
let edsger: number
let tony: number
const managerOn = async (day: string) =>
  (await at.service.get(`/employees/${tony}?as_of=${day}`)).body.data.reporting_to?.id
const tasks = async () =>
  (await at.service.get('/tasks?sort=id')).body.data.map((one: any) => [one.title, one.ends_on, one.assigned_to.id])
const leaves = async () => (await at.service.get(`/employees/${edsger}`)).body.data.termination_effective_on
const given = () => [
  ['Collect from Edsger Dijkstra: Laptop (L1)', '2098-05-31', ada],
  ['Hand over from Edsger Dijkstra: Proofs', '2098-06-01', ada],
]
const chooseChange = async (page: Watched, name: string) => {
  await page.getByRole('button', { name: 'Actions', exact: true }).click()
  await page.getByRole('menuitem', { name }).click()
}
const undoLast = async (page: Watched) => {
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await page.getByText('Undone', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
}

test('terminating somebody lists and hands over what they leave behind, and adds no task before it is announced', async () => {
  const { service } = at
  const person = async (first_name: string, last_name: string, values = {}) =>
    (await service.hire({ first_name, last_name, hired_on: '2024-02-01', ...values })).id as number
  edsger = await person('Edsger', 'Dijkstra')
  tony = await person('Tony', 'Hoare', { reporting_to_id: edsger })
  await service.make('/departments', { name: 'Proofs', manager_id: edsger })
  const category = await service.make('/asset_categories', { name: 'Laptops', icon: 'fas fa-laptop' })
  const room = await service.make('/locations', { name: 'Room' })
  const laptop = await service.make('/assets', {
    name: 'Laptop',
    code: 'L1',
    asset_category_id: category.id,
    location_id: room.id,
  })
  await service.make('/asset_assignments', { asset_id: laptop.id, user_id: edsger, issued_on: '2024-02-01' })
  const kind = await service.make('/leave_types', { name: 'Vacation' })
  const policy = await service.make('/leave_policies', { name: 'Any', leave_type_id: kind.id, type: 'manual' })
  const own = { leave_type_id: kind.id, leave_type_policy_id: policy.id, effective_on: '2024-02-01' }
  await service.make(`/employees/${edsger}/leave_types`, own)
  await service.put(`/employees/${edsger}/update_leave_balance`, { leave_type_id: kind.id, balance: '30' })
  const later = { employee_id: edsger, leave_type_id: kind.id, starts_on: '2098-06-02', ends_on: '2098-06-04' }
  await service.make('/leave_requests', later)

  const page = await at.open(`/people/${edsger}`, { role: 'hr', employee_id: ada, mayTell: /asked twice/ })
  await chooseChange(page, 'Terminate employment…')
  const dialog = page.getByRole('dialog', { name: 'Terminate employment' })
  assert.equal(await dialog.getByLabel('Visible to Edsger Dijkstra from').count(), 0)
  await dialog.getByLabel('First day after employment').fill('2098-06-01')
  await dialog.getByLabel('Visible to Edsger Dijkstra from').waitFor()
  const left = dialog.getByRole('group', { name: 'Before Edsger Dijkstra leaves' })
  await left.getByText('Tony Hoare').waitFor()
  await left.getByText('Proofs').waitFor()
  await left.getByText('Laptop').waitFor()
  await left.getByText('1 leave request is shortened: days from 1 Jun 2098 are removed').waitFor()
  const handOver = async () => {
    const successor = left.getByRole('combobox', { name: 'Successor' })
    await chooseFound(page, successor, 'Grace', /Grace Hopper/)
    await becomes(() => successor.inputValue(), 'Grace Hopper')
    await left.getByText('Reports move to the new manager on 1 Jun 2098').waitFor()
  }
  await handOver()
  // Others would see a task before the termination is known.
  await dialog.getByText(/You get no reminder for this day.* the filter “Leaving” in People/).waitFor()
  await left.getByText('Hand them over yourself on 1 Jun 2098').waitFor()
  assert.equal(await left.getByRole('combobox', { name: 'Who collects the assets' }).count(), 0)
  await page.picture('profile-leaving')
  await page.axe()
  await dialog.getByRole('button', { name: 'Terminate employment' }).click()
  await page.getByText('Left as of 1 Jun 2098').waitFor()
  await dialog.waitFor({ state: 'detached' })

  assert.deepEqual([await managerOn('2098-05-31'), await managerOn('2098-06-01')], [edsger, grace])
  // Whoever leaves sees their assets, and must not learn it from them.
  const [held] = (await service.get(`/asset_assignments?user_id=${edsger}`)).body.data
  assert.equal(held.returned_on, null)
  assert.deepEqual(await tasks(), [])
  await undoLast(page)
  assert.equal(await managerOn('2098-06-01'), edsger)
  assert.equal(await leaves(), null)

  // Announced, it is known: tasks for its day tell nobody anything new.
  await page.getByText('Left as of 1 Jun 2098').waitFor({ state: 'detached' })
  await chooseChange(page, 'Terminate employment…')
  await dialog.getByLabel('First day after employment').fill('2098-06-01')
  await dialog.getByText('You get no reminder for this day').waitFor()
  await dialog.getByLabel('Visible to Edsger Dijkstra from').fill('2024-03-01')
  await dialog.getByText('You get no reminder for this day').waitFor({ state: 'detached' })
  await handOver()
  const collector = left.getByRole('combobox', { name: 'Who collects the assets' })
  await becomes(() => collector.inputValue(), 'Ada Lovelace')
  await dialog.getByRole('button', { name: 'Terminate employment' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Left as of 1 Jun 2098').waitFor()
  assert.deepEqual([await managerOn('2098-06-01'), await tasks()], [grace, given()])
  await page.done()
})

longTest(
  'what somebody still has is handed over from their profile, to one person or kind by kind, and undone',
  async () => {
    const { service } = at
    const person = async (first_name: string, values = {}) =>
      (await service.hire({ first_name, last_name: 'Leaver', hired_on: '2024-02-01', ...values })).id as number
    const leaver = await person('Barbara', { reporting_to_id: ada })
    const first = await person('First', { reporting_to_id: leaver })
    const second = await person('Second', { reporting_to_id: leaver })
    const team = await service.make('/teams', { name: 'Handed', team_lead_id: leaver })
    const task = await service.make('/tasks', { name: 'Finish the report', employee_id: leaver })
    await service.post(`/employees/${leaver}/terminate`, { effective_from: '2024-06-01' })
    const now = async () => [
      ...(await Promise.all(
        [first, second].map(async (id) => (await service.get(`/employees/${id}`)).body.data.reporting_to?.id),
      )),
      (await service.get(`/teams/${team.id}`)).body.data.team_lead.id,
      (await service.get(`/tasks/${task.id}`)).body.data.assigned_to.id,
    ]
    const page = await at.open(`/people/${leaver}`, {
      role: 'hr',
      employee_id: ada,
      size: PHONE,
      mayTell: /asked twice/,
    })
    await chooseChange(page, 'Hand over…')
    const dialog = page.getByRole('dialog', { name: 'Hand over' })
    await dialog.getByText('First Leaver · Second Leaver').waitFor()
    await chooseFound(page, dialog.getByRole('combobox', { name: 'Successor' }), 'First', /First Leaver/)
    await dialog.getByText('First Leaver then reports to Ada Lovelace.').waitFor()
    const assignee = dialog.getByRole('combobox', { name: 'New assignee' })
    await becomes(() => assignee.inputValue(), 'First Leaver')
    await assignee.fill('Grace')
    await page.getByRole('option', { name: /Grace Hopper/ }).click()
    await becomes(() => assignee.inputValue(), 'Grace Hopper')
    await page.picture('profile-handover')
    await page.axe()
    await dialog.getByRole('button', { name: 'Hand over' }).press('Enter')
    await page.getByText('Handover from Barbara Leaver saved').waitFor()
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(await now(), [ada, first, first, grace])
    await undoLast(page)
    assert.deepEqual(await now(), [leaver, leaver, leaver, leaver])
    await service.delete(`/tasks/${task.id}`)
    await page.done()
  },
)

longTest('somebody who has left is rehired from their profile, which keeps the former employment', async () => {
  const { service } = at
  const { id } = await service.hire({ first_name: 'Rosa', last_name: 'Back', hired_on: '2024-02-01' })
  const type = await service.make('/termination_types', { name: 'Resignation' })
  const reason = await service.make('/termination_reasons', { name: 'Relocation' })
  await service.post(`/employees/${id}/terminate`, {
    effective_from: '2024-06-01',
    comment: 'Moved abroad',
    termination_type_id: type.id,
    termination_reason_id: reason.id,
  })
  const page = await at.open(`/people/${id}?tab=job`, { role: 'hr', employee_id: ada, mayTell: /422|asked twice/ })
  await chooseChange(page, 'Rehire…')
  const dialog = page.getByRole('dialog', { name: 'Rehire' })
  await dialog.getByText('The employment that ended on 31 May 2024 stays').waitFor()
  const firstDay = dialog.getByLabel('First day of the new employment')
  await firstDay.fill('2024-05-01')
  await page.picture('profile-rehire')
  await page.axe()
  await dialog.getByRole('button', { name: 'Rehire' }).click()
  await dialog.getByText(/must be on or after/).waitFor()
  await firstDay.fill('2025-03-03')
  page.forgetQuestions()
  await dialog.getByRole('button', { name: 'Rehire' }).click()
  await page.getByText('Rosa Back rehired. First day: 3 Mar 2025').waitFor()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Moved abroad').waitFor()
  await page.getByText('Resignation · Relocation').waitFor()
  await page.getByText('Rehired', { exact: false }).first().waitFor()
  assert.equal(await page.getByText('Started work').count(), 1)
  await page.picture('profile-employments')
  await page.getByRole('button', { name: 'Delete the employment from 1 Feb 2024 to 31 May 2024' }).click()
  const question = page.getByRole('dialog', { name: 'Delete the employment from 1 Feb 2024 to 31 May 2024?' })
  await question.getByText('Job, pay and leave of that time stay.').waitFor()
  await page.picture('profile-employment-deletion')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Edit employment from 1 Feb 2024 to 31 May 2024' }).click()
  const former = page.getByRole('dialog', { name: 'Edit employment from 1 Feb 2024 to 31 May 2024' })
  await former.getByLabel('First day after employment').fill('2024-07-01')
  await former.getByRole('button', { name: 'Save' }).click()
  await former.waitFor({ state: 'detached' })
  await becomes(
    async () => (await service.get(`/employees/${id}/employments`)).body.data[0].termination_effective_on,
    '2024-07-01',
  )
  await page.done()
})

longTest('a planned rehire is shown as the first day of work, on a phone too', async () => {
  const { service } = at
  const { id } = await service.hire({ first_name: 'Sven', last_name: 'Soon', hired_on: '2024-02-01' })
  await service.post(`/employees/${id}/terminate`, { effective_from: '2024-06-01' })
  await service.post(`/employees/${id}/rehire`, { hired_on: '2099-03-02' })
  const page = await at.open(`/people/${id}?tab=job`, { role: 'hr', size: PHONE, scheme: 'dark' })
  await page.getByText(/2 Mar 2099 · Starts work/).waitFor()
  await page.getByText(/1 Feb 2024 · Started work/).waitFor()
  assert.equal(await page.getByText('Rehired').count(), 0)
  await page.picture('profile-planned-rehire-phone')
  await page.axe()
  await page.done()
})

longTest('a termination cannot be sent before what the person leaves behind has loaded', async () => {
  const page = await at.open(`/people/${alan}`, { role: 'hr', employee_id: ada, mayTell: /asked twice/ })
  let goOn = () => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  await page.route('**/handover?on=2098-06-01*', (route) => held.then(() => route.continue()))
  await chooseChange(page, 'Terminate employment…')
  const send = page.getByRole('dialog').getByRole('button', { name: 'Terminate employment' })
  await becomes(() => send.isDisabled(), false)
  await page.getByLabel('First day after employment').fill('2098-06-01')
  await becomes(() => send.isDisabled(), true)
  goOn()
  await becomes(() => send.isDisabled(), false)
  await page.done()
})

longTest('cancelling a termination keeps the handover unless the user reverts it too', async () => {
  const page = await at.open(`/people/${edsger}`, { role: 'hr', employee_id: ada, mayTell: /asked twice/ })
  await page.getByText('Left as of 1 Jun 2098').waitFor()
  await chooseChange(page, 'Cancel termination…')
  const question = page.getByRole('dialog', { name: 'Cancel termination' })
  await question.getByRole('link', { name: 'Tony Hoare: new manager Grace Hopper' }).waitFor()
  await question.getByText('Collect from Edsger Dijkstra: Laptop (L1) (assigned to Ada Lovelace)').waitFor()
  await page.picture('profile-cancelling')
  await page.axeToo()
  await question.getByRole('button', { name: 'Keep termination' }).click()
  await question.waitFor({ state: 'detached' })
  assert.equal(await leaves(), '2098-06-01')
  await chooseChange(page, 'Cancel termination…')
  await question.getByRole('button', { name: 'Cancel termination' }).click()
  await page.getByText('Termination cancelled').waitFor()
  assert.deepEqual([await leaves(), await managerOn('2098-06-01'), await tasks()], [null, grace, given()])

  // Unless one takes it back too, and all of that is undone together.
  await at.service.send('POST', `/employees/${edsger}/terminate`, { json: { effective_from: '2098-06-01' } })
  await page.reload()
  await chooseChange(page, 'Cancel termination…')
  await question.getByRole('checkbox', { name: 'Keep Edsger Dijkstra as their manager' }).check()
  await question.getByRole('checkbox', { name: 'Delete these tasks' }).check()
  await question.getByRole('button', { name: 'Cancel termination' }).click()
  await page.getByText('Termination cancelled').waitFor()
  assert.deepEqual([await leaves(), await managerOn('2098-06-01'), await tasks()], [null, edsger, []])
  await undoLast(page)
  assert.deepEqual([await leaves(), await managerOn('2098-06-01'), await tasks()], ['2098-06-01', grace, given()])
  await page.done()
})

longTest('a profile of a future date says when planned changes are hidden', async () => {
  const told = 'Changes that are not announced yet are hidden.'
  const own = await at.open(`/people/${alan}?as_of=2098-03-01`, { role: 'employee', employee_id: alan, name: 'Alan' })
  await own.getByText(told).waitFor()
  await own.axe()
  await own.done()
  const hr = await at.open(`/people/${alan}?as_of=2098-03-01`, { role: 'hr' })
  await hr.getByText('Job and compensation as planned for 1 Mar 2098').waitFor()
  assert.equal(await hr.getByText(told).count(), 0)
  await hr.done()
})

longTest('a note says who can see it and can be shared with the employee', async () => {
  const page = await at.open(`/people/${alan}?tab=notes`, { role: 'hr' })
  await page.getByRole('button', { name: 'Add note' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add note' })
  await dialog.getByText('Alan Turing sees it only if you share it.').waitFor()
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Asked for a quieter room')
  await dialog.getByRole('checkbox', { name: 'Share with Alan Turing' }).check()
  await page.axe()
  page.forgetQuestions()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Shared with Alan Turing').waitFor()
  await page.done()
})
