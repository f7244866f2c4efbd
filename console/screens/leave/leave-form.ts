import { useDebouncedValue } from '@mantine/hooks'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { BodyOf } from '../../client/client.ts'
import { useWrite } from '../../client/data.ts'
import type { EmployeeLeaveType, LeaveRequest } from '../../client/operations.ts'
import { isDay } from '../../parts/days.ts'
import { useBaseTag } from '../../parts/form.tsx'
import { useProblems } from '../../parts/problems.ts'
import { useUnsaved } from '../../shell/router.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useDryRun } from './outcome.tsx'
import { leaveTexts } from './texts.ts'
import { useLeaveWords } from './words.ts'

export type LeaveFormValues = {
  leave_type_id: number | null
  starts_on: string
  ends_on: string
  comment: string | null
  on_demand: boolean
  skip_approval: boolean
  override_reason: string | null
  attachments: File | null
  /** Amounts of single days that differ from the default. */
  single: Record<string, number>
}

const EMPTY: LeaveFormValues = {
  leave_type_id: null,
  starts_on: '',
  ends_on: '',
  comment: null,
  on_demand: false,
  skip_approval: false,
  override_reason: null,
  attachments: null,
  single: {},
}

export type LeaveFormProps = {
  employeeId: number
  balances: readonly EmployeeLeaveType[]
  /** The leave belongs to another employee, and the user may approve it. */
  mayDecide?: boolean
  /** The same, and the user may allow it although a condition of its policy is not met. */
  mayOverride?: boolean
  start?: { starts_on?: string; ends_on?: string }
  request?: LeaveRequest
  etag?: string | undefined
  before?: ReactNode
  onDone?: () => void
}

/** The values of the form, the dry run, and how the form is sent. */
export function useLeaveForm({ employeeId, balances, start, request, etag, onDone }: LeaveFormProps) {
  const t = useTexts(leaveTexts)
  const general = useTexts(common)
  const words = useLeaveWords()
  // If there is only one type of leave, it is preselected.
  const blank = { ...EMPTY, leave_type_id: balances.length === 1 ? (balances[0]?.leave_type.id ?? null) : null }
  const [began, setBegan] = useState<LeaveFormValues>(() =>
    request
      ? {
          ...EMPTY,
          leave_type_id: request.leave_type_id,
          starts_on: request.starts_on,
          ends_on: request.ends_on,
          comment: request.comment || null,
          on_demand: request.on_demand,
          override_reason: request.override_reason,
        }
      : { ...blank, ...start },
  )
  const [values, setValues] = useState(began)
  const ifMatch = useBaseTag(etag)
  const set = (changes: Partial<LeaveFormValues>) => setValues((now) => ({ ...now, ...changes }))
  const setDays = (starts_on: string, ends_on: string) =>
    set({ starts_on, ends_on: isDay(starts_on) && (!isDay(ends_on) || ends_on < starts_on) ? starts_on : ends_on })

  const { starts_on, ends_on, leave_type_id, on_demand, single } = values
  const isWhole = leave_type_id !== null && isDay(starts_on) && isDay(ends_on)
  const entries = Object.entries(single).map(([occurs_on, amount]) => ({ occurs_on, amount: String(amount) }))
  const isOtherThanBefore = !request || entries.length > 0
  const body = {
    employee_id: employeeId,
    leave_type_id: leave_type_id as number,
    starts_on,
    ends_on,
    ...(on_demand || request ? { on_demand } : {}),
    ...(values.override_reason !== began.override_reason ? { override_reason: values.override_reason || null } : {}),
    ...(isOtherThanBefore ? { leave_request_entries: entries } : {}),
  }
  const dryRun = useDryRun(body, isWhole, request)
  // Dates change while they are typed, so wait before looking for clashes.
  const [looked] = useDebouncedValue(`${starts_on} ${ends_on}`, 250)
  const isSettled = looked === `${starts_on} ${ends_on}`
  const said = {
    done: request
      ? t('changed')
      : ({ data }: { data: LeaveRequest }) => t('asked', { amount: words.amount(data.amount, data.tracking_time_in) }),
    touches: ['leave_balances', 'calendars', 'directory'],
    onSuccess: () => {
      setBegan(blank)
      setValues(blank)
      onDone?.()
    },
  }
  const create = useWrite('POST /leave_requests', said)
  const change = useWrite('PUT /leave_requests/{id}', said)
  const save = request ? change : create
  const isTouched = (Object.keys(values) as (keyof LeaveFormValues)[]).some((name) => values[name] !== began[name])
  useUnsaved(isTouched, general('unsaved'), save.isPending)
  const problems = { ...useProblems(dryRun.error), ...useProblems(save.error, values) }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { comment, skip_approval, attachments } = values
    const sent = { ...body, comment } as BodyOf<'POST /leave_requests'>
    if (request) change.mutate({ params: { id: request.id }, body: sent, ifMatch })
    else if (attachments) create.mutate({ body: withFile(sent, skip_approval, attachments) })
    else create.mutate({ body: skip_approval ? { ...sent, skip_approval } : sent })
  }
  return { values, set, setDays, isWhole, isSettled, dryRun, problems, isSaving: save.isPending, submit }
}

/** The same body as form data, with the file. */
function withFile(body: BodyOf<'POST /leave_requests'>, skip: boolean, file: File) {
  const form = new FormData()
  for (const [name, value] of Object.entries(body))
    if (Array.isArray(value))
      for (const one of value)
        for (const [part, inner] of Object.entries(one)) form.append(`${name}[][${part}]`, String(inner))
    else if (value !== null && value !== undefined) form.append(name, String(value))
  if (skip) form.append('skip_approval', 'true')
  form.append('attachments[]', file)
  return form as unknown as BodyOf<'POST /leave_requests'>
}
