import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ts } from '@ts-morph/common'
import { assertLines } from './lines.ts'
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

const PAPERS = ['*.md', 'console/*.md', 'docs/**/*.md', 'deploy/**/*.md', 'bench/*.md']

/** Lines of a page, without code. Rows of the contributing guide that show a bad text next to a good one are left out. */
function linesOf(file: string): [number, string][] {
  const text = readFileSync(file, 'utf8').replace(/```[\s\S]*?```/g, (code) => code.replace(/[^\n]/g, ''))
  const isPair = (line: string) => file === 'CONTRIBUTING.md' && /^\|.*\|.*\|$/.test(line)
  return text.split('\n').flatMap((line, n) => (isPair(line) ? [] : [[n + 1, line] as [number, string]]))
}

test('README, docs, decisions and changelog use plain words', () => {
  const files = globSync(PAPERS)
  assert.ok(files.includes('README.md') && files.length > 55, `only ${files.length} pages were found`)
  const found = files.flatMap((file) =>
    linesOf(file).flatMap(([n, line]) => bannedIn(line).map((what) => `${file}:${n} ${what}`)),
  )
  assertLines(found, [], 'These pages use words of test/plain-words.ts:')
})

/** Texts of several words in the code of a file: messages, descriptions, command-line output and log lines. */
function textsIn(code: string): string[] {
  const texts: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text)
    if (ts.isTemplateExpression(node))
      texts.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…'))
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('source.ts', code, ts.ScriptTarget.Latest, true))
  return texts.filter(
    (text) => /[\w…] \w+ \w/.test(text) && !/^\s*(select|insert|update|delete|create|with)\b/.test(text),
  )
}

test('texts are found in code, and comments and statements are not', () => {
  const code = `// whoever reads this
    fail('name', 'taken', \`is \${one} of them\`); log('what it is about'); sql('select a from b')`
  assert.deepEqual(textsIn(code), ['is … of them', 'what it is about'])
})

test('errors, command-line output, log lines and other texts in the code use plain words', () => {
  const files = globSync('src/**/*.ts')
  assert.ok(files.length > 300, `only ${files.length} files were found`)
  const found = files.flatMap((file) =>
    textsIn(readFileSync(file, 'utf8')).flatMap((text) =>
      bannedIn(text).map((what) => `${file} ${what} in: ${text.replace(/\s+/g, ' ').slice(0, 120)}`),
    ),
  )
  assertLines(found, [], 'These texts use words of test/plain-words.ts:')
})
