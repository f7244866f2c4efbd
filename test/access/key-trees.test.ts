import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createKey } from '../../src/domain/access/accounts.ts'
import { openService } from '../../src/service.ts'
import { fc } from '../chance.ts'
import { type Service, startService } from '../harness.ts'
import { rounds } from '../thorough.ts'

/** Keys that make keys, held against a model so plain that it cannot be wrong in the same way. */

let service: Service
let now = new Date('2036-01-01T00:00:00Z')
before(async () => {
  service = await startService({ clock: () => now })
})
after(() => service.stop())

type Rights = { permissions: string[]; withheld: string[]; expires_at: string | null }
type Model = {
  id: number
  key: string
  parent: Model | null
  atoms: Set<string>
  withheld: Set<string>
  until: number
  isRevoked: boolean
}

/** Every single thing that a permission allows; `next` stands for what areas and verbs may come. */
const AREAS = ['keys', 'teams', 'organisation', 'next']
const VERBS = ['read', 'write', 'next']
const atomsOf = (permissions: readonly string[]) =>
  new Set(
    AREAS.flatMap((area) => VERBS.map((verb) => `${area}:${verb}`)).filter((atom) => {
      const [area] = atom.split(':')
      return permissions.some((one) => one === '*' || one === atom || one === `${area}:*`)
    }),
  )
const GROUPS = ['compensation', 'personal']
const NEVER = Number.POSITIVE_INFINITY
const momentOf = (text: string | null) => (text === null ? NEVER : Date.parse(text))

const isWithin = (some: Set<string>, all: Set<string>) => some.isSubsetOf(all)
const isValid = (key: Model) => !key.isRevoked && key.until > now.getTime()
const isAncestor = (key: Model, of: Model): boolean =>
  of.parent !== null && (of.parent === key || isAncestor(key, of.parent))
const isStronger = (key: Model, than: Model) =>
  !isWithin(key.atoms, than.atoms) || !isWithin(than.withheld, key.withheld) || isAncestor(key, than)

/** Parents come before their children: one pass carries every loss down the whole tree. */
function carryDown(keys: Model[]): void {
  for (const key of keys) {
    if (!key.parent || key.isRevoked) continue
    key.atoms = key.atoms.intersection(key.parent.atoms)
    key.withheld = key.withheld.union(key.parent.withheld)
    key.until = Math.min(key.until, key.parent.until)
    key.isRevoked = key.parent.isRevoked
  }
}

const permissions = fc.subarray(
  ['*', 'keys:write', 'keys:*', 'teams:*', 'teams:read', 'teams:write', 'organisation:read', 'organisation:*'],
  { minLength: 1 },
)
const withheld = fc.subarray(GROUPS)
const expires_at = fc.option(fc.integer({ min: 1, max: 40 }), { freq: 2 })
/** Most keys may make keys: otherwise trees would have no depth. */
const rights = fc.record({ permissions, withheld, days: expires_at }).map(({ permissions: some, ...rest }) => ({
  ...rest,
  permissions: [...new Set([...some, 'keys:write'])],
}))
const place = fc.nat({ max: 11 })
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('create' as const), by: place, rights }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('change' as const), by: place, on: place, rights }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('revoke' as const), by: place, on: place }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 3 }) }) },
)

test('random key operations never leave a key that outlives or outranks its parent', async () => {
  const { ledger } = openService({ database: service.database, filesAt: '', clock: () => now })
  const counts = new Map<string, number>()
  const expected = (by: Model, good: boolean, otherwise: number, success: number) =>
    !isValid(by) ? 401 : !by.atoms.has('keys:write') ? 403 : good ? success : otherwise

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 30 }), async (steps) => {
      const first = await createKey(ledger, service.account, { name: 'Root' })
      const listed = await service.get('/api_keys', { key: first })
      const last = await service.get(`/api_keys?page=${listed.body.metadata.pages}`, { key: first })
      const keys: Model[] = [
        {
          id: last.body.data.at(-1).id,
          key: first,
          parent: null,
          atoms: atomsOf(['*']),
          withheld: new Set(),
          until: NEVER,
          isRevoked: false,
        },
      ]
      for (const one of steps) {
        if (one.kind === 'wait') {
          now = new Date(now.getTime() + one.days * 86_400_000)
          continue
        }
        const by = keys[one.by % keys.length] as Model
        if (one.kind === 'revoke') {
          const on = keys[one.on % keys.length] as Model
          const { status, text } = await service.delete(`/api_keys/${on.id}`, { key: by.key })
          assert.equal(status, expected(by, by === on || !isStronger(on, by), 403, 204), text)
          if (status === 204) on.isRevoked = true
          counts.set(`revoke ${status}`, (counts.get(`revoke ${status}`) ?? 0) + 1)
        } else {
          const { days, ...given } = one.rights
          const end = days === null ? null : new Date(now.getTime() + days * 86_400_000).toISOString()
          const sent: Rights = { ...given, expires_at: end }
          const wanted = {
            atoms: atomsOf(sent.permissions),
            withheld: new Set(sent.withheld),
            until: momentOf(sent.expires_at),
          }
          const fits = (bound: Model, before?: Model) =>
            isWithin(wanted.atoms, bound.atoms) &&
            isWithin(bound.withheld, wanted.withheld) &&
            (wanted.until <= bound.until || (before !== undefined && wanted.until <= before.until))
          if (one.kind === 'create') {
            const { status, body, text } = await service.post('/api_keys', { name: 'C', ...sent }, { key: by.key })
            assert.equal(status, expected(by, fits(by), 422, 201), text)
            if (status === 201)
              keys.push({ id: body.data.id, key: body.data.key, parent: by, ...wanted, isRevoked: false })
            counts.set(`create ${status}`, (counts.get(`create ${status}`) ?? 0) + 1)
          } else {
            const on = keys[one.on % keys.length] as Model
            const { status, text } = await service.put(`/api_keys/${on.id}`, sent, { key: by.key })
            const mayTry = by === on || !isStronger(on, by)
            const isGood = fits(by, on) && (!on.parent || fits(on.parent, on))
            const otherwise = !mayTry ? 403 : on.isRevoked ? 409 : 422
            assert.equal(status, expected(by, mayTry && !on.isRevoked && isGood, otherwise, 200), text)
            if (status === 200) Object.assign(on, wanted)
            counts.set(`change ${status}`, (counts.get(`change ${status}`) ?? 0) + 1)
          }
        }
        carryDown(keys)
      }
      // What they are said to be, and what they can really do.
      for (const key of keys) {
        const { body } = await service.get(`/api_keys/${key.id}`)
        const { data } = body
        assert.equal(data.parent_id, key.parent?.id ?? null)
        assert.equal(data.revoked_at !== null, key.isRevoked)
        if (!key.isRevoked) {
          assert.deepEqual([...atomsOf(data.permissions)].sort(), [...key.atoms].sort())
          assert.deepEqual(data.withheld.toSorted(), [...key.withheld].sort())
          assert.equal(momentOf(data.expires_at), key.until)
        }
        for (const [path, atom] of [
          ['/teams', 'teams:read'],
          ['/divisions', 'organisation:read'],
        ] as const) {
          const { status } = await service.get(path, { key: key.key })
          assert.equal(status, !isValid(key) ? 401 : key.atoms.has(atom) ? 200 : 403)
        }
      }
    }),
    { numRuns: rounds(10, 50) },
  )
  // A run in which everything was refused would prove nothing.
  for (const outcome of ['create 201', 'create 422', 'change 200', 'change 403', 'change 422', 'revoke 204'])
    assert.ok((counts.get(outcome) ?? 0) >= 3, `${outcome}: ${counts.get(outcome) ?? 0}`)
})
