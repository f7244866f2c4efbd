import { Alert, Button, Group, Loader, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { type BodyOf, call, Problem, preview } from '../../client/client.ts'
import { ownRequest, refresh, useRead, useWrite } from '../../client/data.ts'
import { CreateTimesheetEntry as FIELDS } from '../../client/fields/time.ts'
import type { TimesheetEntry } from '../../client/operations.ts'
import { tellDone, tellFailed } from '../../client/telling.ts'
import { plusDays } from '../../parts/days.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FieldFor } from '../../parts/fields.tsx'
import { useBase } from '../../parts/form.tsx'
import { useProblems } from '../../parts/problems.ts'
import { Shown } from '../../parts/states.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useFieldName } from '../../texts/names.ts'
import { timeTexts } from './texts.ts'
import { momentOf, onTheWall } from './zone.ts'

type About = {
  employeeId: number
  zone: string
  day: string
  /** What is there already: a new entry begins where the last one of the day ends. */
  entries: readonly TimesheetEntry[]
  mayEnter: boolean
  onClose: () => void
}

/** One entry of time, new or changed, in hours of the clock where the person works. */
export function EntryDialog({ id, ...about }: About & { id: number | null }) {
  const t = useTexts(timeTexts)
  return (
    <Dialog opened onClose={about.onClose} title={t(id === null ? 'addTime' : 'changeTime')}>
      {id === null ? <EntryForm {...about} /> : <Existing id={id} {...about} />}
    </Dialog>
  )
}

function Existing({ id, ...about }: About & { id: number }) {
  const read = useRead('GET /time/timesheet_entries/{id}', { params: { id } })
  return (
    <Shown of={read} loading={<Loader />}>
      {({ data }) => <EntryForm {...about} entry={data} etag={read.etag} />}
    </Shown>
  )
}

/** As the entries of many are sent: what was not entered is left out. */
const withoutNothing = ({ employee_id: _, ...one }: BodyOf<'POST /time/timesheet_entries'>) =>
  Object.fromEntries(Object.entries(one).filter(([, value]) => value !== null))

const NIGHT = 'POST /time/timesheet_entries/bulk'

/** As if it were one entry: `starts_at overlaps with another entry from …`, of whichever half. */
const refusalOf = (refused: readonly { messages: readonly string[] }[]) =>
  new Problem(
    422,
    'validation_failed',
    '',
    refused.flatMap(({ messages }) =>
      messages.map((message) => ({ field: 'ends_at', code: 'overlap', message: message.replace(/^\w+_at /, '') })),
    ),
  )

function EntryForm(props: About & { entry?: TimesheetEntry; etag?: string | undefined }) {
  const { employeeId, zone, day, entries, mayEnter, onClose, entry, etag } = props
  const t = useTexts(timeTexts)
  const words = useTexts(common)
  const fieldName = useFieldName()
  const [values, setValues] = useState(() => {
    const before = entries.filter(({ date }) => date === day).map(({ ends_at }) => onTheWall(ends_at, zone).time)
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
  const set = (changes: Partial<typeof values>) => setValues((now) => ({ ...now, ...changes }))
  const said = { done: t('saved'), touches: ['timesheets'], onSuccess: onClose }
  const create = useWrite('POST /time/timesheet_entries', said)
  const change = useWrite('PUT /time/timesheet_entries/{id}', said)
  const remove = useWrite('DELETE /time/timesheet_entries/{id}', { ...said, done: t('removed') })
  const save = entry ? change : create
  const ifMatch = useBase(etag)
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Problem>()
  const problems = useProblems(refused ?? save.error, values, zone)
  const elsewhere = Object.entries(problems).filter(
    ([name]) => !['starts_at', 'ends_at', 'type', 'project_id', 'comment'].includes(name),
  )
  // Whoever begins at ten in the evening and ends at six ends on the next day.
  const isOvernight = !entry && !['', '00:00'].includes(values.until) && values.until < values.from
  /** An entry is of one day: a night is two, which come and go together, or not at all. */
  const enterNight = async (parts: BodyOf<'POST /time/timesheet_entries'>[]) => {
    setBusy(true)
    setRefused(undefined)
    const kinds = ['timesheet_entries', 'timesheets']
    const body = { data: [{ employee_id: employeeId, entries: parts.map(withoutNothing) }] } as never
    try {
      const tried = await preview(NIGHT, { body })
      if (tried.errors) return setRefused(refusalOf(tried.errors.data))
      const { body: made, requestId } = await call(NIGHT, { body, requestId: ownRequest(kinds) })
      if (made.errors) {
        // Somebody was faster between the two.
        await call('POST /me/requests/{request_id}/undo', { params: { request_id: requestId } })
        refresh(kinds)
        return setRefused(refusalOf(made.errors.data))
      }
      refresh(kinds)
      tellDone(t('saved'), { requestId, kinds })
      onClose()
    } catch (error) {
      tellFailed(error)
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setRefused(undefined)
    const { from, until, type, project_id, comment } = values
    const body = {
      employee_id: employeeId,
      starts_at: momentOf(values.day, from, zone),
      // The last moment of a day is midnight.
      ends_at: momentOf(until === '00:00' ? plusDays(values.day, 1) : values.day, until, zone),
      type,
      project_id,
      comment,
    } as BodyOf<'POST /time/timesheet_entries'>
    if (isOvernight) {
      const midnight = momentOf(plusDays(values.day, 1), '00:00', zone)
      const ends_at = momentOf(plusDays(values.day, 1), until, zone)
      const parts = [
        { ...body, ends_at: midnight },
        ...(ends_at > midnight ? [{ ...body, starts_at: midnight, ends_at }] : []),
      ]
      void enterNight(parts)
    } else if (entry) change.mutate({ params: { id: entry.id }, body, ifMatch })
    else create.mutate({ body })
  }
  const isFixed = !mayEnter || entry?.status === 'approved'
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {elsewhere.length > 0 ? (
          <Alert color="red" role="alert">
            {elsewhere.map(([name, message]) => (
              <div key={name}>{`${fieldName(name)} ${message}`}</div>
            ))}
          </Alert>
        ) : null}
        <TextInput
          type="date"
          label={fieldName('date')}
          value={values.day}
          onChange={({ currentTarget }) => set({ day: currentTarget.value })}
          required
          disabled={isFixed}
        />
        <Group grow align="start">
          <TextInput
            type="time"
            label={fieldName('starts_at')}
            value={values.from}
            onChange={({ currentTarget }) => set({ from: currentTarget.value })}
            error={problems.starts_at}
            required
            disabled={isFixed}
            data-autofocus
          />
          <TextInput
            type="time"
            label={fieldName('ends_at')}
            value={values.until}
            onChange={({ currentTarget }) => set({ until: currentTarget.value })}
            error={problems.ends_at}
            {...(isOvernight
              ? { description: t('nextDay'), inputWrapperOrder: ['label', 'input', 'description', 'error'] }
              : {})}
            required
            disabled={isFixed}
          />
        </Group>
        <FieldFor
          name="type"
          field={{ ...FIELDS.type, nullable: false }}
          value={values.type}
          onChange={(type) => set({ type: type as string | null })}
          error={problems.type}
          disabled={isFixed}
        />
        <FieldFor
          name="project_id"
          field={FIELDS.project_id}
          value={values.project_id}
          onChange={(project_id) => set({ project_id: project_id as number | null })}
          error={problems.project_id}
          disabled={isFixed}
        />
        <FieldFor
          name="comment"
          field={FIELDS.comment}
          value={values.comment}
          onChange={(comment) => set({ comment: comment as string | null })}
          error={problems.comment}
          disabled={isFixed}
        />
        {isFixed ? null : (
          <Group justify="space-between" mt="xs">
            {entry ? (
              <Button
                variant="subtle"
                color="red"
                loading={remove.isPending}
                onClick={() => remove.mutate({ params: { id: entry.id } })}
              >
                {words('delete')}
              </Button>
            ) : (
              <span />
            )}
            <Button type="submit" loading={save.isPending || isBusy}>
              {words('save')}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  )
}
