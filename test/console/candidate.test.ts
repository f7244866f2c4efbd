import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { longTest } from '../thorough.ts'
import { type Console, chooseFound, PHONE, startConsole, type Watched } from './browser.ts'

let at: Console
let vacancyId: number
let vacancyOf: (title: string) => Promise<number>
let gradId: number
let duplicateId: number
let lead: number

/** As small as a PDF can be. */
const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>endobj
trailer<</Root 1 0 R>>`
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

before(async () => {
  at = await startConsole()
  const { service } = at
  lead = (await service.hire({ first_name: 'Lea', last_name: 'Lead' })).id
  const stages = [{ name: 'Applied' }, { name: 'Interview' }, { name: 'Hired', type: 'hired' }]
  const pipeline = await service.make('/recruitment/pipelines', { name: 'Standard', stages })
  const base = {
    description: '<p>Build</p>',
    state: 'opened',
    department_id: (await service.make('/departments', { name: 'Engineering' })).id,
    location_id: (await service.make('/locations', { name: 'Berlin' })).id,
    employment_type_id: (await service.make('/employment_types', { name: 'Full-time' })).id,
    recruitment_pipeline_id: pipeline.id,
    hiring_lead_user_id: lead,
  }
  vacancyOf = async (title) => (await service.make('/recruitment/vacancies', { title, ...base })).id
  vacancyId = await vacancyOf('Engineer')
  const candidate = async (values: Record<string, unknown>) =>
    (await service.make('/recruitment/candidates', values)).id as number
  gradId = await candidate({
    full_name: 'Grace Hopper',
    email: 'grace@example.com',
    phone_numbers: ['+1 202 555 0101'],
    position: 'Engineer',
    urls: ['https://example.com/grace', 'javascript:alert(1)'],
    cover_letter: 'I would like to join.',
    resume: `data:application/pdf;base64,${Buffer.from(PDF).toString('base64')}`,
  })
  duplicateId = await candidate({ full_name: 'Grace Hopper', location: 'Arlington', skills: ['COBOL'] })
  const sent = { filename: 'diploma.png', attachment: `data:image/png;base64,${PIXEL}` }
  await service.make(`/recruitment/candidates/${gradId}/documents`, sent)
  await service.make(`/recruitment/vacancies/${vacancyId}/applications`, { candidate_id: gradId })
})
after(() => at.stop())

test('the CV is shown next to the notes; a recruiter adds a note and schedules a task', async () => {
  const page = await at.open('/healthz', { role: 'recruiter' })
  // As a browser that shows a PDF by itself, unlike all pages here.
  await page.addInitScript(() => Object.defineProperty(navigator, 'pdfViewerEnabled', { value: true }))
  await page.goto(new URL(`/candidates/${gradId}?vacancy=${vacancyId}`, page.url()).href)
  await page.getByRole('heading', { name: 'Grace Hopper', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Board: Engineer' }).waitFor()
  await page.getByTitle('Preview of CV of Grace Hopper').waitFor()
  assert.equal(await page.getByRole('link', { name: /javascript/ }).count(), 0)
  await page.picture('candidate-light')
  await page.axe()
  page.forgetQuestions()
  await page.getByRole('textbox', { name: 'New note' }).fill('Knows compilers')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Note added').waitFor()
  await page.getByText('Knows compilers', { exact: true }).waitFor()
  await page.getByRole('combobox', { name: 'File' }).click()
  await page.getByRole('option', { name: 'diploma.png' }).click()
  await page.getByRole('img', { name: 'Preview of diploma.png' }).waitFor()
  assert.match(page.url(), /file=\d+/)
  await page.getByRole('button', { name: 'Add task' }).click()
  await page.getByRole('textbox', { name: 'Task' }).fill('Interview Grace')
  await chooseFound(page, page.getByRole('combobox', { name: 'Assignee' }), 'Lea', 'Lea Lead')
  await page.axeToo()
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Task for Lea Lead added').waitFor()
  await page.getByText('Interview Grace', { exact: true }).waitFor()
  await page.done()
})

longTest('a browser that shows no PDF offers the CV for download', async () => {
  const page = await at.open(`/candidates/${gradId}?vacancy=${vacancyId}`, { role: 'recruiter' })
  await page.getByText('No preview for this file type. Download the file to open it.').waitFor()
  await page.getByRole('link', { name: 'Download' }).waitFor()
  await page.done()
})

longTest('merging duplicates shows a preview first and can be undone', async () => {
  const page = await at.open(`/candidates/${gradId}`, { role: 'recruiter' })
  await page.getByRole('button', { name: 'Merge…' }).click()
  await page.getByRole('dialog', { name: 'Merge with Grace Hopper' }).waitFor()
  await page.getByRole('row', { name: /Location – Arlington Arlington/ }).waitFor()
  await page.picture('candidate-merge')
  await page.axe()
  assert.equal((await at.service.get(`/recruitment/candidates/${gradId}`)).body.data.location, null)
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Merge candidates' }).click()
  await page.getByText('Merged with Grace Hopper').waitFor()
  await page.getByText('Arlington').first().waitFor()
  assert.notEqual((await at.service.get(`/recruitment/candidates/${duplicateId}`)).status, 200)
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await page.getByRole('button', { name: 'Merge…' }).waitFor()
  assert.equal((await at.service.get(`/recruitment/candidates/${duplicateId}`)).status, 200)
  await page.done()
})

longTest(
  'a known candidate is added to another vacancy, and a merge asks which of two applications stays',
  async () => {
    const page = await at.open(`/candidates/${duplicateId}`, { role: 'recruiter' })
    await page.getByRole('button', { name: 'Add to vacancy' }).click()
    await page.getByRole('combobox', { name: 'Vacancy' }).click()
    await page.getByRole('option', { name: 'Engineer' }).click()
    page.forgetQuestions()
    await page.getByRole('dialog').getByRole('button', { name: 'Add to vacancy' }).click()
    await page.getByText('Grace Hopper added to the vacancy').waitFor()
    await page.getByRole('button', { name: 'Merge…' }).click()
    await page.getByRole('radiogroup', { name: /Both applied for “Engineer”/ }).waitFor()
    await page.getByRole('radio', { name: /^Other candidate/ }).check()
    await page.getByRole('row', { name: /E-mail/ }).waitFor()
    await page.axe()
    await page.picture('candidate-merge-duplicates')
    page.forgetQuestions()
    // The other one, whom the next tests look at, stays: here it is only looked at what comes of it.
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.done()
    const merged = { duplicate_id: duplicateId, keep_application_ids: [(await applicationsOf(gradId))[0]] }
    assert.equal((await at.service.post(`/recruitment/candidates/${gradId}/merge`, merged)).status, 200)
  },
)

const applicationsOf = async (id: number): Promise<number[]> =>
  (await at.service.get(`/recruitment/candidates/${id}`)).body.data.applications.map((one: any) => one.id)

longTest('a hiring manager records consent and moves a candidate on a phone, but cannot hire', async () => {
  const page = await at.open(`/candidates/${gradId}`, { role: 'hiring_manager', employee_id: lead, size: PHONE })
  await page.getByRole('button', { name: 'Record consent' }).click()
  await page.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Given' }).click()
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Consent recorded').waitFor()
  await page.getByRole('button', { name: 'Move to stage… Engineer' }).click()
  await page.getByRole('menuitem', { name: 'Interview' }).waitFor()
  assert.equal(await page.getByRole('menuitem', { name: 'Hire…' }).count(), 0)
  page.forgetQuestions()
  await page.getByRole('menuitem', { name: 'Interview' }).click()
  await page.getByText('Moved to Interview').waitFor()
  const { width } = await page.locator('html').evaluate((html) => ({ width: html.scrollWidth }))
  assert.ok(width <= PHONE.width, `the page is ${width} wide`)
  await page.picture('candidate-phone')
  await page.axe()
  await page.done()
})

test('somebody who may hire creates the employee with the first salary', async () => {
  const page = await at.open(`/candidates/${gradId}?vacancy=${vacancyId}&hire=1`, {
    role: 'hr',
    scheme: 'dark',
    mayTell: /422/,
  })
  await page.getByRole('dialog', { name: 'Hire Grace Hopper' }).waitFor()
  // Without a first day of work nobody is hired, today either.
  const firstDay = page.getByLabel('First day of work')
  const given = await firstDay.inputValue()
  assert.ok(await firstDay.evaluate((input: HTMLInputElement) => input.required))
  await firstDay.fill('')
  await page.getByRole('button', { name: 'Hire', exact: true }).click()
  assert.ok(await firstDay.evaluate((input: HTMLInputElement) => input.validity.valueMissing))
  await firstDay.fill(given)
  await page.getByRole('textbox', { name: 'Salary' }).fill('many')
  await page.getByRole('button', { name: 'Hire', exact: true }).click()
  await page.getByRole('textbox', { name: 'Salary' }).and(page.locator('[aria-invalid="true"]')).waitFor()
  await page.getByRole('textbox', { name: 'Salary' }).fill('60000')
  await page.getByRole('combobox', { name: 'Currency' }).fill('Euro')
  await page.getByRole('option', { name: /^Euro/ }).first().click()
  await page.getByRole('combobox', { name: 'Per' }).click()
  await page.getByRole('option', { name: 'Year' }).click()
  await page.picture('candidate-hire-dark')
  await page.axe()
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Hire', exact: true }).click()
  await page.getByText('Grace Hopper hired').waitFor()
  await page.getByText(/Hired as employee \d+/).waitFor()
  await page.picture('candidate-dark')
  const { employee_id } = (await at.service.get(`/recruitment/candidates/${gradId}`)).body.data
  const [salary] = (await at.service.get(`/employees/${employee_id}/salaries`)).body.data
  assert.equal(Number(salary.amount), 60_000)
  await page.done()
})

/** Somebody who was employed until 31 Aug 2024, and a candidate with their private e-mail address. */
async function former(first_name: string, isGone = true) {
  const { service } = at
  const email = `${first_name.toLowerCase()}@example.net`
  const { id } = await service.hire({ first_name, last_name: 'Palmer', hired_on: '2023-01-01', personal_email: email })
  if (isGone) await service.post(`/employees/${id}/terminate`, { effective_from: '2024-09-01' })
  const candidate = await service.make('/recruitment/candidates', { full_name: `${first_name} Palmer`, email })
  return { id, candidate: candidate.id as number }
}

const apply = (vacancy: number, candidate_id: number) =>
  at.service.make(`/recruitment/vacancies/${vacancy}/applications`, { candidate_id })

longTest('a candidate who has worked here is hired again as the same employee, as often as they leave', async () => {
  const { service } = at
  const { id, candidate } = await former('Callum')
  const [designer, writer] = [await vacancyOf('Designer'), await vacancyOf('Writer')]
  await apply(designer, candidate)
  const employments = async () => (await service.get(`/employees/${id}/employments`)).body.data
  const page = await at.open(`/candidates/${candidate}?vacancy=${designer}&hire=1`, { role: 'hr', mayTell: /422/ })
  const dialog = page.getByRole('dialog', { name: 'Rehire Callum Palmer' })
  await dialog.getByText(/Callum Palmer worked here until 31 Aug 2024\./).waitFor()
  await dialog.getByText(/Starts a new employment with the job details of the vacancy “Designer”/).waitFor()
  assert.equal(await page.getByText(/Creates an employee record|already taken/).count(), 0)
  await dialog.getByLabel('First day of work').fill('2024-08-31')
  await dialog.getByRole('button', { name: 'Rehire' }).click()
  await dialog.getByText(/must be on or after/).waitFor()
  await page.picture('candidate-rehire')
  await page.axe()
  await dialog.getByLabel('First day of work').fill('2025-02-03')
  page.forgetQuestions()
  await dialog.getByRole('button', { name: 'Rehire' }).click()
  await page.getByText('Callum Palmer rehired').waitFor()
  await page.getByText(`Hired as employee ${id}`).waitFor()
  assert.deepEqual(
    (await employments()).map((one: any) => one.hired_on),
    ['2023-01-01', '2025-02-03'],
  )
  await page.done()

  await service.post(`/employees/${id}/terminate`, { effective_from: '2025-06-01' })
  const { id: next } = await apply(writer, candidate)
  const again = await at.open(`/candidates/${candidate}?vacancy=${writer}`, { role: 'hr', size: PHONE })
  await again.getByText(`Former employee ${id}, until 31 May 2025`).waitFor()
  await again.getByRole('button', { name: 'Add to vacancy' }).waitFor()
  assert.equal(await again.getByRole('button', { name: 'Move to stage… Designer' }).count(), 0, 'that one is settled')
  await again.picture('candidate-former-phone')
  await again.axe()
  await again.getByRole('button', { name: 'Move to stage… Writer' }).click()
  again.forgetQuestions()
  await again.getByRole('menuitem', { name: 'Interview' }).click()
  await again.getByText('Moved to Interview').waitFor()
  again.forgetQuestions()
  await again.goto(new URL(`/hiring/${writer}`, again.url()).href)
  await again.locator(`[data-application="${next}"][data-movable]`).waitFor()
  await again.getByRole('button', { name: /Callum Palmer/ }).click()
  await again.getByRole('menuitem', { name: 'Hire…' }).click()
  await dialogOf(again, 'Rehire Callum Palmer')
    .getByText(/Callum Palmer worked here until 31 May 2025\./)
    .waitFor()
  await again.picture('candidate-rehire-phone')
  again.forgetQuestions()
  await dialogOf(again, 'Rehire Callum Palmer').getByRole('button', { name: 'Rehire' }).click()
  await again.getByText('Callum Palmer rehired').waitFor()
  assert.equal((await employments()).length, 3)
  await again.done()
})

const dialogOf = (page: Watched, name: string) => page.getByRole('dialog', { name })

test('the hire dialog says that a candidate already works here, and links to their profile', async () => {
  const { id, candidate } = await former('Dora', false)
  const vacancy = await vacancyOf('Tester')
  await apply(vacancy, candidate)
  const path = `/candidates/${candidate}?vacancy=${vacancy}&hire=1`
  const page = await at.open(path, { role: 'hr', scheme: 'dark', mayTell: /422/ })
  const dialog = dialogOf(page, 'Hire Dora Palmer')
  await dialog.getByText(/Dora Palmer already works here/).waitFor()
  assert.equal(await dialog.getByRole('link', { name: 'Dora Palmer' }).getAttribute('href'), `/people/${id}`)
  assert.equal(await dialog.getByRole('textbox').count(), 0)
  await page.picture('candidate-works-here-dark')
  await page.axe()
  await page.done()
})

longTest('a recruiter is told to ask HR, and not who the former employee is', async () => {
  const { id, candidate } = await former('Edith')
  const vacancy = await vacancyOf('Analyst')
  await apply(vacancy, candidate)
  const path = `/candidates/${candidate}?vacancy=${vacancy}&hire=1`
  const page = await at.open(path, { role: 'recruiter', mayTell: /422|403/ })
  const dialog = dialogOf(page, 'Hire Edith Palmer')
  await dialog.getByText(/belongs to a current or former employee\. Ask somebody who can edit employees/).waitFor()
  assert.equal(await dialog.getByText(String(id)).count(), 0)
  await page.picture('candidate-belongs-to-employee')
  await page.axe()
  const [application] = await applicationsOf(candidate)
  const hire = `/recruitment/vacancies/${vacancy}/applications/${application}/hire`
  assert.equal((await at.service.post(hire, { employee_id: id, hired_on: '2024-09-01' })).status, 200)
  await at.service.post(`/employees/${id}/terminate`, { effective_from: '2025-01-01' })
  const next = await vacancyOf('Auditor')
  await apply(next, candidate)
  page.forgetQuestions()
  await page.goto(new URL(`/candidates/${candidate}?vacancy=${next}&hire=1`, page.url()).href)
  await dialog.getByText('This candidate has worked here before. Ask somebody who can edit employees').waitFor()
  await page.done()
})

longTest('an unknown candidate and a missing permission show a message', async () => {
  const page = await at.open('/candidates/987654', { role: 'recruiter', mayTell: /404/ })
  await page.getByRole('heading', { name: 'Not found' }).waitFor()
  await page.axe()
  await page.done()
  const nobody = await at.open(`/candidates/${gradId}`, { role: 'employee' })
  await nobody.getByRole('heading', { name: 'You have no access to this' }).waitFor()
  await nobody.done()
})
