import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../console/client/problem.ts'
import { forgetUnanswered, joinRunning, repeatable, type WriteRequest } from '../../console/client/send-once.ts'

/** Under which key a write is sent again: the one of before for as long as its answer is owed, and of nothing else. */

const API = '/api/public/v3'
const NOTE: WriteRequest = {
  method: 'POST',
  address: `${API}/recruitment/candidates/3/notes`,
  body: { comment: 'Good' },
}
const lost = () => Promise.reject(new Problem(0, 'unreachable', ''))

/** The key under which it is sent now; by itself it is answered. */
async function keyOf(write: WriteRequest, answer: () => Promise<unknown> = async () => undefined): Promise<string> {
  let key = ''
  await repeatable(write, (attempt) => {
    key = attempt.key
    return answer()
  }).catch(() => undefined)
  return key
}

test('a second press gets the first response, and a different request is sent', async () => {
  let sent = 0
  const send = async () => ++sent
  assert.deepEqual(await Promise.all([joinRunning(NOTE, send), joinRunning(NOTE, send)]), [1, 1])
  assert.equal(await joinRunning(NOTE, send), 1, 'the second half of a double click')
  assert.equal(await joinRunning({ ...NOTE, body: { comment: 'Another' } }, send), 2)
  await assert.rejects(joinRunning({ ...NOTE, address: `${NOTE.address}/1` }, lost))
  assert.equal(await joinRunning({ ...NOTE, address: `${NOTE.address}/1` }, send), 3, 'what failed is sent again')
})

test('a lost request is sent again with its idempotency key, whatever was sent meanwhile', async () => {
  const key = await keyOf(NOTE, lost)
  await keyOf({ method: 'POST', address: `${API}/me/notifications/seen`, body: { until: '' } })
  await keyOf({ method: 'PUT', address: `${API}/recruitment/candidates/3`, body: { first_name: 'Ada' } })
  assert.equal(await keyOf(NOTE), key)
  assert.notEqual(await keyOf(NOTE), key, 'it was answered, and the next one is another')
})

test('a request in flight keeps its key, whatever is answered before it', async () => {
  let fail: (why: unknown) => void = () => undefined
  const first = keyOf(NOTE, () => new Promise((_, reject) => (fail = reject)))
  await keyOf({ ...NOTE, body: { comment: 'Another' } })
  forgetUnanswered(['notes'])
  fail(new Problem(0, 'unreachable', ''))
  assert.equal(await keyOf(NOTE), await first)
})

test('another action or an undo on the same resource makes a repeated request a new one', async () => {
  const key = await keyOf(NOTE, lost)
  await keyOf({ method: 'DELETE', address: `${API}/recruitment/candidates/3/notes/5` })
  const next = await keyOf(NOTE, lost)
  assert.notEqual(next, key)
  forgetUnanswered(['candidates', 'notes'])
  assert.notEqual(await keyOf(NOTE, lost), next)
  const approve = { method: 'POST', address: `${API}/leave_requests/5/approve` }
  const approval = await keyOf(approve, lost)
  await keyOf({ method: 'POST', address: `${API}/leave_requests/6/approve` })
  assert.notEqual(await keyOf(approve), approval)
})

test('a rejected request is done, and a failed one can be repeated with its key', async () => {
  const key = await keyOf(NOTE, () => Promise.reject(new Problem(503, 'failed', '')))
  assert.equal(await keyOf(NOTE, () => Promise.reject(new Problem(422, 'validation_failed', ''))), key)
  assert.notEqual(await keyOf(NOTE), key)
})

test('a failed request keeps the id of its first attempt', async () => {
  const write = { method: 'POST', address: `${API}/leave_requests/7/approve` }
  const failed = (requestId: string) => repeatable(write, lost, requestId).catch((error) => error.requestId)
  assert.equal(await failed('first'), 'first')
  assert.equal(await failed('second'), 'first')
})
