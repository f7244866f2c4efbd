import { useQuery } from '@tanstack/react-query'
import { KINDS } from '../client/kinds.ts'
import { VALUE_TYPES } from '../client/value-types.ts'
import { useFormats } from '../texts/formats.ts'
import { useKeptValueName } from '../texts/kind-names.ts'
import { clock } from './days.ts'
import { chosenQuery, titleOf } from './record-select.tsx'

/** A value of a history in readable form: names for ids; money, days and hours in the user's language. */
export function LedgerValue({ kind, name, of }: { kind: string; name: string; of: Record<string, unknown> | null }) {
  const { day, moment, money, number } = useFormats()
  const valueName = useKeptValueName()
  const value = of?.[name]
  const is = VALUE_TYPES[KINDS[kind] ?? kind]?.[name]
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return valueName(String(value))
  if (is?.startsWith('/')) return <RecordName path={is} id={Number(value)} />
  if (is === 'choice') return valueName(String(value))
  if (is === 'money' && typeof of?.currency_code === 'string') return money(String(value), of.currency_code)
  if (typeof value === 'number') return /(^|_)minutes$/.test(name) ? clock(value) : number(value)
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.map(String).join(', ') || '–'
  if (typeof value === 'object') return JSON.stringify(value)
  const text = String(value)
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return day(text)
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return moment(text)
  return /^-?\d+\.\d+$/.test(text) ? number(text) : text
}

/** The name of a record, or its id if the record is gone. */
function RecordName({ path, id }: { path: string; id: number }) {
  const table = path.slice(path.lastIndexOf('/') + 1)
  const { data } = useQuery({ ...chosenQuery(table, id, path), retry: false })
  return data ? titleOf(data) : `#${id}`
}
