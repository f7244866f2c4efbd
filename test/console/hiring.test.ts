import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { longTest } from '../thorough.ts'
import { becomes, type Console, PHONE, startConsole } from './browser.ts'

let at: Console
let vacancyId: number
let otherId: number
let lead: number
const stageIds: Record<string, number> = {}
const applications: Record<string, number> = {}

const NAMES = ['Ada Lovelace', 'Grace Hopper', 'Alan Turing', 'Edsger Dijkstra', 'Barbara Liskov']

before(async () => {
  at = await startConsole()
  const { service } = at
  lead = (await service.hire({ first_name: 'Lea', last_name: 'Lead' })).id
  const other = (await service.hire({ first_name: 'Otto', last_name: 'Other' })).id
  const stages = ['Applied', 'Interview', 'Offer', 'Hired'].map((name) =>
    name === 'Hired' ? { name, type: 'hired' } : { name },
  )
  const pipeline = await service.make('/recruitment/pipelines', { name: 'Standard', stages })
  for (const { id, name } of pipeline.stages) stageIds[name] = id
  const shared = {
    description: '<p>Build</p>',
    state: 'opened',
    department_id: (await service.make('/departments', { name: 'Engineering' })).id,
    location_id: (await service.make('/locations', { name: 'Berlin' })).id,
    employment_type_id: (await service.make('/employment_types', { name: 'Full-time' })).id,
    recruitment_pipeline_id: pipeline.id,
  }
  const vacancies = '/recruitment/vacancies'
  vacancyId = (await service.make(vacancies, { ...shared, title: 'Engineer', positions: 3, hiring_lead_user_id: lead }))
    .id
  otherId = (await service.make(vacancies, { ...shared, title: 'Designer', hiring_lead_user_id: other })).id
  await service.make('/recruitment/disqualify_reasons', { name: 'Too far away' })
  const source = await service.make('/recruitment/sources', { name: 'Referral' })
  const apply = async (full_name: string, more = {}) => {
    const { id } = await service.make('/recruitment/candidates', { full_name, ...more })
    const made = await service.make(`${vacancies}/${vacancyId}/applications`, { candidate_id: id })
    applications[full_name] = made.id
  }
  for (let n = 20; n > 0; n--) await apply(`Person ${String(n).padStart(2, '0')}`)
  for (const name of NAMES) await apply(name, name === 'Alan Turing' ? { source_id: source.id } : {})
})
after(() => at.stop())

const stageOf = async (name: string) => {
  const found = await at.service.get(`/recruitment/vacancies/${vacancyId}/applications/${applications[name]}`)
  return found.body.data.pipeline_state.name as string
}

test('vacancies link to their board, whose columns load a page each and more on request', async () => {
  const page = await at.open('/hiring', { role: 'recruiter' })
  await page.getByText('2 vacancies').waitFor()
  await page.picture('hiring-light')
  await page.axeToo()
  await page.getByRole('link', { name: 'Engineer' }).click()
  await page.getByRole('heading', { name: 'Engineer', level: 1 }).waitFor()
  const applied = page.getByRole('region', { name: 'Applied' })
  await applied.getByText('25', { exact: true }).waitFor()
  await applied.getByRole('link', { name: 'Barbara Liskov' }).waitFor()
  await becomes(() => applied.getByRole('listitem').count(), 20)
  await page.picture('board-light')
  await page.axe()
  await applied.getByRole('button', { name: 'Show more (5)' }).click()
  await applied.getByRole('link', { name: 'Person 20' }).waitFor()
  await becomes(() => applied.getByRole('listitem').count(), 25)
  await page.done()
})

longTest('a card is moved by keyboard alone, the move is announced, and the focus follows', async () => {
  const page = await at.open(`/hiring/${vacancyId}`, { role: 'recruiter' })
  const applied = page.getByRole('region', { name: 'Applied' })
  const interview = page.getByRole('region', { name: 'Interview' })
  await applied.getByRole('link', { name: 'Grace Hopper' }).focus()
  await page.keyboard.press('ArrowDown')
  page.forgetQuestions()
  await page.keyboard.press('m')
  await page.getByRole('menuitem', { name: 'Interview' }).and(page.locator(':focus')).waitFor()
  await page.axe()
  await page.keyboard.press('Enter')
  await interview.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
  await page.getByText('Ada Lovelace moved to Interview').first().waitFor()
  assert.equal(await stageOf('Ada Lovelace'), 'Interview')
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  await becomes(focused, 'Actions for Ada Lovelace')
  await page.done()
})

test('a card can be dragged to another stage', async () => {
  const page = await at.open(`/hiring/${vacancyId}?q=hopper`, { role: 'recruiter' })
  const offer = page.getByRole('region', { name: 'Offer' })
  const grace = page.getByRole('listitem').filter({ hasText: 'Grace Hopper' })
  await grace.waitFor()
  page.forgetQuestions()
  await grace.dragTo(offer)
  await offer.getByRole('link', { name: 'Grace Hopper' }).waitFor()
  await page.getByText('Grace Hopper moved to Offer').first().waitFor()
  assert.equal(await stageOf('Grace Hopper'), 'Offer')
  await page.done()
})

longTest('several candidates are disqualified with one reason, and one undo reverts it', async () => {
  const page = await at.open(`/hiring/${vacancyId}`, { role: 'hr' })
  await page.getByRole('checkbox', { name: 'Select Edsger Dijkstra' }).check()
  await page.getByRole('checkbox', { name: 'Select Barbara Liskov' }).check()
  await page.getByText('2 selected').waitFor()
  await page.picture('board-selected')
  await page.getByRole('button', { name: 'Disqualify…' }).click()
  await page.getByRole('dialog', { name: 'Disqualify 2 candidates' }).waitFor()
  await page.getByRole('combobox', { name: 'Reason' }).click()
  await page.getByRole('option', { name: 'Too far away' }).click()
  await page.getByRole('textbox', { name: 'Comment' }).fill('Lives on the moon')
  await page.axe()
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Disqualify', exact: true }).click()
  await page.getByText('2 candidates disqualified').waitFor()
  await page.getByText('Disqualified (2)').click()
  await page.getByRole('listitem').filter({ hasText: 'Barbara Liskov' }).getByText('Too far away').waitFor()
  assert.match(page.url(), /show=disqualified/)
  await page.picture('board-disqualified')
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await page.getByText('Disqualified (0)').waitFor()
  await page.done()
})

longTest('board filters are in the URL, and a candidate can be added', async () => {
  const page = await at.open(`/hiring/${vacancyId}`, { role: 'recruiter' })
  await page.getByRole('link', { name: 'Barbara Liskov' }).waitFor()
  await page.getByRole('combobox', { name: 'Source' }).click()
  await page.getByRole('option', { name: 'Referral' }).click()
  await page.getByRole('link', { name: 'Barbara Liskov' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Alan Turing' }).waitFor()
  assert.match(page.url(), /source_id=\d+/)
  await page.goBack()
  await page.getByRole('link', { name: 'Barbara Liskov' }).waitFor()
  await page.getByRole('button', { name: 'Add candidate' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Katherine Johnson')
  await page.axe()
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Katherine Johnson added').waitFor()
  await page.getByRole('link', { name: 'Katherine Johnson' }).waitFor()
  await page.done()
})

longTest('a hiring manager adds a new or known candidate, and learns nothing of inaccessible ones', async () => {
  const { service } = at
  const mine = await service.make('/recruitment/candidates', { full_name: 'Mary Known', email: 'mary@example.com' })
  const second = (await service.get(`/recruitment/vacancies/${vacancyId}`)).body.data
  const { id } = await service.make('/recruitment/vacancies', {
    title: 'Tester',
    state: 'opened',
    description: '<p>Test</p>',
    department_id: second.department.id,
    location_id: second.location.id,
    employment_type_id: second.employment_type.id,
    recruitment_pipeline_id: second.recruitment_pipeline.id,
    hiring_lead_user_id: lead,
  })
  await service.make('/recruitment/candidates', { full_name: 'Hidden Person', email: 'hidden@example.com' })
  await service.make(`/recruitment/vacancies/${vacancyId}/applications`, { candidate_id: mine.id })
  const page = await at.open(`/hiring/${id}`, { role: 'hiring_manager', employee_id: lead, mayTell: /422/ })
  await page.getByRole('button', { name: 'Add candidate' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add candidate' })
  const save = async (name: string, email: string) => {
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
    await dialog.getByRole('textbox', { name: 'E-mail' }).fill(email)
    page.forgetQuestions()
    await dialog.getByRole('button', { name: 'Save' }).click()
  }
  await save('Somebody', 'hidden@example.com')
  await dialog
    .getByText(/taken|already/i)
    .first()
    .waitFor()
  assert.equal(await page.getByText('Hidden Person').count(), 0)
  await save('Mary', 'mary@example.com')
  await dialog.getByText('Mary Known already has this e-mail address.').waitFor()
  await page.axe()
  page.forgetQuestions()
  await dialog.getByRole('button', { name: 'Add Mary Known' }).click()
  await page.getByRole('link', { name: 'Mary Known' }).waitFor()
  await page.getByRole('button', { name: 'Add candidate' }).click()
  await save('Nina New', 'nina@example.com')
  await page.getByText('Nina New added').waitFor()
  await page.getByRole('link', { name: 'Nina New' }).waitFor()
  page.forgetQuestions()
  await service.put(`/recruitment/vacancies/${id}`, { state: 'closed' })
  await page.getByRole('button', { name: 'Add candidate' }).waitFor({ state: 'detached' })
  await page.done()
})

longTest('a card that somebody else moved during a drag stays there, with a message', async () => {
  // The feed tells of it, too, sooner or later.
  const page = await at.open(`/hiring/${vacancyId}?q=Person+01`, { role: 'recruiter', mayTell: /409|asked twice/ })
  const card = page.getByRole('listitem').filter({ hasText: 'Person 01' })
  await card.hover()
  await page.mouse.down()
  const interview = page.getByRole('region', { name: 'Interview' })
  const to = await interview.boundingBox()
  if (!to) throw new Error('no place to drop')
  await page.mouse.move(to.x + 60, to.y + 60, { steps: 5 })
  page.forgetQuestions()
  const place = `/recruitment/vacancies/${vacancyId}/applications/${applications['Person 01']}/move`
  await at.service.put(place, { pipeline_stage_id: stageIds.Offer })
  await page.mouse.move(to.x + 70, to.y + 70)
  await page.mouse.up()
  await page.getByText('Somebody else has moved Person 01 to Offer in the meantime.').waitFor()
  await page.getByRole('region', { name: 'Offer' }).getByRole('link', { name: 'Person 01' }).waitFor()
  assert.equal(await stageOf('Person 01'), 'Offer')
  await page.done()
})

longTest('a card in the hired stage without an employee offers to create one', async () => {
  const place = `/recruitment/vacancies/${vacancyId}/applications/${applications['Person 02']}/move`
  assert.equal((await at.service.put(place, { pipeline_stage_id: stageIds.Hired })).status, 200)
  const page = await at.open(`/hiring/${vacancyId}?q=Person+02`, { role: 'recruiter' })
  const hired = page.getByRole('region', { name: 'Hired' })
  await hired.getByRole('link', { name: 'Create employee record for Person 02' }).waitFor()
  await page.getByRole('button', { name: 'Actions for Person 02' }).click()
  await page.getByRole('menuitem', { name: 'Hire…' }).waitFor()
  await page.keyboard.press('Escape')
  await page.done()
  const offered = await at.open(`/hiring/${vacancyId}?q=Person+02`, { role: 'recruiter' })
  await offered.getByRole('link', { name: 'Create employee record for Person 02' }).click()
  await offered.getByRole('dialog', { name: 'Hire Person 02' }).waitFor()
  await becomes(() => offered.getByRole('textbox', { name: 'First name' }).inputValue(), 'Person')
  await offered.done()
})

longTest(
  'dragging a card to the hired stage opens the hire form, and cancelling it keeps the card in its stage',
  async () => {
    const hr = await at.open(`/hiring/${vacancyId}?q=Person+03`, { role: 'recruiter' })
    await hr.getByRole('button', { name: 'Actions for Person 03' }).click()
    await hr.getByRole('menuitem', { name: 'Hire…' }).waitFor()
    assert.equal(await hr.getByRole('menuitem', { name: 'Hired' }).count(), 0)
    await hr.keyboard.press('Escape')
    hr.forgetQuestions()
    await hr
      .getByRole('listitem')
      .filter({ hasText: 'Person 03' })
      .dragTo(hr.getByRole('region', { name: 'Hired' }))
    await hr.getByRole('dialog', { name: 'Hire Person 03' }).waitFor()
    await hr.axe()
    await hr.getByRole('button', { name: 'Cancel' }).click()
    assert.equal(await stageOf('Person 03'), 'Applied')
    await hr.done()
  },
)

longTest('a hiring manager sees only the vacancies they lead, also on a phone', async () => {
  const who = { role: 'hiring_manager', employee_id: lead }
  const page = await at.open('/hiring', { ...who, size: PHONE })
  await page.getByText('1 vacancy').waitFor()
  await page.getByRole('link', { name: 'Engineer' }).click()
  const applied = page.getByRole('region', { name: 'Applied' })
  await applied.getByRole('button', { name: 'Actions for Person 04' }).click()
  page.forgetQuestions()
  await page.getByRole('menuitem', { name: 'Interview' }).click()
  await page.getByText('Person 04 moved to Interview').first().waitFor()
  const { width } = await page.locator('html').evaluate((html) => ({ width: html.scrollWidth }))
  assert.ok(width <= PHONE.width, `the page is ${width} wide`)
  await page.picture('board-phone')
  await page.axe()
  await page.done()
  const others = await at.open(`/hiring/${otherId}`, { ...who, mayTell: /404/ })
  await others.getByRole('heading', { name: 'Not found' }).waitFor()
  await others.done()
  const nobody = await at.open('/hiring', { role: 'employee' })
  await nobody.getByRole('heading', { name: 'You have no access to this' }).waitFor()
  await nobody.done()
})
