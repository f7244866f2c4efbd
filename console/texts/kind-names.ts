import { KINDS } from '../client/kinds.ts'
import { useTitleName } from './names.ts'

/** `LeaveRequest`, or its table `leave_requests` → Leave request. Apart, as the first page needs no list of all kinds. */
export function useKindName(): (kind: string) => string {
  const titleName = useTitleName()
  return (kind) => titleName(KINDS[kind] ?? kind)
}
