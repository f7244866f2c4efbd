import type { TObject } from 'typebox'
import type { Operation } from '../../engine/operation.ts'
import { bodyExample } from '../examples.ts'
import type { Json, Schemas } from './schemas.ts'

/**
 * All three kinds of bodies have the same fields. In a form an object is spelled `fields[badge]=1`; lists of objects can
 * be spelled there too, but no client knows how from a document, so that it leaves them to JSON, and names that alone
 * where they are needed.
 */
export function bodies(operation: Operation, body: TObject, schemas: Schemas): Json {
  const json = { 'application/json': { schema: schemas.refer(body), example: bodyExample(operation, body) } }
  const all = Object.entries(body.properties as Record<string, any>)
  const lists = all.filter(([, one]) => allows(one.items, 'object')).map(([name]) => name)
  if (lists.some((name) => body.required?.includes(name))) return json

  const fields = all.filter(([name]) => !lists.includes(name))
  const spellable = lists.length > 0 ? formOf(body, fields) : body
  const schema = schemas.refer(spellable)
  const example = bodyExample(operation, spellable)
  const objects = fields.filter(([, one]) => allows(one, 'object') && !one['x-file']).map(([name]) => name)
  const encoding = Object.fromEntries(objects.map((name) => [name, { style: 'deepObject', explode: true }]))
  const spelled = objects.length > 0 ? { encoding } : {}
  return {
    ...json,
    'application/x-www-form-urlencoded': { schema, example, ...spelled },
    'multipart/form-data': fields.some(([, one]) => one['x-file'])
      ? { schema: withFiles(spellable, schemas), ...spelled }
      : { schema, example, ...spelled },
  }
}

const forms = new WeakMap<TObject, TObject>()

/** A body of these fields alone, under a name of its own: always the same object. */
function formOf(body: TObject, fields: [string, any][]): TObject {
  const title = `${(body as Json).title}Form`
  const form = forms.get(body) ?? ({ ...body, title, properties: Object.fromEntries(fields) } as TObject)
  forms.set(body, form)
  return form
}

/** A body as multipart has it: with files that are just files. */
function withFiles(body: TObject, schemas: Schemas): Json {
  const { properties, ...rest } = schemas.plain(body)
  for (const [name, { description, 'x-file': isFile }] of Object.entries(body.properties as Record<string, any>))
    if (isFile) properties[name] = { type: 'string', format: 'binary', description }
  return { ...rest, title: `${rest.title}WithFile`, properties }
}

const allows = (schema: any, type: string) => [schema?.type].flat().includes(type)
