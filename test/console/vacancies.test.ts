import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { longTest } from '../thorough.ts'
import { becomes, type Console, PHONE, startConsole, type Watched } from './browser.ts'

/** Vacancies as those who hire make and change them. */

const VACANCIES = '/recruitment/vacancies'
let at: Console
let lead: number
let designer: number
let shared: Record<string, unknown>

before(async () => {
  at = await startConsole()
  const { service } = at
  lead = (await service.hire({ first_name: 'Lea', last_name: 'Lead' })).id
  await service.hire({ first_name: 'Otto', last_name: 'Other' })
  const pipeline = await service.make('/recruitment/pipelines', { name: 'Standard', stages: ['Applied', 'Offer'] })
  shared = {
    description: '<p>Build</p>',
    department_id: (await service.make('/departments', { name: 'Engineering' })).id,
    location_id: (await service.make('/locations', { name: 'Berlin' })).id,
    employment_type_id: (await service.make('/employment_types', { name: 'Full-time' })).id,
    recruitment_pipeline_id: pipeline.id,
    hiring_lead_user_id: lead,
  }
  await service.make('/recruitment/vacancy_fields', {
    name: 'Cost centre',
    type: 'single_select',
    options: ['North', 'South'],
  })
  designer = (await service.make(VACANCIES, { ...shared, title: 'Designer', state: 'opened', post_on_careers: true }))
    .id
  await service.make(VACANCIES, { ...shared, title: 'Driver' })
})
after(() => at.stop())

const read = async (id: number) => (await at.service.get(`${VACANCIES}/${id}`)).body.data
const choose = async (page: Watched, field: string, option: string) => {
  await page.getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option }).click()
}
const act = async (page: Watched, name: string) => {
  await page.getByRole('button', { name: 'Vacancy actions' }).click()
  page.forgetQuestions()
  await page.getByRole('menuitem', { name }).click()
}

test('a recruiter creates a vacancy, with errors at their fields, and opens it', async () => {
  const page = await at.open('/hiring', { role: 'recruiter', mayTell: /422/ })
  await page.getByRole('link', { name: 'Add vacancy' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('Engineer')
  await page
    .getByRole('textbox', { name: 'Description' })
    .fill('## What you do\n\nBuild **much**\nand well\n\n- bridges\n- towers <i>')
  await page.getByText('Preview', { exact: true }).click()
  const preview = page.getByRole('region', { name: 'Preview' })
  await preview.getByRole('heading', { name: 'What you do' }).waitFor()
  await preview.getByRole('listitem').filter({ hasText: 'towers <i>' }).waitFor()
  await choose(page, 'Department', 'Engineering')
  await choose(page, 'Location', 'Berlin')
  await choose(page, 'Employment type', 'Full-time')
  await choose(page, 'Hiring lead', 'Lea Lead')
  await choose(page, 'Hiring team', 'Otto Other')
  await page.keyboard.press('Escape')
  await choose(page, 'Pipeline', 'Standard')
  await choose(page, 'Cost centre', 'South')
  await page.getByLabel('Minimum salary').fill('5000')
  await page.getByLabel('Maximum salary').fill('400')
  await page.axe()
  await page.picture('vacancy-form-light')
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/cannot be less than (?!min_salary)/).waitFor()
  await page.getByLabel('Maximum salary').fill('6000')
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Draft vacancy created: Engineer').waitFor()
  await page.getByRole('heading', { name: 'Engineer', level: 1 }).waitFor()
  const id = Number(/hiring\/(\d+)/.exec(page.url())?.[1])
  const made = await read(id)
  assert.equal(
    made.description,
    '<h2>What you do</h2><p>Build <strong>much</strong><br />and well</p><ul><li>bridges</li><li>towers &lt;i&gt;</li></ul>',
  )
  assert.deepEqual(
    [made.state, made.minimum_salary, made.maximum_salary, made.collaborators.length, made.custom_fields[0].value],
    ['drafting', 5000, 6000, 1, 'South'],
  )
  await page.getByText('South').waitFor()
  await page.axeToo()
  await page.picture('vacancy-light')
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Open vacancy', exact: true }).click()
  await page.getByText('Engineer: Open').waitFor()
  assert.equal((await read(id)).state, 'opened')
  await page.done()
})

longTest('a vacancy offers only allowed state changes, and one undo reverts a step', async () => {
  const page = await at.open(`/hiring/${designer}`, { role: 'hr' })
  await page.getByRole('button', { name: 'Vacancy actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete vacancy' }).waitFor()
  const offered = await page.getByRole('menuitem').allTextContents()
  assert.deepEqual(offered, [
    'Put vacancy on hold',
    'Close vacancy',
    'Cancel vacancy',
    'View on careers page',
    'Copy vacancy…',
    'Delete vacancy',
  ])
  const address = await page.getByRole('menuitem', { name: 'View on careers page' }).getAttribute('href')
  assert.match(await (await fetch(at.service.url + address)).text(), /Designer/)
  page.forgetQuestions()
  await page.getByRole('menuitem', { name: 'Put vacancy on hold' }).click()
  await page.getByText('Designer: On hold').waitFor()
  assert.equal((await read(designer)).state, 'held')
  await page.getByRole('button', { name: 'Resume vacancy' }).waitFor()
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone').waitFor()
  assert.equal((await read(designer)).state, 'opened')
  await act(page, 'Close vacancy')
  await page.getByText('Designer: Closed').waitFor()
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Reopen vacancy' }).click()
  await page.getByText('Designer: Open').waitFor()
  await page.done()
})

longTest('changes by somebody else are shown before they are overwritten', async () => {
  const rich = '<p>One</p><table><tbody><tr><td>cell</td></tr></tbody></table>'
  const { id } = await at.service.make(VACANCIES, { ...shared, title: 'Tester', description: rich })
  const page = await at.open(`/hiring/${id}/details?edit=1`, { role: 'hr', mayTell: /412|vacancies\/\d+$/ })
  // What cannot be typed is edited as it is, and so is not lost.
  await becomes(() => page.getByRole('textbox', { name: 'Description' }).inputValue(), rich)
  await page.getByRole('textbox', { name: 'Title' }).fill('Test engineer')
  await at.service.send('PUT', `${VACANCIES}/${id}`, { json: { title: 'Quality' } })
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Save' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Quality').waitFor()
  page.forgetQuestions()
  await dialog.getByRole('button', { name: 'Save my values' }).click()
  await page.getByText('Test engineer saved').waitFor()
  const now = await read(id)
  assert.deepEqual([now.title, now.description], ['Test engineer', rich])
  await act(page, 'Delete vacancy')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Test engineer deleted').waitFor()
  await page.getByRole('heading', { name: 'Hiring', level: 1 }).waitFor()
  assert.equal((await at.service.get(`${VACANCIES}/${id}`)).status, 404)
  await page.done()
})

longTest(
  'on a phone vacancies are cards grouped by state; a hiring manager edits their own without seeing pay',
  async () => {
    const who = { role: 'hiring_manager', employee_id: lead, name: 'Lea Lead' }
    const page = await at.open('/hiring?state=drafting', { ...who, size: PHONE, scheme: 'dark' })
    await page.getByRole('listitem').filter({ hasText: 'Driver' }).waitFor()
    await page
      .getByRole('navigation', { name: 'Status' })
      .getByRole('link', { name: /^Draft/ })
      .waitFor()
    await page.axe()
    await page.picture('vacancies-phone')
    await page.getByRole('link', { name: 'Driver' }).click()
    await page.getByRole('button', { name: 'Edit vacancy' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Lorry driver')
    assert.equal(await page.getByLabel('Minimum salary').count(), 0)
    const { width } = await page.locator('html').evaluate((html) => ({ width: html.scrollWidth }))
    assert.ok(width <= PHONE.width, `the page is ${width} wide`)
    await page.axe()
    await page.picture('vacancy-form-phone')
    page.forgetQuestions()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Lorry driver saved').waitFor()
    await becomes(() => page.getByRole('button', { name: 'Open vacancy', exact: true }).count(), 1)
    await page.done()
    const nobody = await at.open('/hiring/new', who)
    await nobody.getByRole('heading', { name: 'You have no access to this' }).waitFor()
    await nobody.done()
  },
)

longTest('a copy is a new draft with the content of the original', async () => {
  const page = await at.open(`/hiring/${designer}`, { role: 'recruiter' })
  await act(page, 'Copy vacancy…')
  await page.getByRole('heading', { name: 'Copy vacancy' }).waitFor()
  await becomes(() => page.getByRole('textbox', { name: 'Title' }).inputValue(), 'Copy of Designer')
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Draft vacancy created: Copy of Designer').waitFor()
  await page.getByRole('heading', { name: 'Copy of Designer', level: 1 }).waitFor()
  const copy = await read(Number(/hiring\/(\d+)/.exec(page.url())?.[1]))
  const of = await read(designer)
  assert.deepEqual([copy.state, copy.post_on_careers], ['drafting', false])
  for (const name of [
    'description',
    'department',
    'location',
    'employment_type',
    'hiring_lead',
    'recruitment_pipeline',
  ])
    assert.deepEqual(copy[name], of[name], name)
  await page.done()
})
