import Type from 'typebox'
import { created, get, list } from '../engine/derive.ts'
import { loaded, orNull, readOnly, reference, secret, text, textList, timestamp } from '../engine/field.ts'
import { operation } from '../engine/operation.ts'
import { permits } from '../engine/permission.ts'
import { amend, create, find, type Rule } from '../engine/records.ts'
import { resource } from '../engine/resource.ts'
import { bodySchema, recordId, schemaOf, wrapped } from '../engine/schema.ts'
import { hashKey, hintOf, newKey } from './keys.ts'
import { FIELD_GROUPS, PERMISSIONS } from './permissions.ts'

export const apiKeys = resource(
  { table: 'api_keys', one: 'API key', title: 'ApiKey', area: 'keys' },
  {
    name: text({ required: true, example: 'Payroll export' }),
    hash: secret(),
    hint: readOnly(text({ required: true, note: 'The last characters of the key', example: '…a1B2' })),
    permissions: textList({
      required: true,
      values: PERMISSIONS,
      note: '`*`, `area:*`, `area:read` or `area:write`',
      example: ['organisation:read'],
    }),
    withheld: textList({
      values: FIELD_GROUPS,
      note: 'Field groups that this key does not see',
      example: ['compensation'],
    }),
    employee_id: reference('employees', { fate: 'goes', note: 'The employee the key belongs to' }),
    expires_at: timestamp({ example: '2030-01-01T00:00:00.000Z' }),
    revoked_at: readOnly(timestamp()),
    last_used_at: loaded(orNull(Type.String({ format: 'date-time' })), async (db, ids) => {
      const uses = await db.from('api_key_uses').select(['key_id', 'last_used_at']).where('key_id', 'in', ids).execute()
      return new Map(uses.map((use) => [use.key_id, use.last_used_at]))
    }),
  },
)

const expiresInTheFuture: Rule<typeof apiKeys> = ({ db, changes, fail }) => {
  if (changes.expires_at && changes.expires_at <= db.now) fail('expires_at', 'in_the_past', 'must be in the future')
}

/** Whoever may make keys cannot make one that opens more than their own. */
const grantsNoMoreThanHeld: Rule<typeof apiKeys> = ({ db, after, fail }) => {
  const excess = (after.permissions ?? []).filter((one) => !permits(db.caller.permissions, one))
  if (excess.length > 0)
    fail('permissions', 'not_held', `may only hold what the calling key holds, which is not ${excess.join(', ')}`)
  const shown = [...db.caller.withheld].filter((group) => !after.withheld.includes(group))
  if (shown.length > 0)
    fail('withheld', 'not_held', `must include ${shown.join(', ')}, which the calling key does not see`)
}

const shown = schemaOf(apiKeys.whole)
const withKey = Type.Object(
  { ...shown.properties, key: Type.String({ description: 'The key itself: shown here and never again' }) },
  { title: 'NewApiKey' },
)

/** Reading the list of keys is part of managing them. */
const permission = 'keys:write'

export const apiKeyOperations = [
  { ...list(apiKeys), permission },
  { ...get(apiKeys), permission },
  operation(
    {
      id: 'createApiKey',
      method: 'POST',
      path: '/api_keys',
      summary: 'Create an API key',
      note: 'The answer is the only place where the key itself is shown.',
      area: 'keys',
      permission,
      body: bodySchema(apiKeys, 'create'),
      status: 201,
      answer: wrapped(withKey),
      // The stored copy of the answer, kept for retries, does not hold the key.
      redact: (body) => ({ data: { ...body.data, key: '' } }),
    },
    async ({ db, body, problems }) => {
      const key = newKey()
      const values = { ...body, hash: hashKey(key), hint: hintOf(key) }
      const id = await create(db, apiKeys, values, { rules: [expiresInTheFuture, grantsNoMoreThanHeld], problems })
      const answer = await created(db, apiKeys, {}, id)
      return { ...answer, body: { data: { ...answer.body.data, key } } }
    },
  ),
  operation(
    {
      id: 'revokeApiKey',
      method: 'DELETE',
      path: '/api_keys/{id}',
      summary: 'Revoke an API key',
      note: 'At once and for good; its record stays.',
      area: 'keys',
      permission,
      params: Type.Object({ id: recordId('api_keys') }),
    },
    async ({ db, params }) => {
      const before = await find(db, apiKeys, params.id)
      if (before.revoked_at === null) await amend(db, apiKeys, before, { revoked_at: db.now })
      return {}
    },
  ),
]
