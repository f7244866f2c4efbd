import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { TObject } from 'typebox'
import { FORMATS } from '../src/engine/format.ts'
import type { Operation } from '../src/engine/operation.ts'
import type { Answer } from './harness.ts'
import { strictly } from './samples.ts'

// Compiled once for each answer and used once or twice: making the code faster costs more than it saves.
const ajv = new Ajv2020({ strict: false, code: { optimize: false } })
for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format.test)
ajv.addFormat('uuid', true)

const validators = new WeakMap<object, ReturnType<typeof ajv.compile>>()
const validatorsByText = new Map<string, ReturnType<typeof ajv.compile>>()

/** Checks that an answer has the declared shape, and no more. Operations that declare the same one share what is compiled. */
export function validatorOf(answer: TObject): ReturnType<typeof ajv.compile> {
  const known = validators.get(answer)
  if (known) return known
  const text = JSON.stringify(answer)
  const validator = validatorsByText.get(text) ?? ajv.compile(strictly(answer))
  validatorsByText.set(text, validator)
  validators.set(answer, validator)
  return validator
}

/** Checks that an answer is the one that an operation declares: its status, its shape, and no more. */
export function checkAnswer(operation: Operation, answer: Answer): void {
  assert.equal(answer.status, operation.status, answer.text)
  assert.ok(answer.headers.get('x-request-id'))
  if (operation.attaches) assert.equal(answer.headers.get('content-type'), operation.attaches)
  else if (operation.answer) {
    const validate = validatorOf(operation.answer)
    assert.ok(validate(answer.body), `${JSON.stringify(validate.errors)} ${answer.text}`)
  } else assert.equal(answer.text, '')
}
