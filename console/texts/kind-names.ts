import { KINDS } from '../client/kinds.ts'
import { KIND_AT } from '../client/value-types.ts'
import { useLocale, useTexts } from './i18n.ts'
import { moreFields, moreKinds, moreValues } from './more-words.ts'
import { addNames, useFieldName, useTitleName, useValueName } from './names.ts'

/** Names of all kinds of records, for histories. Separate, because the first page does not need them. */

addNames(moreFields, moreValues, moreKinds)

type Catalogue = typeof moreKinds | typeof moreFields | typeof moreValues

function useMore(catalogue: Catalogue, other: (key: string) => string): (key: string) => string {
  const known = catalogue[useLocale()] as Record<string, unknown>
  const say = useTexts(catalogue as typeof moreKinds) as unknown as (key: string) => string
  return (key) => (Object.hasOwn(known, key) ? say(key) : other(key))
}

/** `LeaveRequest`, its table `leave_requests` or its path → Leave request. */
export function useKindName(): (kind: string) => string {
  const name = useMore(moreKinds, useTitleName())
  return (kind) => name(KINDS[kind] ?? KIND_AT[kind] ?? kind)
}

export const useKeptFieldName = () => useMore(moreFields, useFieldName())
export const useKeptValueName = () => useMore(moreValues, useValueName())
