import assert from 'node:assert/strict'
import { copyFileSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { longTest, rounds } from '../thorough.ts'
import { type Console, PHONE, searchFor, startConsole } from './browser.ts'

let at: Console
const ids: Record<string, number> = {}
before(async () => {
  at = await startConsole()
  const { service } = at
  const places: Record<string, number> = {}
  for (const name of ['Board', 'Engineering', 'Sales'])
    places[name] = (await service.make('/departments', { name })).id as number
  const position = (await service.make('/positions', { name: 'Head of things' })).id
  const hire = async (name: string, manager?: string, department = 'Engineering') => {
    const [first_name, last_name] = name.split(' ')
    const { id } = await service.hire({
      first_name,
      last_name,
      hired_on: '2020-01-01',
      department_id: places[department],
      ...(manager ? { reporting_to_id: ids[manager] } : { position_id: position }),
    })
    ids[name] = id
  }
  await hire('Ada Lovelace', undefined, 'Board')
  await hire('Grace Hopper', 'Ada Lovelace')
  await hire('Alan Turing', 'Ada Lovelace', 'Sales')
  for (const name of ['Edsger Dijkstra', 'Barbara Liskov', 'Donald Knuth', 'Олена Коваль'])
    await hire(name, 'Grace Hopper')
  for (const name of ['Tony Hoare', 'John Backus']) await hire(name, 'Alan Turing', 'Sales')
})
after(() => at.stop())

test('the org chart shows reporting lines, finds people, and keeps its position in the URL', async () => {
  const page = await at.open('/org')
  await page.getByRole('heading', { name: 'Org chart', level: 1 }).waitFor()
  await page.getByText('9 employees').waitFor()
  const chart = page.getByRole('group', { name: 'Org chart' })
  await chart.getByRole('button', { name: 'Ada Lovelace Head of things 2 direct reports, 8 in total' }).waitFor()
  await page.picture('org-light')
  await page.axe()
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.picture('org-dark')
  await chart.getByRole('button', { name: 'Hide the reports of Grace Hopper' }).click()
  await chart.getByRole('button', { name: 'Donald Knuth' }).waitFor({ state: 'detached' })
  await searchFor(page, page.getByRole('combobox', { name: 'Find employee' }), 'knu', /Donald Knuth/)
  // The only one that is found needs no choosing.
  await page.keyboard.press('Enter')
  await chart.getByRole('button', { name: 'Donald Knuth', pressed: true }).waitFor()
  const panel = page.getByRole('region', { name: 'Donald Knuth' })
  await panel.getByRole('button', { name: 'Grace Hopper' }).waitFor()
  assert.match(page.url(), new RegExp(`person=${ids['Donald Knuth']}`))
  await page.picture('org-person')
  await panel.getByRole('button', { name: 'Grace Hopper' }).click()
  await page.getByRole('region', { name: 'Grace Hopper' }).getByRole('button', { name: 'Show only this team' }).click()
  await page.getByText('5 employees · Team of Grace Hopper').waitFor()
  await page.goBack()
  await page.getByText('9 employees').waitFor()
  await page.done()
})

test('a reorganisation is planned by drag or choice, previewed, applied from its date, and undone', async () => {
  const page = await at.open('/org', { role: 'hr' })
  await page.getByRole('button', { name: 'Plan a reorganisation' }).click()
  const plan = page.getByRole('region', { name: 'Planned reorganisation' })
  await plan.getByLabel('Effective from').fill('2098-01-01')
  await page.getByText('9 employees on 1 Jan 2098').waitFor()
  assert.equal(await page.getByText(/You do not have permission to see/).count(), 0)
  const chart = page.getByRole('group', { name: 'Org chart' })
  const card = (name: string) => chart.getByRole('button', { name: new RegExp(`^${name}`) })
  await card('Donald Knuth').dragTo(card('Alan Turing'))
  await plan.getByText('1 planned change').waitFor()
  // The same by keys: Grace Hopper is to be led by Alan Turing.
  await card('Grace Hopper').focus()
  await page.keyboard.press('Enter')
  await page
    .getByRole('region', { name: 'Grace Hopper' })
    .getByRole('button', { name: 'Change manager…' })
    .press('Enter')
  await searchFor(page, page.getByRole('combobox', { name: 'Manager' }), 'tur', /Alan Turing/)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Add to plan' }).press('Enter')
  await plan.getByText('2 planned changes').waitFor()
  await card('Alan Turing 4 direct reports, 7 in total').waitFor()
  await page.picture('org-plan')
  await page.axe()
  page.forgetQuestions()
  await page.reload()
  await plan.getByText('2 planned changes').waitFor()
  await plan.getByRole('button', { name: 'Review plan…' }).click()
  const review = page.getByRole('dialog', { name: 'Reorganisation from 1 Jan 2098' })
  await review.getByText('Possible').nth(1).waitFor()
  await page.picture('org-review')
  page.forgetQuestions()
  await review.getByRole('button', { name: 'Apply 2 changes from 1 Jan 2098' }).click()
  await page.getByText('2 employees get a new manager from 1 Jan 2098').waitFor()
  const managerOn = async (day: string) =>
    (await at.service.get(`/employees/${ids['Donald Knuth']}?as_of=${day}`)).body.data.reporting_to.id
  assert.equal(await managerOn('2097-12-31'), ids['Grace Hopper'])
  assert.equal(await managerOn('2098-01-01'), ids['Alan Turing'])
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await page.getByText('Undone', { exact: true }).waitFor()
  assert.equal(await managerOn('2098-01-01'), ids['Grace Hopper'])
  await page.done()
})

longTest('the org chart is a tree with keyboard support on a phone and for screen readers', async () => {
  const page = await at.open('/org', { size: PHONE, role: 'employee', employee_id: ids['Tony Hoare'] as number })
  await page.getByText('9 employees').waitFor()
  await page.picture('org-phone')
  assert.equal(await page.getByRole('button', { name: 'Plan a reorganisation' }).count(), 0)
  await page.getByText('List', { exact: true }).click()
  const tree = page.getByRole('tree', { name: 'Org chart' })
  const first = tree.getByRole('treeitem', { name: /^Ada Lovelace/ })
  await first.focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await tree.getByRole('treeitem', { name: /^Ada Lovelace/, expanded: true, level: 1 }).waitFor()
  await page.keyboard.press('ArrowLeft')
  await tree.getByRole('treeitem', { name: /Grace Hopper/ }).waitFor({ state: 'detached' })
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('End')
  await tree
    .getByRole('treeitem', { name: /^Tony Hoare/, level: 3 })
    .and(page.locator(':focus'))
    .waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Tony Hoare' }).waitFor()
  const width = await page.locator('html').evaluate((html) => html.scrollWidth)
  assert.ok(width <= PHONE.width, `the page is ${width} wide`)
  await page.picture('org-phone-list')
  await page.axe()
  await page.done()
})

test("a user who may not see planned changes gets today's org chart with a note", async () => {
  const told = 'This is today’s org chart. You do not have permission to see changes planned until 1 Mar 2098.'
  const own = await at.open('/org?as_of=2098-03-01', { role: 'employee', employee_id: ids['Tony Hoare'] as number })
  await own.getByText(told).waitFor()
  await own.done()
})

longTest('a user who may see planned changes gets the org chart of a future date', async () => {
  const hr = await at.open('/org?as_of=2098-03-01', { role: 'hr' })
  await hr.getByText('9 employees on 1 Mar 2098').waitFor()
  assert.equal(await hr.getByText(/You do not have permission to see/).count(), 0)
  await hr.done()
})

/** A company of so many: everybody leads seven until there are enough. */
function companyOf(count: number) {
  const people = Array.from({ length: count }, (_, n) => ({
    id: n + 1,
    name: `Person ${n + 1}`,
    position: `Position ${n % 40}`,
    department_id: (n % 20) + 1,
    location_id: null,
    manager_id: n === 0 ? null : Math.floor((n - 1) / 7) + 1,
    photo: null,
    direct: 0,
    all: 0,
  }))
  for (const one of people.toReversed()) {
    const manager = one.manager_id === null ? undefined : people[one.manager_id - 1]
    if (!manager) continue
    manager.direct += 1
    manager.all += one.all + 1
  }
  const reports = Map.groupBy(people, ({ manager_id }) => manager_id)
  const inOrder = (id: number | null): typeof people =>
    (reports.get(id) ?? []).flatMap((one) => [one, ...inOrder(one.id)])
  const departments = Array.from({ length: 20 }, (_, n) => ({ id: n + 1, name: `Department ${n + 1}` }))
  return { as_of: '2026-01-01', people: inOrder(null), departments, locations: [] }
}

/** Enough that nothing could draw them all; a thorough run has as many as the largest companies. */
const MANY = rounds(2_000, 10_000)

longTest(
  `${MANY} people are laid out once however the chart is viewed, rendered only in view, and exported completely`,
  async () => {
    const page = await at.open('/people')
    await page.route('**/org_chart', (route) => route.fulfill({ json: { data: companyOf(MANY) } }))
    await page.getByRole('link', { name: 'Org chart' }).click()
    await page.getByText(`${MANY.toLocaleString('en-GB')} employees`).waitFor()
    await page.getByRole('button', { name: 'Expand all' }).click()
    const layouts = () => page.evaluate(() => performance.getEntriesByName('org-layout').length)
    const elements = () => page.locator('.org-view *').count()
    const chart = page.getByRole('group', { name: 'Org chart' })
    await chart.getByRole('button', { name: /^Person 1 / }).waitFor()
    await page.waitForFunction(() => performance.getEntriesByName('org-layout').length === 2)
    assert.ok((await elements()) < 2500, `${await elements()} elements`)
    await page.getByRole('button', { name: 'Fit to screen' }).click()
    await chart.getByRole('button').first().waitFor({ state: 'detached' })
    assert.ok((await elements()) < 40, `${await elements()} elements`)
    await page.picture('org-10000')
    const box = await chart.boundingBox()
    assert.ok(box)
    await page.mouse.move(box.x + box.width / 2, box.y + 40)
    for (let n = 0; n < 12; n++) await page.mouse.wheel(0, -400)
    await page.mouse.down()
    await page.mouse.move(box.x + 40, box.y + 200, { steps: 5 })
    await page.mouse.up()
    await page.getByRole('combobox', { name: 'Find employee' }).fill(`Person ${MANY - 1}`)
    await page.getByRole('option', { name: new RegExp(`^Person ${MANY - 1},`) }).click()
    await chart.getByRole('button', { name: new RegExp(`^Person ${MANY - 1}`), pressed: true }).waitFor()
    await page.picture('org-10000-near')
    assert.ok((await elements()) < 2500, `${await elements()} elements`)
    assert.equal(await layouts(), 2, 'once as it came, once all open')
    for (const kind of ['PDF', 'PNG']) {
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export' }).click()
      await page.getByRole('menuitem', { name: new RegExp(kind) }).click()
      const file = await (await download).path()
      const begin = readFileSync(file).subarray(0, 8).toString('latin1')
      assert.match(begin, kind === 'PDF' ? /^%PDF-1\.4/ : /^.PNG/)
      if (process.env.SCREENSHOTS) copyFileSync(file, `node_modules/.cache/screenshots/org.${kind.toLowerCase()}`)
    }
    await page.done()
  },
)

longTest('a failing service and a missing permission show a message', async () => {
  const nobody = await at.open('/org', { permissions: ['teams:read'] })
  await nobody.getByRole('heading', { name: 'You have no access to this' }).waitFor()
  await nobody.done()
  const page = await at.open('/org?as_of=nonsense', { mayTell: /400|Failed to load/ })
  await page.getByRole('heading', { name: 'Could not load this page' }).waitFor()
  await page.axe()
  await page.done()
})
