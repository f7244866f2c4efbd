import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { longTest } from '../thorough.ts'
import { becomes, type Console, PHONE, startConsole, type Watched } from './browser.ts'

/** What the page shows beside its field, the browser tells as well. */
const REFUSED = /status of 422/

let at: Console
let boss: any
let ann: any
let carl: any
let cycle: any
before(async () => {
  at = await startConsole()
  const { service } = at
  const hired = { hired_on: '2020-01-01' }
  boss = await service.hire({ first_name: 'Bea', last_name: 'Boss', ...hired })
  ann = await service.hire({ first_name: 'Ann', last_name: 'Lead', reporting_to_id: boss.id, ...hired })
  carl = await service.hire({ first_name: 'Carl', last_name: 'Maker', reporting_to_id: ann.id, ...hired })
  const indicator = await service.make('/performance/key_performance_indicators', {
    title: 'Customers won',
    kpi_type: 'individual',
    user_id: carl.id,
    metric: 'number',
    start_value: '0',
    target_value: '100',
    starts_on: '2026-01-01',
    ends_on: '2026-12-31',
  })
  const results = `/performance/key_performance_indicators/${indicator.id}/key_performance_indicator_results`
  for (const [occurred_on, value] of [
    ['2026-02-01', '12'],
    ['2026-05-01', '35'],
    ['2026-08-01', '58'],
  ])
    await service.make(results, { occurred_on, value })
  await service.make('/performance/key_performance_indicators', {
    title: 'Secret of the boss',
    kpi_type: 'individual',
    user_id: boss.id,
    metric: 'percentage',
  })
  cycle = await service.make('/performance/review_cycles', {
    name: 'Autumn review',
    starts_on: new Date().toISOString().slice(0, 10),
    ends_on: '2199-12-31',
  })
  const path = `/performance/review_cycles/${cycle.id}`
  await service.make(`${path}/questions`, { type: 'text', title: 'What went well?', required: true })
  await service.make(`${path}/questions`, { type: 'scale', title: 'How is the teamwork?', required: true })
  await service.make(`${path}/questions`, {
    type: 'choice',
    title: 'What next?',
    options: ['Stay', 'Grow'],
    required: false,
  })
  await service.make(`${path}/reviews`, { employee_id: carl.id })
})
after(() => at.stop())

test('a user adds a result, sees it in chart and numbers, and undoes it', async () => {
  const page = await at.open('/performance', { role: 'hr', mayTell: REFUSED })
  await page.getByText('2 indicators').waitFor()
  await page.axeToo()
  await page.picture('performance')
  await page.getByRole('link', { name: 'Customers won' }).click()
  await page.getByRole('img', { name: 'Customers won: results over time' }).waitFor()
  await becomes(() => page.locator('circle').count(), 3)
  await page.getByRole('button', { name: 'Add result' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add result' })
  await dialog.getByLabel('Value').fill('many')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText(/must be/).waitFor()
  page.forgetQuestions()
  await dialog.getByLabel('Value').fill('80')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: '80', exact: true }).waitFor()
  await page.getByText('80 of 100').waitFor()
  await page.waitForFunction(() => document.querySelectorAll('circle').length === 4)
  await page.axe()
  await page.picture('performance-indicator')
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('58 of 100').waitFor()
  await page.goBack()
  await page.getByText('2 indicators').waitFor()
  await page.done()
})

test('an objective with key results is created and updated', async () => {
  const page = await at.open('/performance/objectives', { role: 'hr' })
  await page.getByRole('heading', { name: 'No objectives yet' }).waitFor()
  await page.getByRole('button', { name: 'Add objective' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add objective' })
  await dialog.getByLabel('Title').fill('Grow in the north')
  await dialog.getByLabel('Key result 1', { exact: true }).fill('Ten new customers')
  await dialog.getByLabel('Target of key result 1').fill('10')
  page.forgetQuestions()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Grow in the north' }).waitFor()
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Update progress: Grow in the north' }).click()
  await page.getByRole('dialog').getByLabel('Ten new customers').fill('4')
  page.forgetQuestions()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByText('4 of 10').waitFor()
  await page.axe()
  await page.picture('performance-objectives')
  await page.done()
})

test('a reviewed employee answers on a phone; HR sees the progress and the shared results', async () => {
  const opening = await at.open(`/performance/reviews/${cycle.id}`, { role: 'hr' })
  await opening.getByText('What went well?').waitFor()
  await opening.getByRole('link', { name: 'Carl Maker' }).waitFor()
  opening.forgetQuestions()
  await opening.getByRole('button', { name: 'Open cycle' }).click()
  await opening.getByText('Review cycle opened').waitFor()
  await opening.done()

  const page = await at.open('/performance/reviews', {
    role: 'employee',
    employee_id: carl.id,
    size: PHONE,
    mayTell: REFUSED,
  })
  await page.getByRole('link', { name: 'Write review: Self-review' }).click()
  await page.getByRole('heading', { level: 1, name: 'Self-review' }).waitFor()
  await page.getByLabel('What went well?').fill('The bridge stands.')
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Submit review' }).click()
  await page.getByText('Answer this question').waitFor()
  await page.axe()
  await page.picture('performance-answer-phone')
  await page.getByRole('radiogroup', { name: 'How is the teamwork?' }).getByLabel('4').check()
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Submit review' }).click()
  await page.getByText('You have submitted this review.').waitFor()
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'scrolls sideways')
  await page.picture('performance-handed-in-phone')
  await page.done()

  const hr = await at.open(`/performance/reviews/${cycle.id}`, { role: 'hr' })
  await hr.getByText('1 of 2 submitted').first().waitFor()
  await hr.axeToo()
  await hr.picture('performance-cycle')
  await hr.getByRole('link', { name: 'Carl Maker' }).click()
  await hr.getByText('The bridge stands.').waitFor()
  await hr.axeToo()
  await hr.picture('performance-review')
  await hr.done()
})

longTest('answers typed in two tabs are all kept', async () => {
  const own = { role: 'employee', employee_id: carl.id, mayTell: /asked twice/ } as const
  const path = `/performance/review_cycles/${cycle.id}`
  const { data } = (await at.service.get(`${path}/reviews`)).body
  const { id } = data.find((one: { employee_id: number }) => one.employee_id === carl.id)
  const [participant] = (await at.service.get(`${path}/reviews/${id}/review_participants`)).body.data
  await at.service.send('POST', `${path}/reviews/${id}/review_participants/${participant.id}/revise`)
  const [one, other] = [
    await at.open(`/performance/reviews/${cycle.id}/${id}`, own),
    await at.open(`/performance/reviews/${cycle.id}/${id}`, own),
  ]
  const text = (page: Watched) => page.getByLabel('What went well?')
  await text(other).waitFor()
  await text(one).fill('Two bridges stand.')
  await one.getByRole('button', { name: 'Save draft' }).click()
  await one.getByText('Draft saved').waitFor()
  await becomes(() => one.getByRole('button', { name: 'Save draft' }).isDisabled(), true)
  await other.getByRole('radiogroup', { name: 'How is the teamwork?' }).getByLabel('5').check()
  await other.getByRole('button', { name: 'Submit review' }).click()
  await other.getByText('You have submitted this review.').waitFor()
  await other.getByText('Two bridges stand.').waitFor()
  await one.done()
  await other.done()
})

longTest('a manager answers for a report and sees nothing of people above', async () => {
  const page = await at.open('/performance', { role: ['manager', 'employee'], employee_id: ann.id })
  await page.getByRole('link', { name: 'Customers won' }).waitFor()
  assert.equal(await page.getByText('Secret of the boss').count(), 0)
  await page.getByRole('link', { name: 'Reviews' }).click()
  await page.getByRole('link', { name: 'Write review: Review of Carl Maker' }).click()
  await page.getByLabel('What went well?').fill('Much.')
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('Draft saved').waitFor()
  await page.getByText('Two bridges stand.').waitFor()
  // Whoever is above may send back what somebody has handed in, and takes that back.
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Return for changes: Carl Maker' }).click()
  await page.getByText('Returned for changes').first().waitFor()
  await becomes(() => page.getByRole('button', { name: /^Return for changes/ }).count(), 0)
  page.forgetQuestions()
  await page.keyboard.press('z')
  await page.getByText('Undone', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Return for changes: Carl Maker' }).waitFor()
  await page.done()

  const own = await at.open('/performance', { role: 'employee', employee_id: carl.id, scheme: 'dark' })
  await own.getByText('1 indicator').waitFor()
  assert.equal(await own.getByRole('button', { name: 'Add indicator' }).count(), 0)
  await own.picture('performance-dark')
  await own.done()
})

longTest(
  'an objective opens with its current values; own changes are no conflict, and changes by others are explained',
  async () => {
    const objective = await at.service.make('/performance/objectives', {
      title: 'Calm the night',
      owner_id: carl.id,
      key_results: [{ title: 'Alarms', metric: 'number', start: '20', target: '2', current: '9', weight: 1 }],
    })
    const path = `/performance/objectives/${objective.id}`
    const page = await at.open('/performance/objectives', { role: 'hr', mayTell: /asked twice|412/ })
    const dialog = page
      .getByRole('dialog', { name: /^Where/ })
      .or(page.getByRole('dialog').filter({ hasText: 'Alarms' }))
    const alarms = dialog.getByLabel('Alarms')
    const update = async (value: string) => {
      await alarms.fill(value)
      await dialog.getByRole('button', { name: 'Save' }).click()
    }
    await page.getByRole('button', { name: 'Update progress: Calm the night' }).click()
    await update('7')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Update progress: Calm the night' }).click()
    await alarms.waitFor()
    await becomes(() => alarms.inputValue(), '7')
    const [key] = (await at.service.get(path)).body.data.key_results
    await at.service.put(path, { key_results: [{ ...key, start: '20', target: '2', current: '5' }] })
    await update('6')
    const conflict = page.getByRole('dialog', { name: 'Changed by somebody else' })
    await conflict.getByRole('row', { name: 'Alarms: Progress 5 6' }).waitFor()
    await becomes(() => conflict.getByRole('row').count(), 2)
    await conflict.getByRole('button', { name: 'Save my values' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal((await at.service.get(path)).body.data.key_results[0].current, 6)
    await page.done()
  },
)

longTest(
  'a manager can edit the objectives of people who report to them, and gets no edit button for their own ones',
  async () => {
    await at.service.make('/performance/objectives', { title: 'Of Ann herself', owner_id: ann.id })
    const page = await at.open('/performance/objectives', { role: ['manager', 'employee'], employee_id: ann.id })
    await page.getByRole('button', { name: 'Edit: Calm the night' }).waitFor()
    await page.getByRole('heading', { name: 'Of Ann herself' }).waitFor()
    assert.equal(await page.getByRole('button', { name: /Of Ann herself/ }).count(), 0)
    await page.done()
  },
)

longTest('a comment without its rating is kept, and the rating is asked for', async () => {
  const autumn = await at.service.make('/performance/review_cycles', {
    name: 'Short review',
    starts_on: new Date().toISOString().slice(0, 10),
    ends_on: '2199-12-31',
  })
  const path = `/performance/review_cycles/${autumn.id}`
  await at.service.make(`${path}/questions`, { type: 'scale', title: 'How was it?', required: false })
  const review = await at.service.make(`${path}/reviews`, { employee_id: carl.id })
  await at.service.post(`${path}/open`)
  const page = await at.open(`/performance/reviews/${autumn.id}/${review.id}`, {
    role: 'employee',
    employee_id: carl.id,
    mayTell: /asked twice|422/,
  })
  await page.getByLabel('Comment (optional): How was it?').fill('Better than before')
  await page.getByRole('button', { name: 'Submit review' }).click()
  await page.getByText('Answer this question').waitFor()
  await becomes(() => page.getByLabel('Comment (optional): How was it?').inputValue(), 'Better than before')
  await page.getByRole('radiogroup', { name: 'How was it?' }).getByLabel('4').check()
  await page.getByRole('button', { name: 'Submit review' }).click()
  await page.getByText('You have submitted this review.').waitFor()
  const [answer] = (await at.service.get(`${path}/reviews/${review.id}/answers`)).body.data
  assert.deepEqual([answer.rating, answer.comment], [4, 'Better than before'])
  await page.getByRole('link', { name: 'People', exact: true }).click()
  await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
  await page.done()
})
