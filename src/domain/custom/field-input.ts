import { type FieldProblem, wrong } from '../../engine/problem.ts'
import { nameable } from '../../engine/records.ts'
import type { Reader } from '../../records/reader.ts'
import { keepValue, type NumericTextMeaning, namedBy, type Option, type RecordType } from './values.ts'

/** The custom fields in a request body: at the top level by internal name, or under `fields` or another name. */
export type CustomFieldInput = {
  extra: Record<string, unknown>
  fields: unknown
  under?: { name: string; one: string }
  /** Names that nothing has made use of yet. */
  ignored: Set<string>
  problems: FieldProblem[]
}

type FieldDefinition = { id: number; internal_name: string; type: string; protection: string | null }

export const hasCustomFields = ({ extra, fields }: CustomFieldInput) =>
  Object.keys(extra).length > 0 || Object.keys(fields ?? {}).length > 0

/**
 * Reads the custom values of several bodies, each as it is kept. A field that is sent both flat and under a name must
 * say the same in both places.
 */
export async function readCustomFields<D extends FieldDefinition>(
  db: Reader,
  sendings: readonly CustomFieldInput[],
  definitions: readonly D[],
  optionsOf: (fields: D[]) => Promise<ReadonlyMap<number, Option[]>>,
  referent: RecordType,
  digits: NumericTextMeaning = 'value',
): Promise<{ field: D; value: string | null }[][]> {
  const byName = new Map(definitions.map((field) => [field.internal_name, field]))
  const sent = sendings.map((sending) => sentFields(sending, byName))
  const wanted = [...new Set(sent.flat().map(({ field }) => field))]
  const options = await optionsOf(wanted)
  const named = sent.flat().filter(({ field }) => field.type === referent.type)
  const known = await nameable(
    db,
    referent.table,
    named.map(({ raw }) => Number(namedBy(raw))).filter(Number.isSafeInteger),
  )
  return sendings.map(({ problems }, index) => {
    const read = new Map<D, string | null>()
    for (const { field, raw, name } of sent[index] ?? []) {
      if (field.protection !== null && db.caller.withheld.has(field.protection)) {
        problems.push(
          wrong(
            name,
            'forbidden',
            'cannot be set with your role or API key, because its field group is hidden from you',
          ),
        )
        continue
      }
      const definition = { name, type: field.type, options: options.get(field.id) ?? [], digits }
      const one = keepValue(definition, raw, referent, (id) => known.has(id))
      if ('problem' in one) problems.push(one.problem)
      else if (read.has(field) && !isSame(field.type, read.get(field) ?? null, one.value))
        problems.push(
          wrong(field.internal_name, 'mismatch', `differs from ${name}, which was sent too. Send only one of them`),
        )
      else read.set(field, one.value)
    }
    return [...read].map(([field, value]) => ({ field, value }))
  })
}

/** Options may stand in any order. */
function isSame(type: string, one: string | null, other: string | null): boolean {
  if (one === null || other === null) return one === other
  const inOrder = (kept: string) => (type === 'multi_select' ? kept.split(',').sort().join() : kept)
  return inOrder(one) === inOrder(other)
}

const FIELDS = { name: 'fields', one: 'a custom field' }

function sentFields<D>(
  { extra, fields, under = FIELDS, ignored, problems }: CustomFieldInput,
  definitions: ReadonlyMap<string, D>,
) {
  const sent: { field: D; raw: unknown; name: string }[] = []
  for (const [name, raw] of Object.entries(extra)) {
    const field = definitions.get(name)
    if (!field) continue
    ignored.delete(name)
    sent.push({ field, raw, name })
  }
  for (const [name, raw] of Object.entries(fields ?? {})) {
    const field = definitions.get(name)
    const place = `${under.name}.${name}`
    if (field) sent.push({ field, raw, name: place })
    else problems.push(wrong(place, 'not_found', `is not ${under.one}`))
  }
  return sent
}
