import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { FORMATS } from '../src/engine/format.ts'
import { operations } from '../src/operations.ts'
import { type Answer, type Service, sender } from './harness.ts'
import { strictly } from './samples.ts'

const ajv = new Ajv2020({ allErrors: true, strict: false })
for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format.test)

const validators = new Map<string, ReturnType<typeof ajv.compile>>()

/** Holds an answer to the shape that its operation declares. */
function checkShape(method: string, path: string, { status, text, body }: Answer): void {
  const place = path.replace(/\?.*$/, '')
  const operation = operations.find(
    (one) => one.method === method && new RegExp(`^${one.path.replace(/\{\w+\}/g, '\\d+')}$`).test(place),
  )
  if (!operation || status >= 300) return
  assert.equal(status, operation.status, operation.id)
  if (!operation.answer) return void assert.equal(text, '', operation.id)
  const validate = validators.get(operation.id) ?? ajv.compile(strictly(operation.answer))
  validators.set(operation.id, validate)
  assert.ok(validate(body), `${operation.id}: ${JSON.stringify(validate.errors)} ${text}`)
}

/** A browser on the service's own pages: it keeps cookies, and says where requests come from. */
export class Browser {
  readonly cookies = new Map<string, string>()
  readonly #send: ReturnType<typeof sender>
  /** What every request says besides; a page of another origin says so here. */
  headers: Record<string, string> = { 'sec-fetch-site': 'same-origin', 'user-agent': 'Test browser' }

  constructor({ url }: Pick<Service, 'url'>) {
    this.#send = sender(url, '')
  }

  async send(method: string, path: string, json?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await this.#send(method, path, {
      key: null,
      ...(json === undefined ? {} : { json }),
      headers: { ...this.headers, ...(cookie ? { cookie } : {}), ...headers },
    })
    checkShape(method, path, answer)
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return answer
  }

  get = (path: string) => this.send('GET', path)
  post = (path: string, json: unknown = {}) => this.send('POST', path, json)
  put = (path: string, json: unknown = {}) => this.send('PUT', path, json)
  delete = (path: string) => this.send('DELETE', path)

  /** Signs in, which must succeed at once. */
  async signIn(email: string, password: string): Promise<this> {
    const answer = await this.post('/sign_in', { email, password })
    assert.equal(answer.body?.data?.status, 'signed_in', answer.text)
    return this
  }

  /** The same cookies elsewhere: what somebody has who stole them. */
  stolen(service: Service): Browser {
    const thief = new Browser(service)
    for (const [name, value] of this.cookies) thief.cookies.set(name, value)
    return thief
  }
}

export const PASSWORD = 'seven grey herons'

/** Somebody who can sign in: invited, and in by their link. */
export async function person(
  service: Service,
  given: { email: string; name?: string; role?: string; employee_id?: number },
): Promise<{ id: number; email: string; browser: Browser }> {
  const { email, name = 'Some Body', role = 'employee', ...rest } = given
  const roles = (await service.get('/roles')).body.data
  const role_ids = [roles.find((one: any) => one.standard === role).id]
  const invited = await service.post('/users/invite', { email, name, role_ids, ...rest })
  assert.equal(invited.status, 201, invited.text)
  const browser = new Browser(service)
  const used = await browser.post('/sign_in/link_use', {
    token: tokenIn(invited.body.data.link.url),
    password: PASSWORD,
  })
  assert.equal(used.body?.data?.status, 'signed_in', used.text)
  return { id: invited.body.data.user.id, email, browser }
}

export const tokenIn = (url: string) => new URL(url).hash.slice(1)
