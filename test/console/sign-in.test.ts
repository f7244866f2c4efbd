import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { markTablesChanged } from '../../src/records/write-transaction.ts'
import { longTest } from '../thorough.ts'
import { becomes, type Console, PASSWORD, personWith, startConsole } from './browser.ts'

let at: Console
before(async () => {
  at = await startConsole()
  await personWith(at.service, { role: 'hr' })
})
after(() => at.stop())

/** The first question is who is there: nobody. */
const refused = /401/

test('a signed-out user signs in and returns to the requested page', async () => {
  const page = await at.open('/people?status=all', { isNobody: true, mayTell: refused })
  await page.getByRole('heading', { name: 'Sign in to Test company' }).waitFor()
  await page.picture('sign-in')
  await page.axe()
  await page.getByLabel('E-mail').fill('person1@example.com')
  await page.getByLabel(/^Password/).fill('something else')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('alert').getByText('Wrong e-mail or password.').waitFor()
  await page.axeToo()
  page.forgetQuestions()
  await page.getByLabel(/^Password/).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
  assert.match(page.url(), /\/people\?status=all$/)
  await page.done()
})

test('the page never redirects to another site after sign-in', async () => {
  const page = await at.open('/sign-in?to=//evil.example', { isNobody: true, mayTell: refused })
  await page.getByLabel('E-mail').fill('person1@example.com')
  await page.getByLabel(/^Password/).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('navigation').waitFor()
  assert.equal(new URL(page.url()).hostname, 'localhost')
  await page.done()
})

test('an invited user chooses a password, and a short one shows an error at its field', async () => {
  const { link } = await at.service.make('/users/invite', {
    email: 'new@example.com',
    name: 'Grace Hopper',
    role_ids: [],
  })
  const { pathname, hash } = new URL(link.url)
  const page = await at.open(pathname + hash, { isNobody: true, mayTell: /401|422/ })
  await page.getByRole('heading', { name: 'Welcome, Grace Hopper' }).waitFor()
  await page.axe()
  await page.getByLabel('New password').fill('short')
  await page.getByRole('button', { name: 'Save and sign in' }).click()
  await page.locator('.mantine-PasswordInput-error').waitFor()
  await page.getByLabel('New password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Save and sign in' }).click()
  await page.getByRole('button', { name: 'Grace Hopper' }).waitFor()
  await page.done()

  const used = await at.open(pathname + hash, { isNobody: true, mayTell: /40[14]/ })
  await used.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
  await used.axeToo()
  await used.done()
})

test('sign-out clears the screen, and a session ended elsewhere asks to sign in', async () => {
  const page = await at.open('/people', { role: 'hr', mayTell: refused })
  await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
  const { userId } = await personWith(at.service, { role: 'hr' })
  await at.service.delete(`/users/${userId}/sessions`)
  await page.getByRole('searchbox').fill('ada')
  await page.getByRole('heading', { name: /Sign in/ }).waitFor()
  assert.match(page.url(), /to=%2Fpeople/)
  await page.getByLabel('E-mail').fill('person1@example.com')
  await page.getByLabel(/^Password/).fill(PASSWORD)
  page.forgetQuestions()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Ada Lovelace' }).click()
  await page.axeToo()
  page.forgetQuestions()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: /Sign in/ }).waitFor()
  await page.done()
})

longTest('language and appearance are chosen in the menu and kept', async () => {
  const page = await at.open('/people', { permissions: ['*'] })
  await page.getByRole('button', { name: 'Ada Lovelace' }).click()
  await page.getByRole('menuitem', { name: 'Deutsch' }).click()
  await page.getByRole('heading', { name: 'Mitarbeitende', level: 1 }).waitFor()
  await becomes(() => page.locator('html').getAttribute('lang'), 'de')
  await page.getByRole('button', { name: 'Ada Lovelace' }).click()
  await page.getByRole('menuitem', { name: 'Dunkel' }).click()
  await becomes(() => page.locator('html').getAttribute('data-mantine-color-scheme'), 'dark')
  page.forgetQuestions()
  await page.reload()
  await page.getByRole('heading', { name: 'Mitarbeitende', level: 1 }).waitFor()
  await becomes(() => page.locator('html').getAttribute('data-mantine-color-scheme'), 'dark')
  await page.picture('people-dark-de')
  await page.done()
})

test('managing access asks for the password after a while, then continues the action', async () => {
  await personWith(at.service, { role: 'owner' })
  const [owner] = (await at.service.get('/users?sort=-id')).body.data
  const page = await at.open('/sign-in?to=/settings/users/new', {
    isNobody: true,
    // That they have shown who they are, and that somebody is invited, are two changes: the list may be read after each.
    mayTell: /401|403|asked twice: .*\/users\?/,
  })
  await page.getByLabel('E-mail').fill(owner.email)
  await page.getByLabel(/^Password/).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Late Comer')
  await at.service.database.write(async (sql) => {
    await sql.updateTable('sessions').set({ confirmed_at: '2020-01-01T00:00:00.000Z' }).execute()
    await markTablesChanged(sql, at.service.account.id, ['sessions'])
  })
  await page.getByRole('textbox', { name: 'E-mail' }).fill('late.comer@example.com')
  await page.getByRole('dialog').getByRole('button', { name: 'Invite user' }).click()
  const asked = page.getByRole('dialog', { name: 'Confirm that it’s you' })
  await asked.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  page.forgetQuestions()
  await asked.getByRole('button', { name: 'Continue' }).click()
  await becomes(() => page.getByRole('textbox', { name: 'Sign-in link' }).inputValue(), /\/sign-in\/link#/)
  await page.done()
})

longTest(
  'a link that cannot be checked is not called expired, and one with a second factor continues to it',
  async () => {
    const { userId: id } = await personWith(at.service, { role: 'employee' })
    const { url } = (await at.service.post(`/users/${id}/link`)).body.data
    const { pathname, hash } = new URL(url)
    const page = await at.open('/sign-in', { isNobody: true, mayTell: /401|429/ })
    let isAway = true
    await page.route('**/sign_in/link', (route) =>
      isAway
        ? route.fulfill({ status: 429, contentType: 'application/json', body: '{"code":"too_many_requests"}' })
        : route.continue(),
    )
    await page.goto(new URL(pathname + hash, page.url()).href)
    await page.getByText(/Too many attempts/).waitFor()
    isAway = false
    page.forgetQuestions()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: /New password for/ }).waitFor()
    await page.route('**/sign_in/link_use', (route) =>
      route.fulfill({
        contentType: 'application/json',
        body: '{"data":{"status":"second_factor","ticket":"x","ways":["passkey","recovery_code"]}}',
      }),
    )
    await page.getByLabel('New password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Save and sign in' }).click()
    await page.getByText('Your new password is saved.').waitFor()
    await page.getByText('If you don’t have the device with your passkey, enter a recovery code.').waitFor()
    await page.axe()
    await page.done()
  },
)

longTest('opening the SSO callback page directly leads to the sign-in page', async () => {
  const page = await at.open('/sign-in/sso', { isNobody: true })
  await page.getByText('Start from the sign-in page.').waitFor()
  await page.axe()
  await page.getByRole('button', { name: 'Back' }).click()
  await page.waitForURL(/\/sign-in$/)
  await page.done()
})

longTest(
  'an SSO refusal is explained, the account is kept, and an invalid browser language breaks nothing',
  async () => {
    const asked: string[] = []
    const other = await at.open('/sign-in', { isNobody: true, mayTell: /401|403|404/ })
    await other.addInitScript(() =>
      Object.defineProperty(navigator, 'languages', { get: () => ['en-US@posix', 'uk@x'] }),
    )
    await other.route('**/sign_in/sso_answer*', (route) => {
      asked.push(new URL(route.request().url()).search)
      return route.fulfill({
        status: 403,
        contentType: 'application/json',
        body: '{"code":"sso_unknown","detail":"no"}',
      })
    })
    await other.goto(new URL('/sign-in/sso?state=3.abc&code=x', other.url()).href)
    await other
      .getByRole('alert')
      .getByText(/Ask your administrator for an invitation/)
      .waitFor()
    assert.deepEqual(asked, ['?account=3'])
    other.forgetQuestions()
    await other.getByRole('button', { name: 'Back to sign-in' }).click()
    await other.waitForURL(/\/sign-in\?account=3$/)
  },
)
