import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { longTest } from '../thorough.ts'
import { becomes, type Console, letPass, pressSignedOut, startConsole, type Watched, type Who } from './browser.ts'

/** Decisions about leave hit what was pressed, are taken back as far as they can be, and the page says what is so. */

const monday = (weeks: number) => {
  const at = new Date()
  at.setUTCDate(at.getUTCDate() + 7 * weeks + ((8 - at.getUTCDay()) % 7 || 7))
  return at.toISOString().slice(0, 10)
}

let at: Console
let boss: any
let ada: any
let type: any
const manager = (): Who => ({ role: ['manager', 'employee'], employee_id: boss.id, name: 'Barbara Liskov' })
const LOST = /asked twice|Failed to load|ERR_|status of 409/

before(async () => {
  at = await startConsole()
  const { service } = at
  boss = await service.hire({ first_name: 'Barbara', last_name: 'Liskov', hired_on: '2020-01-01' })
  ada = await service.hire({
    first_name: 'Ada',
    last_name: 'Lovelace',
    hired_on: '2020-01-01',
    reporting_to_id: boss.id,
  })
  type = await service.make('/leave_types', { name: 'Holiday' })
  const policy = await service.make('/leave_policies', {
    name: 'Usual',
    leave_type_id: type.id,
    type: 'manual',
    floor: '-99',
  })
  await service.make(`/employees/${ada.id}/leave_types`, {
    leave_type_id: type.id,
    leave_type_policy_id: policy.id,
    effective_on: '2020-01-01',
  })
})
after(() => at.stop())

let week = 0
/** So many requests that wait, of as many weeks, and how they stand. */
async function waiting(count: number) {
  const asked: { id: number; comment: string }[] = []
  for (const { id } of (await at.service.get('/leave_requests?state=pending&per_page=200')).body.data)
    await at.service.send('POST', `/leave_requests/${id}/withdraw`)
  for (let n = 0; n < count; n++) {
    const [day, comment] = [monday(++week), `Week ${week};`]
    const sent = { employee_id: ada.id, leave_type_id: type.id, starts_on: day, ends_on: day, comment }
    asked.push({ id: (await at.service.make('/leave_requests', sent)).id, comment })
  }
  const stateOf = async ({ id }: { id: number }) => (await at.service.get(`/leave_requests/${id}`)).body.data.state
  return {
    ids: asked.map(({ id }) => id),
    states: () => Promise.all(asked.map(stateOf)),
    line: (page: Watched, n: number, list = 'Pending requests') =>
      page.getByRole('list', { name: list }).locator('> li').filter({ hasText: asked[n]?.comment }),
  }
}

const inbox = async (size?: { width: number; height: number }) => {
  const page = await at.open('/leave/approvals?kind=leave', { ...manager(), mayTell: LOST, ...(size ? { size } : {}) })
  await page.getByRole('list', { name: 'Pending requests' }).waitFor()
  return page
}

/** Approves them all, and gives back the message about it. */
async function approveAll(page: Watched, count: number) {
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('button', { name: `Approve ${count} request` }).click()
  const told = page.getByRole('alert').filter({ hasText: `${count} request` })
  await told.waitFor()
  return told
}

for (const size of [
  { width: 360, height: 740 },
  { width: 900, height: 900 },
])
  longTest(`at ${size.width} px a press below the open line hits its intended control`, async () => {
    const { states, line } = await waiting(4)
    const page = await inbox(size)
    await line(page, 0).locator('.leave-details').getByText('Nobody else').waitFor()
    const press = async (name: RegExp, role: 'button' | 'checkbox', n: number) => {
      const control = line(page, n).getByRole(role, { name })
      await control.evaluate((one) => one.scrollIntoView({ block: 'center' }))
      const box = await control.boundingBox()
      assert.ok(box)
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      if (size.width < 600) return page.touchscreen.tap(x, y)
      // As a hand does it: time passes between the two.
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
      await page.mouse.up()
    }
    await press(/^Select/, 'checkbox', 3)
    await page.getByText('1 selected').waitFor()
    await press(/^Select/, 'checkbox', 3)
    await page.getByText('1 selected').waitFor({ state: 'hidden' })
    await press(/^Approve/, 'button', 2)
    await page.getByText(/^Approved: Ada Lovelace/).waitFor()
    await press(/^Reject/, 'button', 1)
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    await page.getByText(/^Rejected: Ada Lovelace/).waitFor()
    assert.deepEqual(await states(), ['pending', 'rejected', 'approved', 'pending'])
    await page.picture(`decisions-${size.width}`)
    await line(page, 1).getByText('Ada Lovelace').click()
    await line(page, 1).locator('.leave-details').getByText('Nobody else').waitFor()
    await page.done()
  })

longTest('undoing several decisions skips those that are already undone', async () => {
  const { states, line } = await waiting(4)
  const page = await inbox()
  const told = await approveAll(page, 4)
  await line(page, 2).getByRole('button', { name: /^Undo/ }).click()
  await line(page, 2)
    .getByRole('button', { name: /^Approve/ })
    .waitFor()
  await told.getByRole('button', { name: 'Undo' }).press('Enter')
  await line(page, 0)
    .getByRole('button', { name: /^Approve/ })
    .waitFor()
  assert.deepEqual(await states(), ['pending', 'pending', 'pending', 'pending'])
  assert.equal(await page.getByText('Can’t undo').count(), 0)
  await page.done()
})

longTest(
  'a decision that cannot be undone does not stop the other undos, and the page shows the actual state',
  async () => {
    const { ids, states, line } = await waiting(3)
    const page = await inbox()
    const told = await approveAll(page, 3)
    await at.service.send('POST', `/leave_requests/${ids[1]}/withdraw`)
    await told.getByRole('button', { name: 'Undo' }).press('Enter')
    const refusal = page.getByRole('alert').filter({ hasText: '2 of 3 changes undone' })
    await refusal.getByText('Has been changed in the meantime').waitFor()
    assert.equal(await refusal.getByRole('button', { name: 'Undo' }).count(), 0)
    for (const n of [0, 2])
      await line(page, n)
        .getByRole('button', { name: /^Approve/ })
        .waitFor()
    assert.deepEqual(await states(), ['pending', 'withdrawn', 'pending'])
    await page.done()
  },
)

longTest('when the response to an undo is lost, the page reloads the state and the undo can be repeated', async () => {
  const { states, line } = await waiting(1)
  const page = await inbox()
  await line(page, 0)
    .getByRole('button', { name: /^Approve/ })
    .click()
  const undo = line(page, 0).getByRole('button', { name: /^Undo/ })
  await page.route(
    '**/undo',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await undo.click()
  const told = page.getByRole('alert').filter({ hasText: 'cannot be reached' })
  await told.waitFor()
  assert.equal(await page.getByText('Can’t undo').count(), 0)
  await line(page, 0)
    .getByRole('button', { name: /^Approve/ })
    .waitFor()
  await told.getByRole('button', { name: 'Undo' }).press('Enter')
  await page.getByText('Undone', { exact: true }).waitFor()
  await told.waitFor({ state: 'detached' })
  assert.deepEqual(await states(), ['pending'])
  await page.done()
})

longTest('a key pressed twice in quick succession decides only one request', async () => {
  const { states } = await waiting(3)
  const page = await inbox()
  await page.keyboard.press('j')
  await page.waitForFunction(() => document.activeElement?.getAttribute('data-key'))
  // Pressed within the page, as soon as the focus has gone on: from here a busy machine may be too late for it.
  await page.evaluate(async () => {
    const press = () => dispatchEvent(new KeyboardEvent('keydown', { key: 'a', code: 'KeyA', cancelable: true }))
    const gone = new Promise((resolve) => addEventListener('focusin', resolve, { once: true }))
    press()
    await gone
    press()
  })
  await page.getByText(/^Approved: Ada Lovelace/).waitFor()
  await letPass(page, 700)
  assert.deepEqual((await states()).sort(), ['approved', 'pending', 'pending'])
  await page.keyboard.press('a')
  await page
    .getByText(/^Approved: Ada Lovelace/)
    .nth(1)
    .waitFor()
  assert.deepEqual((await states()).sort(), ['approved', 'approved', 'pending'])
  await page.done()
})

longTest('messages that stay hide nothing newer, and say what could not be undone', async () => {
  const { line } = await waiting(6)
  const page = await inbox()
  const approve = async (n: number) => {
    await line(page, n)
      .getByRole('button', { name: /^Approve/ })
      .click()
    await line(page, n).getByRole('button', { name: /^Undo/ }).waitFor()
  }
  for (let n = 0; n < 5; n++) await approve(n)
  await page.route('**/undo', (route) => route.abort())
  for (let n = 0; n < 5; n++) await line(page, n).getByRole('button', { name: /^Undo/ }).click()
  const staying = page.getByRole('alert').filter({ hasText: 'cannot be reached' })
  await staying.nth(4).waitFor()
  const texts = await staying.allTextContents()
  assert.ok(texts.every((text) => /Approved: Ada Lovelace/.test(text)))
  assert.equal(new Set(texts).size, 5, 'each says which it is')
  await approve(5)
  await page
    .getByRole('alert')
    .filter({ hasText: /^Approved: Ada Lovelace/ })
    .last()
    .waitFor()
  await page.unroute('**/undo')
  for (let n = 5; n > 0; n--) {
    await staying.last().getByRole('button', { name: 'Undo' }).press('Enter')
    await staying.nth(n - 1).waitFor({ state: 'detached' })
  }
  await page.done()
})

longTest('an error message goes away when the action succeeds later', async () => {
  const { line, states } = await waiting(1)
  const page = await inbox()
  await page.route('**/approve', (route) => route.abort(), { times: 1 })
  const approve = line(page, 0).getByRole('button', { name: /^Approve/ })
  await approve.click()
  const failed = page.getByRole('alert').filter({ hasText: 'cannot be reached' })
  await failed.waitFor()
  await approve.click()
  await page.getByText(/^Approved: Ada Lovelace/).waitFor()
  await failed.waitFor({ state: 'detached' })
  assert.deepEqual(await states(), ['approved'])
  await page.done()
})

longTest("a decision that somebody else made first is reported in the user's language", async () => {
  const { ids, line } = await waiting(1)
  const page = await at.open('/leave/approvals?kind=leave', { ...manager(), mayTell: LOST, locale: 'de-DE' })
  const approve = line(page, 0, 'Offene Anträge').getByRole('button', { name: /^Genehmigen/ })
  await approve.waitFor()
  await page.route('**/approve', async (route) => {
    await at.service.send('POST', `/leave_requests/${ids[0]}/reject`)
    await route.continue()
  })
  await approve.click()
  const told = page.getByRole('alert').filter({ hasText: 'Aktueller Status: Abgelehnt' })
  await told.waitFor()
  assert.doesNotMatch((await told.textContent()) ?? '', /can(not)? become/)
  await page.done()
})

longTest('a decision undone on its line is not offered for undo elsewhere', async () => {
  const { line } = await waiting(1)
  const page = await inbox()
  await line(page, 0)
    .getByRole('button', { name: /^Approve/ })
    .click()
  const told = page.getByRole('alert').filter({ hasText: 'Approved: Ada Lovelace' })
  await told.waitFor()
  await line(page, 0).getByRole('button', { name: /^Undo/ }).click()
  await told.waitFor({ state: 'detached' })
  await page.getByText('Undone', { exact: true }).waitFor()
  await page.keyboard.press('z')
  await line(page, 0)
    .getByRole('button', { name: /^Approve/ })
    .waitFor()
  assert.equal(await page.getByText('Can’t undo').count(), 0)
  await page.done()
})

test('a decision whose response was lost can be undone and repeated', async () => {
  const { ids, states, line } = await waiting(1)
  const page = await inbox()
  await page.route(
    `**/leave_requests/${ids[0]}/approve`,
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  const approve = line(page, 0).getByRole('button', { name: /^Approve/ })
  await approve.click()
  await page.getByText(/cannot be reached/).waitFor()
  await line(page, 0).getByText('Already decided').waitFor()
  await line(page, 0).getByRole('button', { name: /^Undo/ }).click()
  await approve.waitFor()
  assert.deepEqual(await states(), ['pending'])
  await approve.click()
  await line(page, 0).getByText('Approved', { exact: true }).waitFor()
  assert.deepEqual(await states(), ['approved'])
  await page.done()
})

longTest('a failed decision is reported also after the user moved to another page', async () => {
  const { ids } = await waiting(3)
  const page = await inbox()
  let goOn: () => void = () => undefined
  const isAway = new Promise<void>((resolve) => (goOn = resolve))
  await page.route(`**/leave_requests/${ids[1]}/approve`, async (route) => {
    await isAway
    await at.service.send('POST', `/leave_requests/${ids[1]}/withdraw`)
    await route.continue()
  })
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('button', { name: 'Approve 3 requests' }).click()
  await page.getByRole('link', { name: 'People', exact: true }).click()
  await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
  goOn()
  await page.getByText('2 requests approved').waitFor()
  const told = page.getByRole('alert').filter({ hasText: '1 request could not be approved or rejected' })
  await told.getByText(/^Ada Lovelace.*Withdrawn/).waitFor()
  await page.done()
})

const employee = (): Who => ({ role: 'employee', employee_id: ada.id, name: 'Ada Lovelace' })

longTest(
  'withdrawing approved leave needs a confirmation and offers no undo, because the undo would be refused',
  async () => {
    const { ids, states } = await waiting(1)
    await at.service.post(`/leave_requests/${ids[0]}/approve`)
    const page = await at.open('/leave', { ...employee(), mayTell: /asked twice/ })
    const requests = page.getByRole('region', { name: 'My leave requests' })
    await requests
      .locator('li')
      .filter({ hasText: `Week ${week};` })
      .getByRole('button', { name: /^Withdraw/ })
      .click()
    const question = page.getByRole('dialog', { name: 'Withdraw approved leave?' })
    await page.axe()
    assert.deepEqual(await states(), ['approved'])
    await question.getByRole('button', { name: 'Withdraw request' }).click()
    const told = page.getByRole('alert').filter({ hasText: 'Request withdrawn' })
    await told.waitFor()
    assert.equal(await told.getByRole('button', { name: 'Undo' }).count(), 0)
    assert.deepEqual(await states(), ['withdrawn'])
    await page.done()
  },
)

longTest('an unsent leave request survives the end of the session and warns before leaving the page', async () => {
  const page = await at.open('/leave', { ...employee(), mayTell: /asked twice|401/ })
  await page.getByLabel('First day').fill(monday(++week))
  await page.getByLabel('Comment').fill('The mountains')
  page.once('dialog', (question) => void question.dismiss())
  await page.getByRole('link', { name: 'People', exact: true }).click()
  await becomes(() => page.getByLabel('Comment').inputValue(), 'The mountains')
  const cookies = await page.context().cookies()
  await pressSignedOut(page, page.getByRole('button', { name: 'Send request' }))
  const ended = page.getByRole('dialog', { name: 'You have been signed out' })
  await ended.waitFor()
  await page.context().addCookies(cookies)
  await ended.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Send request' }).click()
  await page.getByText('Request sent: 1 day').waitFor()
  // Once it is sent nothing is asked any more.
  await page.getByRole('link', { name: 'People', exact: true }).click()
  await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
  await page.done()
})
