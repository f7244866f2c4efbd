import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { longTest } from '../thorough.ts'
import { type Console, PHONE, startConsole, type Who } from './browser.ts'

/** Leave policies as HR sets them up, and what becomes of them for a person. */

let at: Console
let ada: any
before(async () => {
  at = await startConsole()
  const { service } = at
  await service.make('/leave_types', { name: 'Vacation', hex_color: '#2f9e44' })
  const pattern = await service.make('/working_patterns', {
    ...{ name: 'Three days', monday_hours: 8, tuesday_hours: 8, wednesday_hours: 8 },
  })
  ada = await service.hire({
    ...{ first_name: 'Ada', last_name: 'Lovelace', hired_on: '2015-01-01', working_pattern_id: pattern.id },
  })
})
after(() => at.stop())

const employee = (): Who => ({ role: 'employee', employee_id: ada.id, name: 'Ada Lovelace' })

test('HR sets up a policy with tenure steps, part-time and expiring carry-over, and the employee sees why', async () => {
  // The example is refused while a step is not complete.
  const page = await at.open('/settings/leave_policies', { mayTell: /422/ })
  await page.getByRole('button', { name: 'Add leave policy' }).click()
  const panel = page.getByRole('dialog')
  const choose = async (field: string, option: string) => {
    await panel.getByRole('combobox', { name: field }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  const fill = (field: string, value: string) => panel.getByLabel(field, { exact: true }).fill(value)
  await panel.getByRole('textbox', { name: 'Name' }).fill('Vacation, 30 days')
  await choose('Leave type', 'Vacation')
  await fill('Amount per year', '28')
  await choose('Accrual interval', 'Yearly')
  await choose('Leave for part-time', 'By working days per week')
  await fill('Days per week that are full-time', '5')
  await panel.getByRole('button', { name: 'Add: More leave after some years' }).click()
  const step = panel.getByRole('group', { name: 'More leave after some years 1' })
  await step.getByLabel('Years of employment').fill('10')
  await step.getByLabel('Amount per year').fill('30')
  await fill('Maximum carry-over', '5')
  await fill('Can be taken until (MM-DD)', '03-31')
  // The example says what this means, before anything is stored.
  const example = panel.getByRole('region', { name: 'Example' })
  await example.getByLabel('Hired on').fill('2010-01-31')
  await example.getByLabel('Days per week').fill('3')
  // Enter there does not create the policy.
  await example.getByLabel('Hired on').press('Enter')
  await example.getByText('18 days', { exact: true }).waitFor()
  await example.getByText(/30 days a year for full time · 18 days a year for this working time/).waitFor()
  assert.equal((await at.service.get('/leave_policies')).body.data.length, 0)
  await page.picture('settings-leave-policy')
  await panel.getByLabel('Amount per year', { exact: true }).first().focus()
  await panel.getByText(/^Example, hired .*: 18 days in/).waitFor()
  await page.picture('settings-leave-policy-line')
  await page.axe()
  page.forgetQuestions()
  await panel.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('Vacation, 30 days added').waitFor()
  await page.done()

  const { service } = at
  const [policy] = (await service.get('/leave_policies')).body.data
  assert.deepEqual(
    [policy.tenure_steps, policy.part_time, policy.carry_over_limit, policy.carry_over_until],
    [[{ years: 10, yearly_amount: 30 }], 'by_days', 5, '03-31'],
  )
  const year = new Date().getUTCFullYear()
  await service.make(`/employees/${ada.id}/leave_types`, {
    leave_type_id: policy.leave_type_id,
    leave_type_policy_id: policy.id,
    effective_on: `${year - 1}-01-01`,
  })
  const changing = await at.open(`/settings/leave_policies/${policy.id}`)
  const change = changing.getByRole('dialog')
  const effects = change.getByRole('region', { name: 'What changes for people with this policy' })
  await effects.getByText(/Nobody gets more or less leave/).waitFor()
  await change.getByLabel('Maximum carry-over', { exact: true }).fill('2')
  const row = effects.getByRole('row', { name: /Ada Lovelace/ }).first()
  await row.getByText(/→/).first().waitFor()
  await effects.getByText('Get less leave').waitFor()
  await row.scrollIntoViewIfNeeded()
  await changing.picture('settings-leave-effects')
  await changing.axe()
  changing.forgetQuestions()
  await changing.done()
  const own = await at.open('/leave', employee())
  await own.getByRole('button', { name: 'Statement: Vacation' }).click()
  const statement = own.getByRole('dialog')
  // 30 days for three of five days a week are 18, and 5 of last year's 18 were carried over.
  await statement.getByRole('cell', { name: `18 days` }).first().waitFor()
  await statement.getByRole('cell', { name: 'Not carried over' }).waitFor()
  const opening = statement.getByRole('table', { name: 'Movements' }).getByRole('row').nth(1)
  assert.equal(await opening.innerText().then((text) => text.replace(/\s+/g, ' ')), `Balance on 31 Dec ${year - 1} 18`)
  await own.picture('leave-statement')
  await own.axe()
  own.forgetQuestions()
  await statement.getByRole('button', { name: String(year - 1) }).click()
  await statement.getByRole('cell', { name: 'Given by the policy' }).waitFor()
  await own.done()
  const phone = await at.open('/leave', { ...employee(), size: PHONE })
  await phone.getByRole('button', { name: 'Statement: Vacation' }).click()
  await phone.getByRole('dialog').getByRole('table', { name: 'Movements' }).waitFor()
  await phone.picture('leave-statement-phone')
  await phone.done()
})

test('HR sets up leave by age, by pay period and for hours worked, and sees only the fields that matter', async () => {
  const page = await at.open('/settings/leave_policies', { mayTell: /422/ })
  await page.getByRole('button', { name: 'Add leave policy' }).click()
  const panel = page.getByRole('dialog')
  const choose = async (field: string, option: string) => {
    await panel.getByRole('combobox', { name: field }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  const fill = (field: string, value: string) => panel.getByLabel(field, { exact: true }).fill(value)
  const isShown = (field: string) => panel.getByLabel(field, { exact: true }).isVisible()
  await choose('Leave type', 'Vacation')
  await fill('Amount per year', '26')
  await choose('Accrual interval', 'Every two weeks')
  await fill('First day of a pay period', '2030-01-07')
  assert.equal(await isShown('Percent of hours worked'), false)
  await panel.getByRole('button', { name: 'Add: Other amounts from an age on' }).click()
  const step = panel.getByRole('group', { name: 'Other amounts from an age on 1' })
  await panel.getByText(/^Needs dates of birth/).waitFor()
  await step.getByLabel('Age in years').fill('50')
  await step.getByLabel('Amount per year').fill('52')
  const example = panel.getByRole('region', { name: 'Example' })
  await example.getByText('26 days', { exact: true }).waitFor()
  await example.getByLabel('Date of birth').fill('1960-05-05')
  await example.getByText('52 days', { exact: true }).waitFor()
  await example.getByText(/Age: \d+/).waitFor()
  await example.scrollIntoViewIfNeeded()
  await page.picture('settings-leave-pay-periods')
  await page.axe()
  await choose('Accrual interval', 'Monthly, for hours worked')
  await fill('Percent of hours worked', '10')
  for (const gone of ['First day of a pay period', 'Leave for part-time', 'Period of joining or leaving', 'Added'])
    assert.equal(await isShown(gone), false, gone)
  await example
    .getByText(/ hours worked give /)
    .first()
    .waitFor()
  await panel.getByLabel('Percent of hours worked', { exact: true }).scrollIntoViewIfNeeded()
  await page.picture('settings-leave-hours-worked')
  page.forgetQuestions()
  await page.setViewportSize(PHONE)
  await panel.getByLabel('Percent of hours worked', { exact: true }).scrollIntoViewIfNeeded()
  await page.picture('settings-leave-hours-worked-phone')
  await page.done()
})

test('errors of steps name the field and its number, in the user’s language', async () => {
  const page = await at.open('/settings/leave_policies', { locale: 'de-DE', mayTell: /422/ })
  await page
    .getByRole('button', { name: /Abwesenheitsregelung.* hinzufügen|Hinzufügen/ })
    .first()
    .click()
  const panel = page.getByRole('dialog')
  await panel.getByRole('combobox', { name: 'Abwesenheitsart' }).click()
  await page.getByRole('option', { name: 'Vacation', exact: true }).click()
  await panel.getByLabel('Anspruch pro Jahr', { exact: true }).fill('28')
  await panel.getByText(/^Beispiel, .*28 Tage/).waitFor()
  const steps = 'Mehr Anspruch nach einigen Jahren'
  const step = async (number: number, years: string) => {
    await panel.getByRole('button', { name: `Hinzufügen: ${steps}` }).click()
    const row = panel.getByRole('group', { name: `${steps} ${number}` })
    await row.getByLabel('Jahre der Beschäftigung').fill(years)
    await row.getByLabel('Anspruch pro Jahr').fill('30')
  }
  await step(1, '0')
  await panel.getByText(`${steps} 1, Jahre der Beschäftigung: Diese Angabe muss mindestens 1 sein.`).waitFor()
  await panel
    .getByRole('group', { name: `${steps} 1` })
    .getByLabel('Jahre der Beschäftigung')
    .fill('5')
  await step(2, '5')
  await panel.getByText(`${steps}: Für dieselbe Zahl von Jahren gibt es zwei Einträge.`).waitFor()
  await panel.getByLabel('Zu nehmen bis (MM-TT)').fill('02-29')
  await panel.getByText(/muss ein Tag des Jahres in der Form MM-TT sein/).waitFor()
  page.forgetQuestions()
  await page.done()
})

longTest(
  'HR sets conditions of a policy, the employee sees at once what is not met, and HR allows an exception',
  async () => {
    const { service } = at
    const grace = await service.hire({ first_name: 'Grace', last_name: 'Hopper', hired_on: '2015-01-01' })
    const type = await service.make('/leave_types', { name: 'Study' })
    const policy = await service.make('/leave_policies', { name: 'Study', leave_type_id: type.id, type: 'external' })
    const assignment = { leave_type_id: type.id, leave_type_policy_id: policy.id, effective_on: '2020-01-01' }
    await service.make(`/employees/${grace.id}/leave_types`, assignment)
    const year = new Date().getUTCFullYear() + 1

    const page = await at.open('/settings/leave_policies')
    await page
      .getByRole('link', { name: 'Study' })
      .or(page.getByRole('button', { name: 'Study' }))
      .first()
      .click()
    const panel = page.getByRole('dialog')
    await panel.getByLabel('Days of notice', { exact: true }).fill('30')
    await panel.getByLabel('Maximum in a row', { exact: true }).fill('5')
    await panel.getByText('Only for people in these groups').waitFor()
    await page.picture('settings-leave-conditions')
    await page.axe()
    page.forgetQuestions()
    await panel.getByRole('button', { name: 'Save' }).first().click()
    await panel.waitFor({ state: 'hidden' })
    await page.goto(new URL('/settings/blocked_periods', page.url()).href)
    await page.getByRole('button', { name: 'Add blocked period' }).click()
    const added = page.getByRole('dialog')
    await added.getByRole('textbox', { name: 'Name' }).fill('Jahresabschluss')
    await added.getByLabel('First day').fill(`${year}-12-15`)
    await added.getByLabel('Last day').fill(`${year}-12-31`)
    page.forgetQuestions()
    await added.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('Jahresabschluss added').waitFor()
    await page.done()

    const who: Who = { role: 'employee', employee_id: grace.id, name: 'Grace Hopper' }
    const own = await at.open('/leave', { ...who, locale: 'de-DE', mayTell: /422/ })
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    await own.getByLabel('Erster Tag').fill(tomorrow)
    await own.getByText(/muss 30 Tage vorher beantragt werden, heute also frühestens für den/).waitFor()
    await own.getByLabel('Erster Tag').fill(`${year}-12-20`)
    await own.getByText(/sind keine Abwesenheiten möglich: Jahresabschluss/).waitFor()
    await own.picture('leave-conditions')
    await own.axe()
    own.forgetQuestions()
    await own.done()

    const hr = await at.open(`/leave?employee_id=${grace.id}`, { mayTell: /422|asked twice: .*directory/ })
    await hr.getByLabel('First day').fill(tomorrow)
    await hr.getByText(/must be requested 30 days in advance/).waitFor()
    await hr.getByLabel('Reason for an exception from the conditions').fill('Agreed before')
    await hr.getByText(/must be requested 30 days in advance/).waitFor({ state: 'hidden' })
    hr.forgetQuestions()
    await hr.getByRole('button', { name: 'Send request' }).click()
    await hr.getByText('Exception: Agreed before').waitFor()
    await hr.done()
  },
)
