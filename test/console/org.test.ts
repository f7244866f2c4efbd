import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Console, startConsole } from './browser.ts'

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

test('everybody stands below whom they report to, is found and flown to, and the place is in the address', async () => {
  const page = await at.open('/org')
  await page.getByRole('heading', { name: 'Org chart', level: 1 }).waitFor()
  await page.getByText('9 people').waitFor()
  const chart = page.getByRole('group', { name: 'Org chart' })
  await chart.getByRole('button', { name: 'Ada Lovelace Head of things 2 direct reports, 8 in all' }).waitFor()
  await page.picture('org-light')
  await page.axe()
  await page.picture('org-dark')
  await chart.getByRole('button', { name: 'Hide the reports of Grace Hopper' }).click()
  await chart.getByRole('button', { name: 'Donald Knuth' }).waitFor({ state: 'detached' })
  await page.getByRole('combobox', { name: 'Find somebody' }).fill('knu')
  await page.getByRole('option', { name: /Donald Knuth/ }).click()
  await chart.getByRole('button', { name: 'Donald Knuth', pressed: true }).waitFor()
  const panel = page.getByRole('region', { name: 'Donald Knuth' })
  await panel.getByRole('button', { name: 'Grace Hopper' }).waitFor()
  assert.match(page.url(), new RegExp(`person=${ids['Donald Knuth']}`))
  await page.picture('org-person')
  await panel.getByRole('button', { name: 'Grace Hopper' }).click()
  await page.getByRole('region', { name: 'Grace Hopper' }).getByRole('button', { name: 'Show only this part' }).click()
  await page.getByText('5 people · Part of Grace Hopper').waitFor()
  await page.goBack()
  await page.getByText('9 people').waitFor()
  await page.done()
})
