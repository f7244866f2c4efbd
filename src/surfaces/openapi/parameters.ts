import type { Operation } from '../../engine/operation.ts'
import { queryExample } from '../examples.ts'
import { GLOSSARY } from '../glossary.ts'
import { otherNames, sentenceCase, withValues, words } from './descriptions.ts'
import type { Json, Schemas } from './schemas.ts'

/** Path, query and header parameters of an operation. */
export function parametersOf(operation: Operation, schemas: Schemas): Json[] {
  return [
    ...Object.entries(operation.params.properties as Record<string, any>).map(([name, schema]) => ({
      name,
      in: 'path',
      required: true,
      description: schema.description ?? schemas.identified(schema, name),
      schema: schemas.plain(schema),
    })),
    ...queryParameters(operation, operation.query.properties, schemas),
    ...queryParameters(operation, inQuery(operation), schemas),
    ...(operation.method === 'GET'
      ? []
      : Object.keys(SHARED_PARAMETERS).map((name) => ({ $ref: `#/components/parameters/${name}` }))),
    ...(operation.isFeed ? [LAST_EVENT] : []),
  ]
}

const RETRY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes retries safe. Send a new value with each new request, and the same value when you repeat it: within 24 hours, the repeated request changes nothing and returns the first response, or 409 `answer_withheld` if you may no longer see all of that response',
  schema: { type: 'string', maxLength: 255 },
}

const PREFER = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description:
    '`dry-run`: nothing is stored; the response has the status 200 and lists under `changes` what would change. `handling=strict`: unknown parameters and fields are rejected instead of ignored',
  schema: { type: 'string', examples: ['dry-run', 'handling=strict, dry-run'] },
}

/** Parameters that all writes have, by their name in the document. */
export const SHARED_PARAMETERS = { IdempotencyKey: RETRY_KEY, Prefer: PREFER }

const LAST_EVENT = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description:
    'With `Accept: text/event-stream`: the number of the last event you received; takes precedence over `since`',
  schema: { type: 'string', pattern: '^\\d*$' },
}

/** Fields of the body that may stand in the query instead. */
const inQuery = ({ body, inQuery = [] }: Operation) =>
  Object.fromEntries(
    inQuery.map((name) => {
      const schema = body?.properties[name] as Json
      const about = schema.description ?? GLOSSARY[name] ?? sentenceCase(name)
      return [name, { ...schema, description: `${about}. You can send it here or in the body` }]
    }),
  )

/** `created_at: {gte, lte}` is sent as `created_at[gte]`; lists are sent as `ids[]`. */
function queryParameters({ id }: Operation, properties: Record<string, any>, schemas: Schemas): Json[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    /** The example is shown but not sent until the reader of the reference page enables it. */
    const parameter = (spelled: string, one: any) => ({
      name: spelled,
      in: 'query',
      required: false,
      description: withValues(one.description ?? narrowing(spelled, one.format), one) + otherNames(one),
      examples: { example: { value: queryExample(id, spelled, one), 'x-disabled': true } },
      schema: schemas.plain(one),
    })
    if (schema.type === 'object') {
      const [plain, ...more] = schema['x-plain'] ?? []
      return [
        ...(plain && more.length === 0 ? [parameter(name, schema.properties[plain])] : []),
        ...Object.entries(schema.properties).map(([part, inner]) => parameter(`${name}[${part}]`, inner)),
      ]
    }
    return parameter(schema.type === 'array' ? `${name}[]` : name, schema)
  })
}

/** What a filter does, by its name, unless it says so itself. */
function narrowing(spelled: string, format?: string): string {
  const [, stem = '', part] = /^(\w+)(?:\[(\w*)\])?$/.exec(spelled) as RegExpExecArray
  const bound = part && BOUNDS[part]?.[format === 'moment' ? 1 : 0]
  if (bound)
    return `${RANGES[stem] ?? `Only records with \`${stem}\``} ${bound}${format === 'moment' ? momentNote(part) : ''}`
  if (DAYS[stem]) return DAYS[stem]
  const isList = part === ''
  const about = FILTERS[spelled]
  if (about) return about
  const thing = words(isList ? several(stem) : stem)
    .replace(/\bid(s?)$/, 'ID$1')
    .replace(/^kpi\b/, 'KPI')
  return `Only records with ${isList ? 'one of these' : 'this'} ${thing}`
}

/** `statuses`, of `status` and of `statuses`. */
const several = (name: string) =>
  /[^su]s$/.test(name)
    ? name
    : name.endsWith('y')
      ? `${name.slice(0, -1)}ies`
      : `${name}${name.endsWith('s') ? 'es' : 's'}`

const momentNote = (bound: string) =>
  `: a timestamp, Unix seconds or a date. A date means the moment at which that day ${BOUNDS[bound]?.[2]}`

/** What a bound of a range means for dates, and for moments. */
const BOUNDS: Record<string, readonly [string, string, string]> = {
  gte: ['on or after this date', 'at or after this time', 'begins'],
  lte: ['on or before this date', 'at or before this time', 'ends'],
  gt: ['after this date', 'after this time', 'ends'],
  lt: ['before this date', 'before this time', 'begins'],
}

/** Ranges that are not named after a field. */
const RANGES: Record<string, string> = {
  hired_at: 'Only candidates who were hired',
  joined_on: 'Only employees whose first day of work is',
  left_on: 'Only employees whose first day after employment is',
  taken_on: 'Only requests with a leave day',
  terminated_on: 'Only employees whose first day after employment is',
}

const DAYS: Record<string, string> = {
  starts_on: 'First day of the range to show, included; send it together with `ends_on`',
  ends_on: 'Last day of the range to show, included; send it together with `starts_on`',
  as_of: 'Date for which to show the data; today by default',
}

/** Filters by a record or word whose name does not say enough. */
const FILTERS: Record<string, string> = {
  manager_id: 'Only people who report directly to the manager with this employee ID',
  'manager_ids[]': 'Only people who report directly to one of the managers with these employee IDs',
  user_id: 'Only records that belong to this employee. In this API, a user ID is the ID of an employee',
  'user_ids[]': 'Only records that belong to these employees. In this API, a user ID is the ID of an employee',
  hiring_lead_user_id: 'Only vacancies for which the employee with this ID leads the hiring',
  'applicant_ids[]': 'Only records of the candidates with these IDs',
  stage_id: 'Only applications that are in the pipeline stage with this ID',
  pipeline_stage_id: 'Only applications that are in the pipeline stage with this ID',
  source_id: 'Only records of candidates who came from the source (such as a job board) with this ID',
  owner_id: 'Only records for which the employee with this ID is responsible',
  code: 'Only assets with this inventory code',
  'skills[]': 'Only records with one of these skills, by name',
  'tags[]': 'Only records with one of these tags, by name',
  'tag_ids[]': 'Only records with one of the tags with these IDs',
  employee_field_internal_name: 'Only values of the historical field with this internal name',
}
