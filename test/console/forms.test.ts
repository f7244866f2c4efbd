import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { longTest } from '../thorough.ts'
import { becomes, type Console, PHONE, searchFor, startConsole } from './browser.ts'

/** What every form owes to whoever fills it in, whichever screen it stands on. */

let at: Console
let grace: number
let sales: number
before(async () => {
  at = await startConsole()
  const { service } = at
  sales = (await service.make('/departments', { name: 'Sales' })).id
  const level = await service.make('/job_levels', { name: 'Senior' })
  const someone = { hired_on: '2024-02-01', department_id: sales, job_level_id: level.id }
  grace = (await service.hire({ first_name: 'Grace', last_name: 'Hopper', ...someone })).id
})
after(() => at.stop())

const phone = async () => (await at.service.get(`/employees/${grace}`)).body.data.work_phone_number

test('a form shows what somebody else changed meanwhile and does not overwrite it', async () => {
  const page = await at.open(`/people/${grace}`, { mayTell: /412|asked twice/ })
  await page.getByRole('button', { name: 'Edit Contact' }).click()
  await page.getByLabel('Work phone').fill('+49 30 9999')
  page.forgetQuestions()
  // The page hears of it, and has it anew, while the form is open.
  const heard = page.waitForResponse((one) => one.url().endsWith(`/employees/${grace}`))
  await at.service.send('PUT', `/employees/${grace}`, { json: { work_phone_number: '+49 30 1111' } })
  await heard
  await becomes(() => page.getByLabel('Work phone').inputValue(), '+49 30 9999')
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Save' }).click()
  const dialog = page.getByRole('dialog', { name: 'Changed by somebody else' })
  await dialog.getByText('+49 30 1111').waitFor()
  assert.equal(await phone(), '+49 30 1111')
  page.forgetQuestions()
  await dialog.getByRole('button', { name: 'Keep current values' }).click()
  await page.waitForFunction(() =>
    document.querySelector<HTMLInputElement>('[name=work_phone_number]')?.value.endsWith('1111'),
  )
  await page.getByLabel('Work phone').fill('+49 30 2222')
  page.forgetQuestions()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('+49 30 2222').first().waitFor()
  await page.done()
})

longTest(
  'a panel keeps typed values while somebody else changes the record, and updates fields that are untouched',
  async () => {
    const page = await at.open(`/settings/departments/${sales}`, { mayTell: /412|asked twice/ })
    const name = page.getByRole('dialog').getByLabel('Name')
    page.forgetQuestions()
    await name.waitFor()
    await at.service.send('PUT', `/departments/${sales}`, { json: { name: 'Sales and more' } })
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('[name=name]')?.value === 'Sales and more',
    )
    await name.fill('Mine')
    page.forgetQuestions()
    const heard = page.waitForResponse((one) => one.url().endsWith(`/departments/${sales}`))
    await at.service.send('PUT', `/departments/${sales}`, { json: { name: 'Theirs' } })
    await heard
    await page.getByRole('heading', { name: 'Theirs' }).waitFor()
    await becomes(() => name.inputValue(), 'Mine')
    page.forgetQuestions()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Save my values' }).click()
    await page.getByText('Mine saved').waitFor()
    assert.equal((await at.service.get(`/departments/${sales}`)).body.data.name, 'Mine')
    await page.done()
  },
)

longTest(
  'offline nothing is queued for later: the form shows an error, and Cancel discards the typed values for good',
  async () => {
    const page = await at.open(`/people/${grace}`, { size: PHONE, mayTell: /ERR_INTERNET_DISCONNECTED|Failed to load/ })
    await page.getByRole('button', { name: 'Edit Contact' }).click()
    await page.getByLabel('Work phone').fill('+49 30 7777')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').filter({ hasText: 'not saved' }).waitFor()
    const banner = page.getByText('You are offline.')
    assert.ok(await banner.evaluate((one) => one.getBoundingClientRect().top >= 0))
    await page.getByRole('button', { name: 'Cancel' }).click()
    page.forgetQuestions()
    await page.context().setOffline(false)
    await banner.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Edit Contact' }).waitFor()
    assert.notEqual(await phone(), '+49 30 7777')
    await page.done()
  },
)

longTest('choosing the selected option again keeps it', async () => {
  const page = await at.open(`/people/${grace}`)
  await page.getByRole('button', { name: 'Actions', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Change job…' }).click()
  const level = page.getByRole('dialog').getByRole('combobox', { name: 'Level' })
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>('input[value=Senior]'))
  await level.click()
  await page.getByRole('option', { name: 'Senior' }).click()
  await becomes(() => level.inputValue(), 'Senior')
  await page.done()
})

longTest('going back with unsaved changes asks first', async () => {
  const page = await at.open('/people')
  await page.getByRole('link', { name: 'Grace Hopper' }).click()
  await page.getByRole('button', { name: 'Edit Contact' }).click()
  await page.getByLabel('Work phone').fill('+49 30 5555')
  let answer = false
  page.on('dialog', (dialog) => void (answer ? dialog.accept() : dialog.dismiss()))
  const asked = page.waitForEvent('dialog')
  await page.goBack()
  await asked
  await page.waitForURL(new RegExp(`/people/${grace}$`))
  await becomes(() => page.getByLabel('Work phone').inputValue(), '+49 30 5555')
  answer = true
  await page.goBack()
  await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
  assert.match(page.url(), /\/people$/)
  await page.done()
})

longTest('a field error goes away when the field changes, and the first one is scrolled into view', async () => {
  const page = await at.open(`/people/${grace}`, { mayTell: /422/ })
  await page.getByRole('button', { name: 'Edit Contact' }).click()
  await page.getByLabel('LinkedIn').fill('http://x y')
  const email = page.getByRole('textbox', { name: 'E-mail', exact: true })
  await email.evaluate((one) => one.closest('form')?.setAttribute('novalidate', ''))
  await email.fill('nothing')
  await page.getByRole('button', { name: 'Save' }).scrollIntoViewIfNeeded()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'email')
  assert.match(await page.locator('html').evaluate((html) => getComputedStyle(html).scrollPaddingBlockStart), /^88px/)
  const { top, header } = await email.evaluate((one) => ({
    top: one.getBoundingClientRect().top,
    header: document.querySelector('header')?.getBoundingClientRect().bottom ?? 0,
  }))
  assert.ok(top > header, `the field lies at ${top}, under the header that ends at ${header}`)
  await becomes(() => email.getAttribute('aria-invalid'), 'true')
  await email.fill('grace@example.com')
  await becomes(() => email.getAttribute('aria-invalid'), null)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.done()
})

test('no form is keyed by the ETag, so updates do not reset it while typing', () => {
  const keyed = globSync('console/**/*.tsx').filter((path) =>
    /key=\{[^}]*etag[^}]*\}/i.test(readFileSync(path, 'utf8')),
  )
  assert.deepEqual(keyed, [])
})

longTest("amounts are shown and parsed in the user's language, and ambiguous ones are not sent", async () => {
  const { service } = at
  const kim = await service.hire({ first_name: 'Kim', last_name: 'Lee', hired_on: '2024-02-01' })
  const paid = { effective_on: '2024-02-01', amount: '56080', currency_code: 'EUR', per: 'year' }
  await service.make(`/employees/${kim.id}/salaries`, paid)
  const amounts = async () =>
    (await service.get(`/employees/${kim.id}/salaries`)).body.data
      .map((one: { amount: string }) => Number(one.amount))
      .sort()
  const page = await at.open(`/people/${kim.id}`, { locale: 'de-DE' })
  const change = async () => {
    page.forgetQuestions()
    await page.getByRole('button', { name: 'Aktionen', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Gehalt ändern …' }).click()
    return page.getByRole('dialog').getByLabel('Betrag')
  }
  const save = page.getByRole('dialog').getByRole('button', { name: 'Speichern' })
  const field = await change()
  await becomes(() => field.inputValue(), '56.080')
  await field.fill('58.5')
  await save.click()
  await page.getByText('geschrieben wie 1.234,5').waitFor()
  assert.deepEqual(await amounts(), [56_080])
  await field.fill('58500,5')
  await page.getByText('= 58.500,50').waitFor()
  await field.blur()
  await becomes(() => field.inputValue(), '58.500,50')
  await field.fill('58.500')
  page.forgetQuestions()
  await field.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.deepEqual(await amounts(), [56_080, 58_500])
  await page.done()
})

longTest(
  'people with the same name are told apart by job or number in choices, and again before one of them is erased',
  async () => {
    const { service } = at
    const emil = { first_name: 'Emil', last_name: 'Becker', hired_on: '2024-02-01' }
    const cook = await service.make('/positions', { name: 'Cook' })
    await service.hire({ ...emil, position_id: cook.id, email: 'emil@example.com' })
    const other = await service.hire({ ...emil, department_id: sales })
    const number = (await service.get(`/employees/${other.id}`)).body.data.employee_number
    const department = (await service.get(`/departments/${sales}`)).body.data.name
    const page = await at.open('/settings/erasure')
    await searchFor(page, page.getByRole('combobox', { name: 'Person to erase' }), 'Becker', /^Emil Becker/)
    await page.getByRole('option', { name: 'Emil Becker Cook · emil@example.com' }).waitFor()
    await page.getByRole('option', { name: `Emil Becker ${department} · #${number}` }).click()
    await page.getByRole('button', { name: 'Erase permanently' }).click()
    await page.getByRole('dialog').getByText(`Emil Becker · ${department} · #${number}`).waitFor()
    await page.picture('settings-erasure-namesakes')
    await page.done()
  },
)

longTest('a double click on Remove removes only one item, after confirmation', async () => {
  const { service } = at
  const notes = `/employees/${grace}/notes`
  for (const body of ['The first', 'The second']) await service.make(notes, { body })
  const page = await at.open(`/people/${grace}?tab=notes`)
  await page.getByRole('button', { name: 'Delete The second' }).dblclick({ delay: 50 })
  assert.equal((await service.get(notes)).body.data.length, 2)
  // The second press may have closed the question again, or not: asked anew, on the page anew.
  page.forgetQuestions()
  await page.reload()
  await page.getByRole('button', { name: 'Delete The second' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete The second?' })
  await dialog.waitFor()
  assert.equal((await service.get(notes)).body.data.length, 2)
  page.forgetQuestions()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('The second').first().waitFor({ state: 'detached' })
  assert.equal((await service.get(notes)).body.data.length, 1)
  await page.done()
})
