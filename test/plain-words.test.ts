import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bannedIn } from './plain-words.ts'

const BAD = [
  'memory for answers that are given again while what they were made from stands',
  'While it is away the service answers 503 and goes on by itself when it is back',
  'You may not do that: it would not be about those whom your role reaches',
  'The order: `-` before the name has the last ones first',
  'What is not sent stays.',
  'Whoever reports to somebody who is not there is shown below the next one above',
  'Tell what became of one employee',
  'One’s own',
  'It stands beside the other fields; the kind of leave is nowhere told',
]

const GOOD = [
  'Response cache size in MB.',
  'If PostgreSQL is down, Cadre returns 503 with `Retry-After` and recovers by itself.',
  'Your role does not cover this person.',
  'Sort field; prefix with `-` for descending.',
  'This change cannot be undone alone. Send `request=true` to undo the whole request.',
  'The standard pattern is outstanding; a standing order is fine, and so is `stands` in code.',
  'Copy this link now; it won’t be shown again',
  'Understand what the employee holds the day before they go.',
]

test('the list of banned words finds our bad sentences, and nothing in good ones', () => {
  assert.deepEqual(
    BAD.filter((text) => bannedIn(text).length === 0),
    [],
  )
  assert.deepEqual(GOOD.flatMap(bannedIn), [])
})
