import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { codeAt } from '../../src/domain/sign-in/totp.ts'
import { CLIENT, Provider } from '../identity-provider.ts'
import { type Console, PASSWORD, personWith, startConsole, type Watched } from './browser.ts'

let at: Console
const provider = new Provider()
before(async () => {
  await provider.start()
  at = await startConsole()
})
after(async () => {
  await at.stop()
  provider.stop()
})

/** Of the code that an app shows now. */
const step = () => Math.floor(Date.now() / 30_000)

/** Nobody is there yet, a step was refused, and whoever comes in again asks again: that is what these are about. */
const refused = /4[02][0-9]|asked twice/

async function signInAs(page: Watched, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel(/^Password/).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function signOut(page: Watched, name: string): Promise<void> {
  await page.getByRole('button', { name }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: /Sign in/ }).waitFor()
}

test('a passkey is added, signs in alone and as second factor, and stops working when removed', async () => {
  const name = 'Katherine Johnson'
  const { email } = await personWith(at.service, { role: 'employee', name })
  const page = await at.open('/account', { role: 'employee', name, mayTell: refused })
  const debug = await page.context().newCDPSession(page)
  await debug.send('WebAuthn.enable')
  await debug.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByLabel('Passkey name').fill('My laptop')
  await page.getByRole('dialog').getByRole('button', { name: 'Add passkey' }).click()
  const codes = page.getByRole('dialog', { name: 'Recovery codes' })
  await codes.getByRole('listitem').first().waitFor()
  const [recovery = ''] = await codes.getByRole('listitem').allTextContents()
  await codes.getByRole('button', { name: 'Done' }).click()
  await page.getByText('My laptop', { exact: true }).waitFor()

  await signOut(page, name)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('button', { name }).waitFor()

  await signOut(page, name)
  await signInAs(page, email)
  await page.getByText('If you don’t have the device with your passkey, enter a recovery code.').waitFor()
  await page.axe()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('button', { name }).waitFor()

  await signOut(page, name)
  await signInAs(page, email)
  await page.getByLabel('Code').fill(recovery)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name }).waitFor()

  await page.goto(new URL('/account', page.url()).href)
  await page.getByRole('region', { name: 'Passkeys' }).getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('No passkeys yet').waitFor()
  await signOut(page, name)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByText('This passkey is not valid any more', { exact: false }).waitFor()
  await page.done()
})

test('an authenticator app is turned on with its secret and then required', async () => {
  const name = 'Dorothy Vaughan'
  const { email } = await personWith(at.service, { role: 'employee', name })
  const page = await at.open('/account', { role: 'employee', name, mayTell: refused })
  const card = page.getByRole('region', { name: 'Authenticator app' })
  await card.getByRole('button', { name: 'Turn on' }).click()
  await card.getByRole('img').waitFor()
  const secret = await card.getByRole('textbox', { name: 'Setup key' }).inputValue()
  await card.getByLabel('Six-digit code').fill('000000')
  await card.getByRole('button', { name: 'Confirm' }).click()
  await card.locator('.mantine-TextInput-error').waitFor()
  await card.getByLabel('Six-digit code').fill(codeAt(secret, step()))
  await card.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('dialog', { name: 'Recovery codes' }).getByRole('button', { name: 'Done' }).click()
  await signOut(page, name)
  await signInAs(page, email)
  await page.getByLabel('Code').fill('000000')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('alert').getByText('Wrong code.').waitFor()
  await page.getByLabel('Code').fill(codeAt(secret, step() + 1))
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name }).waitFor()
  await page.done()
})

test('SSO signs in known users, returns to the requested page, and rejects strangers', async () => {
  const name = 'Mary Jackson'
  const { email } = await personWith(at.service, { role: 'hr', name })
  await at.service.make('/identity_providers', {
    name: 'Example SSO',
    issuer: provider.issuer,
    client_id: CLIENT.id,
    client_secret: CLIENT.secret,
  })
  const away = /40[0-9]|asked twice|asks another host/
  provider.visitor = { sub: 'mary', email, email_verified: true }
  const page = await at.open('/people?status=all', { isNobody: true, mayTell: away })
  await page.getByRole('button', { name: 'Sign in with Example SSO' }).click()
  await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
  assert.match(page.url(), /\/people\?status=all$/)
  await page.getByRole('button', { name }).waitFor()
  await signOut(page, name)

  provider.visitor = { sub: 'stranger', email: 'stranger@example.com', email_verified: true }
  await page.getByRole('button', { name: 'Sign in with Example SSO' }).click()
  await page
    .getByRole('alert')
    .getByText(/Ask your administrator for an invitation/)
    .waitFor()
  await page.done()
})
