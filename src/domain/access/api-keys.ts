import Type from 'typebox'
import type { Row, Sent } from '../../engine/declaration.ts'
import { created, get, list, put } from '../../engine/derive.ts'
import { integer, loaded, orNull, readOnly, reference, secret, text, textList, timestamp } from '../../engine/field.ts'
import type { HeldKind } from '../../engine/held.ts'
import { operation } from '../../engine/operation.ts'
import { conflict, type FieldProblem, forbidden, Problem, wrong } from '../../engine/problem.ts'
import { amend, attempt, create, find, type Rule, rowsOf, storeChanges } from '../../engine/records.ts'
import { resource, tableOf } from '../../engine/resource.ts'
import { bodySchema, recordId, schemaOf, wrapped } from '../../engine/schema.ts'
import { isSelf } from '../../records/caller.ts'
import type { Writer } from '../../records/write.ts'
import { heldForAll } from './grants.ts'
import { hashKey, hintOf, newKey } from './keys.ts'
import {
  borrowed,
  excess,
  FIELD_GROUPS,
  outlasts,
  PERMISSIONS,
  PERMISSIONS_NOTE,
  type Rights,
  uncovered,
  within,
} from './permissions.ts'
import { giveRoles, roleIds, rolesExist, rolesHeld } from './roles.ts'

export const apiKeys = resource(
  { table: 'api_keys', one: 'API key', title: 'ApiKey', area: 'keys', readWith: 'keys:write', about: [] },
  {
    name: text({ required: true, example: 'Payroll export' }),
    hash: secret({ identifiesAccount: true }),
    hint: readOnly(
      text({ required: true, note: 'Last characters of the key, so that people can recognise it', example: '…a1B2' }),
    ),
    permissions: textList({
      required: true,
      values: PERMISSIONS,
      note: PERMISSIONS_NOTE,
      example: ['organisation:read'],
    }),
    withheld: textList({
      values: FIELD_GROUPS,
      note: 'Field groups that are hidden from the key: it can neither read nor set their fields',
      example: ['compensation'],
    }),
    parent_id: readOnly(
      reference('api_keys', {
        note: 'ID of the key that created this key; null if no key did. This key never has more permissions than that key, and stops working with it',
      }),
    ),
    made_by_user_id: readOnly(
      integer({
        max: Number.MAX_SAFE_INTEGER,
        note: 'ID of the user who created this key, or created the key with which it was created; null if no user did. The key never has more permissions than that user, and stops working when the user can no longer sign in',
      }),
    ),
    employee_id: reference('employees', {
      note: 'ID of the employee the key belongs to; null if it belongs to none. The key, and every key created with it, cannot decide on requests and reviews of that employee',
    }),
    expires_at: timestamp({ example: '2030-01-01T00:00:00.000Z' }),
    revoked_at: readOnly(timestamp()),
    roles: rolesHeld('api_key_roles', 'api_key_id'),
    last_used_at: loaded(orNull(Type.String({ format: 'date-time' })), async (db, ids) => {
      const uses = await db.from('api_key_uses').select(['key_id', 'last_used_at']).where('key_id', 'in', ids).execute()
      return new Map(uses.map((use) => [use.key_id, use.last_used_at]))
    }),
  },
)

export const apiKeyRoles = resource(
  { table: 'api_key_roles', one: 'role of a key', title: 'ApiKeyRole', area: 'keys', readWith: 'keys:write' },
  {
    api_key_id: reference('api_keys', { required: true, owner: true, part: true }),
    role_id: reference('roles', { required: true }),
  },
)

type Key = Row<typeof apiKeys>

/** They end by themselves, as do those that the user of the employee has created. */
export const ownKeys: HeldKind = {
  kind: 'api_keys',
  of: apiKeys,
  note: 'API keys that belong to the employee or were created by their user. They stop working by themselves on the first day after the employment: create keys that must outlive the employment on the command line',
  otherwise: 'ends',
  role: 'key_owner',
  rows: (db, { id }) =>
    db
      .from('api_keys')
      .select(['id', 'name', 'expires_at'])
      .where((eb) =>
        eb.or([
          eb('employee_id', '=', id),
          eb('made_by_user_id', 'in', db.from('users').select('users.id').where('users.employee_id', '=', id)),
        ]),
      )
      .where('revoked_at', 'is', null)
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', db.hour)]))
      .orderBy('id'),
}

const more = {
  role_ids: roleIds(
    'IDs of roles that limit the key to certain people. Without roles, its permissions apply to everybody. Once a key has roles, the last one cannot be removed. The scopes `self` and `reports` of a role refer to the employee of the key',
  ),
}

/** 401: the same words for a key that is missing, unknown, expired or revoked. */
export const unauthorized = () =>
  new Problem(
    401,
    'unauthorized',
    'Sign in, or send a valid API key in the X-API-KEY header or as Authorization: Bearer.',
  )

/**
 * Whoever manages keys, as they stand in this turn: the calling key may have been narrowed or revoked since its request
 * came in, and what it makes would not know.
 */
async function manager(db: Writer): Promise<Rights & { id: number | null; made_by_user_id: number | null }> {
  const { actor, grants } = db.caller
  const held = {
    ...heldForAll(db.caller),
    expires_at: null,
    employee_id: actor.kind === 'key' ? null : db.caller.personId,
    arePersons: actor.kind === 'person',
  }
  if (actor.kind !== 'key') return { id: null, ...held, made_by_user_id: actor.kind === 'person' ? actor.id : null }
  if (grants) throw forbidden('An API key with roles cannot manage API keys. Sign in, or use an API key without roles.')
  const key = await find(db, apiKeys, actor.id)
  if (key.revoked_at !== null || (key.expires_at !== null && key.expires_at <= db.now)) throw unauthorized()
  // What its row says may be more than the person holds by now who made it.
  return { ...key, ...within(key, held) }
}

export const expiresInTheFuture: Rule<typeof apiKeys> = ({ db, before, changes, fail }) => {
  if (changes.expires_at && changes.expires_at !== before?.expires_at && changes.expires_at <= db.now)
    fail('expires_at', 'in_the_past', 'must be in the future')
}

/** Whose a key is decides what is not decided with it: nobody says of one of their own that it is not theirs. */
const staysOnesOwn: Rule<typeof apiKeys> = ({ db, before, after, fail }) => {
  const { actor } = db.caller
  const isOwn =
    (actor.kind === 'key' && actor.id === before?.id) ||
    (typeof before?.employee_id === 'number' && isSelf(db, before.employee_id))
  if (isOwn && after.employee_id !== before?.employee_id)
    fail(
      'employee_id',
      'not_allowed',
      'of your own API key can be changed only by another administrator. Leave this field out',
    )
}

/** Nobody grants more than they have, and a key never has more than the one it was made with. */
const staysWithin =
  (bound: Rights, whose: string): Rule<typeof apiKeys> =>
  ({ before, after, fail }) => {
    const tooMuch = excess(after, bound)
    if (tooMuch.length > 0)
      fail(
        'permissions',
        'not_held',
        `cannot include ${tooMuch.join(', ')}, because ${whose} does not have ${tooMuch.length > 1 ? 'these permissions' : 'this permission'}`,
      )
    const lent = borrowed(after, bound)
    if (lent.length > 0 && bound.employee_id === null)
      fail(
        'permissions',
        'not_held',
        `cannot include ${lent.join(', ')}: only a user or key that belongs to an employee (employee_id) can give ${lent.length > 1 ? 'these permissions' : 'this permission'}`,
      )
    else if (lent.length > 0)
      fail(
        'employee_id',
        'not_held',
        `must be ${bound.employee_id}, because ${whose} has ${lent.join(', ')} only for employee ${bound.employee_id}`,
      )
    const shown = uncovered(after, bound)
    if (shown.length > 0)
      fail(
        'withheld',
        'not_held',
        `must include ${shown.join(', ')}, because ${whose} does not see ${shown.length > 1 ? 'these field groups' : 'this field group'}`,
      )
    // An end that only stays where it is, or comes nearer, is no grant.
    const isGrant = !before || outlasts(after.expires_at, before.expires_at)
    if (isGrant && outlasts(after.expires_at, bound.expires_at))
      fail('expires_at', 'not_held', `must not be after ${bound.expires_at}, when ${whose} expires`)
  }

/** The keys that were made with a key, those made with them, and so on; of those that are revoked there are none. */
async function descendants(db: Writer, id: number): Promise<Key[]> {
  const below = new Set(await db.reach('api_keys', 'parent_id', 'id', [id]))
  const living = await rowsOf(apiKeys, db.from('api_keys').where('revoked_at', 'is', null))
  return living.filter((key) => key.id !== id && below.has(key.id))
}

/** Ends a key and all that descend from it, and says which they were. */
export async function revoke(db: Writer, key: Key): Promise<number[]> {
  if (key.revoked_at !== null) return []
  const ending = [key, ...(await descendants(db, key.id))]
  const revoked = ending.map((one) => attempt(db, apiKeys, one, { revoked_at: db.now }))
  await storeChanges(db, apiKeys, revoked)
  return ending.map(({ id }) => id)
}

/**
 * What a key loses, its descendants lose in the same turn. So the row of a key always says what it may do, and looking
 * it up costs the same however long its line is. What the key is given back later, they are not.
 */
async function narrowDescendants(db: Writer, key: Key): Promise<void> {
  const narrowed = (await descendants(db, key.id)).map((one) => attempt(db, apiKeys, one, within(one, key)))
  await storeChanges(db, apiKeys, narrowed)
}

/** A key can manage itself and those that can do no more than it can, but none that it descends from. */
async function refuseStronger(db: Writer, key: Key, by: Rights & { id: number | null }): Promise<void> {
  if (by.id === key.id) return
  const line = by.id === null ? [] : await db.reach('api_keys', 'id', 'parent_id', [by.id])
  if (line.includes(key.id))
    throw forbidden(
      `Key ${key.id} was used to create your key, so your key cannot change or revoke key ${key.id}. Use another key, or sign in.`,
    )
  if ([excess, uncovered, borrowed].some((more) => more(key, by).length > 0))
    throw forbidden(
      `Key ${key.id} has more permissions or sees more field groups than your key, so your key cannot change or revoke it. Use a key with more access.`,
    )
}

async function change(
  db: Writer,
  before: Key,
  sent: Sent<typeof apiKeys> & { role_ids?: number[] },
  problems: FieldProblem[],
): Promise<void> {
  const by = await manager(db)
  await refuseStronger(db, before, by)
  if (before.revoked_at !== null) throw conflict('A revoked key cannot be changed. Create a new key.')
  const rules = [
    expiresInTheFuture,
    staysOnesOwn,
    staysWithin(by, 'the calling key'),
    rolesExist<typeof apiKeys>(sent.role_ids),
  ]
  if (before.parent_id !== null)
    rules.push(
      staysWithin(await find(db, apiKeys, before.parent_id), `key ${before.parent_id}, with which it was created,`),
    )
  const held = await db.from('api_key_roles').select('id').where('api_key_id', '=', before.id).executeTakeFirst()
  if (held && sent.role_ids?.length === 0)
    problems.push(
      wrong(
        'role_ids',
        'blank',
        'must contain at least one role: without any, the permissions of the key would cover everybody',
      ),
    )
  await amend(db, apiKeys, before, sent, { rules, problems })
  await giveRoles(db, apiKeyRoles, { api_key_id: before.id }, sent.role_ids)
  await narrowDescendants(db, await find(db, apiKeys, before.id))
}

const shown = schemaOf(apiKeys.whole)
const withKey = Type.Object(
  { ...shown.properties, key: Type.String({ description: 'The key itself. It is shown only in this response' }) },
  { title: 'NewApiKey' },
)

/** Reading the list of keys is part of managing them. */
const permission = 'keys:write'

/** Ends the keys of somebody who is erased, with all that were made with them; not even their names are kept. */
export async function endKeysOf(db: Writer, employeeId: number): Promise<void> {
  const keys = await rowsOf(apiKeys, db.from('api_keys').where('employee_id', '=', employeeId))
  for (const key of keys) {
    await revoke(db, key)
    await amend(db, apiKeys, await find(db, apiKeys, key.id), { name: 'Erased' })
  }
  db.eraseFromLedger([{ of: tableOf(apiKeys), ids: keys.map(({ id }) => id) }])
}

export const apiKeyOperations = [
  { ...list(apiKeys), permission },
  { ...get(apiKeys), permission },
  operation(
    {
      id: 'createApiKey',
      method: 'POST',
      path: '/api_keys',
      summary: 'Create an API key',
      note: `Returns the key itself, which is never shown again. The new key cannot have more permissions than the calling key, see more field
groups, or expire later; without \`expires_at\` it expires together with the calling key. A key that a user creates never has more
permissions than that user, and stops working when the user is disabled, deleted or terminated. For integrations that must outlast
a person, create the key on the command line, or with a key created there.`,
      area: 'keys',
      permission,
      body: bodySchema(apiKeys, 'create', more),
      status: 201,
      answer: wrapped(withKey),
      // The stored copy of the answer, kept for retries, does not hold the key.
      redact: (body) => ({ data: { ...body.data, key: '' } }),
    },
    async ({ db, body, problems }) => {
      const key = newKey()
      const by = await manager(db)
      const { id: parent_id, made_by_user_id } = by
      const made = { parent_id, made_by_user_id, hash: hashKey(key), hint: hintOf(key) }
      const values = { expires_at: by.expires_at, ...body, ...made }
      const { role_ids } = body as { role_ids?: number[] }
      const rules = [expiresInTheFuture, staysWithin(by, 'the calling key'), rolesExist<typeof apiKeys>(role_ids)]
      const id = await create(db, apiKeys, values, { rules, problems })
      await giveRoles(db, apiKeyRoles, { api_key_id: id }, role_ids)
      const answer = await created(db, apiKeys, {}, id)
      return { ...answer, body: { data: { ...answer.body.data, key } } }
    },
  ),
  put(apiKeys, {
    more,
    note: `Omitted fields keep their values. When a key loses permissions, the keys created with it lose them too, and do not get them back.
A key cannot update a key that can do or see more than itself, nor the keys with which it was created (its parent, their parent, and so on).`,
    conflicts: 'The key has been revoked, so it can no longer change',
    store: ({ db, body, problems }, before) => change(db, before, body, problems),
  }),
  operation(
    {
      id: 'revokeApiKey',
      method: 'DELETE',
      path: '/api_keys/{id}',
      summary: 'Revoke an API key',
      note: `Takes effect at once, cannot be undone, and also revokes every key created with this key. The key records stay in the list. A key cannot
revoke a key that can do or see more than itself, nor the keys with which it was created (its parent, their parent, and so on).`,
      area: 'keys',
      permission,
      params: Type.Object({ id: recordId('api_keys') }),
    },
    async ({ db, params }) => {
      const key = await find(db, apiKeys, params.id)
      await refuseStronger(db, key, await manager(db))
      await revoke(db, key)
      return {}
    },
  ),
]
