import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { CLIENT, Provider } from '../identity-provider.ts'
import { longTest } from '../thorough.ts'
import { becomes, type Console, PHONE, startConsole, type Watched } from './browser.ts'

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
beforeEach(() => {
  provider.refusal = null
  provider.isAway = false
})

/** The provider is another host, after which the page asks again; and one change is refused. */
const abroad = /asked twice|asks another host|422/

/** The tab that a press opens. */
async function tabOf(page: Watched, press: () => Promise<void>) {
  const [tab] = await Promise.all([page.context().waitForEvent('page'), press()])
  return tab
}

test('a preset fills the SSO form, the callback URL can be copied, and a test in a new tab confirms it', async () => {
  const page = await at.open('/settings/identity_providers/new', {
    role: 'owner',
    name: 'Grace Hopper',
    mayTell: abroad,
  })
  const panel = page.getByRole('dialog')
  const callback = `${new URL(page.url()).origin}/sign-in/sso`
  assert.equal(await panel.getByLabel('Callback address').inputValue(), callback)
  for (const [name, issuer] of [
    ['Google', 'https://accounts.google.com'],
    ['Okta', 'https://YOUR-DOMAIN.okta.com'],
    ['Keycloak', 'https://keycloak.example.com/realms/YOUR-REALM'],
    ['Microsoft Entra ID', 'https://login.microsoftonline.com/TENANT-ID/v2.0'],
  ] as const) {
    await panel.getByRole('button', { name }).click()
    await becomes(() => panel.getByLabel(/^Issuer/).inputValue(), issuer)
  }
  await panel.getByText('replace TENANT-ID').waitFor()
  assert.equal(await panel.getByLabel('Treat all e-mail addresses as verified').isChecked(), true)
  await page.axe()
  await page.picture('sso-preset')
  await panel.getByLabel(/^Name/).fill('Example SSO')
  await panel.getByLabel(/^Issuer/).fill(provider.issuer)
  await panel.getByLabel(/^Client ID/).fill(CLIENT.id)
  await panel.getByLabel('Client secret').fill(CLIENT.secret)
  await panel.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('link', { name: 'Example SSO' }).click()
  await panel.getByText('Not tested with these settings yet').waitFor()

  // It is not required before it works.
  await panel.getByLabel('Require single sign-on').check()
  await panel.getByRole('button', { name: 'Save' }).click()
  await panel.getByText(/cannot be turned on yet/).waitFor()
  await page.picture('sso-refused')
  await panel.getByLabel('Require single sign-on').uncheck()

  const me = (await at.service.get('/users?per_page=200')).body.data.find((one: any) => one.name === 'Grace Hopper')
  provider.visitor = { sub: 'grace', email: me.email, email_verified: true }
  const tab = await tabOf(page, () => panel.getByRole('link', { name: 'Test connection' }).click())
  await tab.getByText('Single sign-on works').waitFor()
  await tab.getByText(`This sign-in belongs to Grace Hopper (${me.email})`, { exact: false }).waitFor()
  await tab.close()
  // The settings learn of it by themselves.
  await panel.getByText(/Confirmed/).waitFor()
  await page.axeToo()
  await page.picture('sso-confirmed')
  await page.done()
})

longTest('HR can read identity providers but not edit them, and learns who can', async () => {
  const { id } = await at.service.make('/identity_providers', {
    name: 'Read only SSO',
    issuer: 'https://login.example.com',
    client_id: 'cadre',
  })
  const page = await at.open('/settings/identity_providers/new', { role: 'hr' })
  await page.getByText('Only owners can add, change or test identity providers.', { exact: false }).waitFor()
  const link = page.getByRole('link', { name: 'Read only SSO' })
  await link.waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)
  assert.equal(await page.getByRole('button', { name: 'Add', exact: true }).count(), 0)
  await page.axe()
  await link.click()
  const panel = page.getByRole('dialog')
  await panel.getByText('https://login.example.com').waitFor()
  await panel.getByText('Not tested with these settings yet').waitFor()
  assert.equal(await panel.getByRole('button', { name: /Save|Delete/ }).count(), 0)
  assert.equal(await panel.getByRole('link', { name: 'Test connection' }).count(), 0)
  await page.done()
  assert.equal((await at.service.delete(`/identity_providers/${id}`)).status, 204)
})

longTest('a wrong client secret is named as what to check, and the test passes once it is right', async () => {
  const [{ id }] = (await at.service.get('/identity_providers')).body.data
  const setSecret = async (client_secret: string) =>
    assert.equal((await at.service.put(`/identity_providers/${id}`, { client_secret })).status, 200)
  await setSecret('wrong')
  const look = { role: 'owner', name: 'Grace Hopper', mayTell: abroad } as const
  const page = await at.open(`/settings/identity_providers/${id}/test`, look)
  await page.getByText('Single sign-on does not work yet').waitFor()
  await page.getByText('Check the client ID and the client secret.', { exact: false }).waitFor()
  await page.getByText('invalid_grant', { exact: false }).waitFor()
  await becomes(() => page.getByRole('listitem').filter({ hasText: 'Passed' }).count(), 2)
  await becomes(() => page.getByRole('listitem').filter({ hasText: 'Not reached' }).count(), 2)
  await setSecret(CLIENT.secret)
  await page.getByRole('button', { name: 'Test again' }).click()
  await page.getByText('Single sign-on works').waitFor()
  await page.done()
})

longTest('the result of a test names the step that failed, in light and dark and on a phone', async () => {
  const [{ id }] = (await at.service.get('/identity_providers')).body.data
  const path = `/settings/identity_providers/${id}/test`
  const look = { role: 'owner', name: 'Grace Hopper', mayTell: abroad } as const
  provider.refusal = 'access_denied'
  const page = await at.open(path, look)
  await page.getByText('Check that your account may use this application.', { exact: false }).waitFor()
  await page.getByText('Details: access_denied').waitFor()
  await page.axe()
  await page.picture('sso-test-failed')
  await page.done()
  provider.refusal = null
  const dark = await at.open(path, { ...look, scheme: 'dark' })
  await dark.getByText('Single sign-on works').waitFor()
  await dark.axe()
  await dark.picture('sso-test-passed-dark')
  await dark.done()
  provider.isAway = true
  const phone = await at.open(path, { ...look, size: PHONE })
  await phone.getByText('Check the issuer.', { exact: false }).waitFor()
  await phone.axe()
  await phone.picture('sso-test-phone')
  await phone.goto(new URL(`/settings/identity_providers/${id}`, phone.url()).href)
  await phone.getByRole('link', { name: 'Test connection' }).scrollIntoViewIfNeeded()
  await phone.picture('sso-panel-phone')
  await phone.done()
})
