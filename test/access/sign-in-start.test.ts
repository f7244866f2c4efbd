import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Browser, PASSWORD, person, tokenIn } from '../browser.ts'
import { cheapPasswords } from '../cheap-passwords.ts'
import { freshDatabase, startService } from '../harness.ts'
import { runHere, startHere } from '../in-process.ts'

cheapPasswords()

test('the service prints a set-up link at each start until the first owner exists; the command line adds others', async () => {
  const { url, remove } = await freshDatabase()
  const environment = { DATABASE_URL: url, CADRE_FILES: '/nonexistent/cadre-files' }
  const linkIn = (output: string) => /Set-up link for the first owner: (\S+)/.exec(output)?.[1]
  let running = await startHere(environment)
  try {
    const cadre = async (...words: string[]) => {
      const { code, stdout, stderr } = await runHere(['person', ...words], environment)
      if (code !== 0) throw new Error(stderr)
      return stdout.trim().split('\n').at(-1) as string
    }
    const unused = linkIn(running.output()) as string
    assert.match(unused, /^http:\/\/localhost:\d+\/sign-in\/link#[\w-]{43}$/)
    await running.stop()
    // Somebody who does not hold everything is no owner.
    await cadre('invite', 'early@example.com', '--role', 'hr', '--name', 'Early Bird')
    running = await startHere(environment)
    const token = tokenIn(linkIn(running.output()) as string)
    const browser = new Browser(running)
    assert.equal((await browser.post('/sign_in/link_use', { token: tokenIn(unused), password: PASSWORD })).status, 404)
    const looked = await browser.post('/sign_in/link', { token })
    assert.equal(looked.body.data.purpose, 'set_up')
    const without = await browser.post('/sign_in/link_use', { token, password: PASSWORD })
    assert.deepEqual(
      without.body.errors.map((error: any) => error.field),
      ['email', 'name'],
    )
    const long = { token, password: PASSWORD, email: `${'x'.repeat(250)}@example.com`, name: 'Ada Lovelace' }
    assert.equal((await browser.post('/sign_in/link_use', long)).body.errors[0].field, 'email')
    const first = { token, password: PASSWORD, email: 'ada@example.com', name: 'Ada Lovelace' }
    const used = await browser.post('/sign_in/link_use', first)
    assert.equal(used.body.data?.status, 'signed_in', used.text)
    assert.ok((await browser.get('/me')).body.data.permissions.includes('*'))
    const invited = new Browser(running)
    const link = await cadre('invite', 'grace@example.com', '--role', 'owner', '--name', 'Grace Hopper')
    await invited.post('/sign_in/link_use', { token: tokenIn(link), password: PASSWORD })
    assert.equal((await invited.get('/me')).body.data.user.name, 'Grace Hopper')
    const again = tokenIn(await cadre('reset', 'grace@example.com'))
    assert.equal((await invited.post('/sign_in/link', { token: again })).body.data.purpose, 'reset')
    await assert.rejects(cadre('invite', 'x@example.com', '--role', 'king'), /there is no role king/)
    await assert.rejects(cadre('reset', 'grace@example.com', 'extra'), /unexpected argument extra/)
    const { id } = (await browser.get('/users?email=grace@example.com')).body.data[0]
    await browser.post(`/users/${id}/disable`)
    await assert.rejects(cadre('invite', 'grace@example.com', '--role', 'hr'), /disabled/)
    assert.equal((await browser.get(`/users/${id}`)).body.data.roles.length, 1)
    await browser.post(`/users/${id}/enable`)
    await running.stop()
    running = await startHere(environment)
    assert.equal(linkIn(running.output()), undefined)
  } finally {
    await running.stop()
    await remove()
  }
})

test('erasing an employee erases their user, sessions and sign-in methods, and the export contains them', async () => {
  const service = await startService()
  try {
    const employee = await service.hire({ email: 'zq9marker@example.com' })
    const { browser, id } = await person(service, { email: 'zq9marker@example.com', employee_id: employee.id })
    browser.headers['user-agent'] = 'Zq9browser'
    await browser.signIn('zq9marker@example.com', PASSWORD)
    const preview = (await service.get(`/employees/${employee.id}/erasure`)).body.data
    const going = preview.goes.map((one: any) => one.what)
    for (const what of ['users', 'sessions', 'user_credentials']) assert.ok(going.includes(what), `${what}: ${going}`)
    assert.equal((await service.get(`/employees/${employee.id}/export`)).status, 200)
    assert.equal((await service.delete(`/employees/${employee.id}?erase=true`)).status, 204)
    assert.equal((await browser.get('/me')).status, 401)
    assert.equal((await service.get(`/users/${id}`)).status, 404)
    const ledger = await service.database.query((sql) => sql.selectFrom('ledger').select(['before', 'after']).execute())
    assert.ok(!/zq9/i.test(JSON.stringify(ledger)))
  } finally {
    await service.stop()
  }
})
