import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations, resources } from '../src/operations.ts'
import { apiDocument } from '../src/surfaces/pages.ts'
import { bannedIn } from './plain-words.ts'

/** The texts of the reference, from the document itself: no service runs. */

const document: any = JSON.parse(JSON.stringify(apiDocument({ operations, kinds: resources, version: '0.0.0' })))
const all = Object.values<any>(document.paths).flatMap((path) => Object.values<any>(path))

/** Verbs in the imperative with which a summary may begin. A new one is added here if no other says the same. */
const VERBS = new Set(
  `Add Answer Apply Approve Ask Assign Cancel Change Clock Close Confirm Create Delete Disable Disqualify Enable End Erase
  Export Finish Get Invite List Mark Merge Move Open Preview Reject Rehire Remove Rename Reopen Requalify Reset Return Revoke Save
  Search Set Show Sign Start Submit Terminate Undo Unlink Update Withdraw`.split(/\s+/),
)
const LONGEST_SUMMARY = 60

/** Every text of the document, with where it is. */
function textsIn(node: unknown, path = ''): [string, string][] {
  if (Array.isArray(node)) return node.flatMap((one, index) => textsIn(one, `${path}/${index}`))
  if (node === null || typeof node !== 'object') return []
  return Object.entries(node).flatMap(([name, value]): [string, string][] => {
    if (/^examples?$/.test(name) && !path.endsWith('/properties')) return []
    if (/^(summary|description)$/.test(name) && typeof value === 'string') return [[`${path}/${name}`, value]]
    return textsIn(value, `${path}/${name}`)
  })
}

/** Every value of every example, with where it is. */
function examplesIn(node: unknown, path = '', isExample = false): [string, unknown][] {
  if (node === null || typeof node !== 'object') return isExample ? [[path, node]] : []
  return Object.entries(node).flatMap(([name, value]) =>
    examplesIn(value, `${path}/${name}`, isExample || (/^examples?$/.test(name) && !path.endsWith('/properties'))),
  )
}

/** Every schema that is named in an object, with where it is. */
function propertiesIn(node: unknown, path = ''): [string, any][] {
  if (node === null || typeof node !== 'object') return []
  return Object.entries(node).flatMap(([name, value]): [string, any][] => {
    if (/^examples?$/.test(name)) return []
    const here = path.endsWith('/properties') ? [[`${path}/${name}`, value] as [string, any]] : []
    return [...here, ...propertiesIn(value, `${path}/${name}`)]
  })
}

test('every summary is an instruction of at most 60 characters', () => {
  const wrong = all.flatMap(({ operationId, summary = '' }) => {
    const [verb = ''] = summary.split(/[ ,]/)
    if (summary.length > LONGEST_SUMMARY) return [`${operationId}: ${summary.length} characters: ${summary}`]
    if (!VERBS.has(verb)) return [`${operationId}: does not begin with a known verb: ${summary}`]
    return /\.$/.test(summary) ? [`${operationId}: ends with a full stop: ${summary}`] : []
  })
  assert.deepEqual(wrong, [])
})

test('every operation, parameter, response, header and tag has a description', () => {
  const silent: string[] = []
  const need = (where: string, one: any) => {
    if (!one.$ref && !one.description?.trim()) silent.push(where)
  }
  for (const operation of all) {
    need(operation.operationId, operation)
    for (const one of operation.parameters ?? []) need(`${operation.operationId} ${one.name}`, one)
    for (const [status, one] of Object.entries<any>(operation.responses))
      need(`${operation.operationId} ${status}`, one)
  }
  for (const kind of ['parameters', 'responses', 'headers', 'securitySchemes'])
    for (const [name, one] of Object.entries<any>(document.components[kind])) need(`${kind} ${name}`, one)
  for (const tag of document.tags) need(`tag ${tag.name}`, tag)
  assert.deepEqual(silent, [])
})

test('every property with a fixed list of values has a description', () => {
  const silent = propertiesIn(document).flatMap(([where, schema]) =>
    (schema?.enum ?? schema?.items?.enum) && !schema.description?.trim() ? [where] : [],
  )
  assert.deepEqual(silent, [])
})

test('examples have real values', () => {
  const types = document.components.schemas.CreateEmployeeField.properties.type.enum
  assert.ok(types.includes('text'))
  const made = examplesIn(document).filter(
    ([where, value]) =>
      typeof value === 'string' &&
      (/^(string|str|foo|bar|baz|test|lorem ipsum.*|name \d+|text \d+)$/i.test(value) ||
        // The type of a custom field or a review question is called so.
        (value === 'text' && !/\/type$|\/properties\/type\/examples\/\d+$/.test(where))),
  )
  assert.deepEqual(made, [])
})

test('no text of the reference contains a banned word or phrase', () => {
  const texts = [
    ...textsIn(document),
    ...document.tags.map((tag: any) => [`tag ${tag.name}`, tag.name]),
    ...document['x-tagGroups'].map((part: any) => [`part ${part.name}`, part.name]),
    ...examplesIn(document).filter(([, value]) => typeof value === 'string'),
  ] as [string, string][]
  const seen = new Map<string, string>()
  for (const [where, text] of texts) if (!seen.has(text)) seen.set(text, where)
  const wrong = [...seen].flatMap(([text, where]) => bannedIn(text).map((found) => `${where}: ${found}\n  ${text}`))
  assert.deepEqual(wrong, [])
})
