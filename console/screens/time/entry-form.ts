import { type FormEvent, useState } from 'react'
import type { BodyOf } from '../../client/client.ts'
import { useWrite } from '../../client/data.ts'
import type { TimesheetEntry } from '../../client/operations.ts'
import { plusDays } from '../../parts/days.ts'
import { useBaseTag } from '../../parts/form.tsx'
import { useProblems } from '../../parts/problems.ts'
import { useUnsaved } from '../../shell/router.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/i18n.ts'
import { timeTexts } from './texts.ts'
import { momentOf, onTheWall } from './zone.ts'

const ADD = 'POST /time/timesheet_entries'
const CHANGE = 'PUT /time/timesheet_entries/{id}'

export type EntryDialogProps = {
  employeeId: number
  zone: string
  day: string
  /** The entries of the day. A new entry starts when the last one ends. */
  entries: readonly TimesheetEntry[]
  mayEnter: boolean
  onClose: () => void
}

export type EntryFormProps = EntryDialogProps & { entry?: TimesheetEntry; etag?: string | undefined }

/** The values of the form, its errors, and how it is saved. */
export function useEntryForm({ employeeId, zone, day, entries, onClose, entry, etag }: EntryFormProps) {
  const t = useTexts(timeTexts)
  const words = useTexts(common)
  const [began] = useState(() => {
    const endDay = ({ date, minutes_after_midnight }: TimesheetEntry) =>
      minutes_after_midnight > 0 ? plusDays(date, 1) : date
    const before = entries.filter((one) => endDay(one) === day).map(({ ends_at }) => onTheWall(ends_at, zone).time)
    return entry
      ? {
          day: onTheWall(entry.starts_at, zone).day,
          from: onTheWall(entry.starts_at, zone).time,
          until: onTheWall(entry.ends_at, zone).time,
          type: entry.type as string | null,
          project_id: entry.project_id,
          comment: entry.comment as string | null,
        }
      : {
          day,
          from: before.sort().at(-1) ?? '09:00',
          until: '',
          type: 'working' as string | null,
          project_id: null as number | null,
          comment: null as string | null,
        }
  })
  const [values, setValues] = useState(began)
  const isChanged = (...names: (keyof typeof values)[]) => names.some((name) => values[name] !== began[name])
  const set = (changes: Partial<typeof values>) => setValues((now) => ({ ...now, ...changes }))
  const said = { done: t('saved'), touches: ['timesheets'], onSuccess: onClose }
  const create = useWrite(ADD, said)
  const change = useWrite(CHANGE, said)
  const remove = useWrite('DELETE /time/timesheet_entries/{id}', { ...said, done: t('removed') })
  const save = entry ? change : create
  const ifMatch = useBaseTag(etag)
  const problems = useProblems(save.error, values, { zone })
  useUnsaved(isChanged('day', 'from', 'until', 'type', 'project_id', 'comment'), words('unsaved'), save.isPending)
  // From ten in the evening to six means the next day. A stored entry can end before it started by the clock, if the
  // clock was set back meanwhile.
  const wasOvernight = (entry?.minutes_after_midnight ?? 0) > 0
  const isOvernight = isChanged('day', 'from', 'until')
    ? !['', '00:00'].includes(values.until) && values.until < values.from
    : wasOvernight
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { day: date, from, until, type, project_id, comment } = values
    const next = plusDays(date, 1)
    const body = {
      employee_id: employeeId,
      starts_at: momentOf(date, from, zone),
      // A day ends at midnight.
      ends_at: momentOf(until === '00:00' || isOvernight ? next : date, until, zone),
      type,
      project_id,
      comment,
    } as BodyOf<typeof ADD>
    if (!entry) return create.mutate({ body })
    // Unchanged times stay exactly as they are, with their seconds, also when the clock shows the same hour twice.
    const changed = {
      ...(isChanged('day', 'from') ? { starts_at: body.starts_at } : {}),
      ...(isChanged('day', 'until') || isOvernight !== wasOvernight ? { ends_at: body.ends_at } : {}),
      ...(isChanged('type') ? { type } : {}),
      ...(isChanged('project_id') ? { project_id } : {}),
      ...(isChanged('comment') ? { comment } : {}),
    } as BodyOf<typeof CHANGE>
    const sent = { params: { id: entry.id }, body: changed, ifMatch }
    if (Object.keys(changed).length === 0) onClose()
    else change.mutate(sent)
  }
  const minutesIn = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
  const overnight = isOvernight
    ? { day: plusDays(values.day, 1), minutes: minutesIn(values.until) - minutesIn(values.from) + 24 * 60 }
    : null
  return { values, set, problems, overnight, isBusy: save.isPending, submit, remove }
}
