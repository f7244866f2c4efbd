import { Alert, Button, Group, Loader, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import {
  addressOf,
  type BodyOf,
  call,
  Problem,
  preview,
  type RequestOf as SentTo,
  type WriteRoute,
} from '../../client/client.ts'
import { isAtFields, ownRequest, refresh, useRead, useWrite, writeOver } from '../../client/data.ts'
import { CreateTimesheetEntry as FIELDS } from '../../client/fields/time.ts'
import { notifyDone, notifyFailed } from '../../client/notices.ts'
import type { TimesheetEntry } from '../../client/operations.ts'
import { isOwed } from '../../client/send-once.ts'
import { plusDays } from '../../parts/days.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FieldFor } from '../../parts/fields.tsx'
import { useBase } from '../../parts/form.tsx'
import { useProblems } from '../../parts/problems.ts'
import { ShownToChange } from '../../parts/states.tsx'
import { useUnsaved } from '../../shell/router.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useFieldName } from '../../texts/names.ts'
import { timeTexts } from './texts.ts'
import { momentOf, onTheWall } from './zone.ts'

type EntryDialogProps = {
  employeeId: number
  zone: string
  day: string
  /** What is there already: a new entry begins where the last one of the day ends. */
  entries: readonly TimesheetEntry[]
  mayEnter: boolean
  onClose: () => void
}

/** One entry of time, new or changed, in hours of the clock where the person works. */
export function EntryDialog({ id, ...about }: EntryDialogProps & { id: number | null }) {
  const t = useTexts(timeTexts)
  return (
    <Dialog opened onClose={about.onClose} title={t(id === null ? 'addTime' : 'changeTime')}>
      {id === null ? <EntryForm {...about} /> : <Existing id={id} {...about} />}
    </Dialog>
  )
}

function Existing({ id, ...about }: EntryDialogProps & { id: number }) {
  const read = useRead('GET /time/timesheet_entries/{id}', { params: { id } })
  return (
    <ShownToChange of={read} loading={<Loader />}>
      {({ data }) => <EntryForm {...about} entry={data} etag={read.etag} />}
    </ShownToChange>
  )
}

/** As the entries of many are sent: what was not entered is left out. */
const withoutNothing = ({ employee_id: _, ...one }: EntryBody) =>
  Object.fromEntries(Object.entries(one).filter(([, value]) => value !== null))

const ADD = 'POST /time/timesheet_entries'
const CHANGE = 'PUT /time/timesheet_entries/{id}'
const NIGHT = 'POST /time/timesheet_entries/bulk'
const KINDS = ['timesheet_entries', 'timesheets']

/** As if it were one entry: `starts_at overlaps with another entry from …`, of whichever half. */
const refusalOf = (messages: readonly string[]) =>
  new Problem(
    422,
    'validation_failed',
    '',
    messages.map((message) => ({ field: 'ends_at', code: 'overlap', message: message.replace(/^\w+_at /, '') })),
  )
const refusalIn = (refused: readonly { messages: readonly string[] }[]) =>
  refusalOf(refused.flatMap(({ messages }) => messages))

type EntryBody = BodyOf<typeof ADD>
async function takeBack(request_id: string): Promise<void> {
  await call('POST /me/requests/{request_id}/undo', { params: { request_id } })
  refresh(KINDS)
}

/** Was the same sent before, and its answer lost? Then it is repeated as it is: looking first would find what it did. */
function wasLost<R extends WriteRoute>(route: R, sent: SentTo<R>): boolean {
  const [method, path] = route.split(' ') as [string, string]
  const { body, ifMatch } = sent
  return isOwed({ method, address: addressOf(path, sent), body, ifMatch })
}

/** An entry is of one day: a night is two, which come and go together, or not at all. */
async function addNight(employee_id: number, parts: readonly EntryBody[]): Promise<string[]> {
  const body = { data: [{ employee_id, entries: parts.map(withoutNothing) }] } as never
  if (!wasLost(NIGHT, { body })) {
    const tried = await preview(NIGHT, { body })
    if (tried.errors) throw refusalIn(tried.errors.data)
  }
  const { body: made, requestId } = await call(NIGHT, { body, requestId: ownRequest(KINDS) })
  if (!made.errors) return [requestId]
  // Somebody was faster between the two.
  await takeBack(requestId)
  throw refusalIn(made.errors.data)
}

/** By which request the entry was ended at midnight. */
type SplitRequest = { current: string | undefined }

/** The same of one that is there: it ends at midnight, and what comes after that is another. */
async function stretchNight(change: SentTo<typeof CHANGE>, rest: EntryBody, ended: SplitRequest): Promise<string[]> {
  const refusedAtEnd = (error: unknown) => {
    throw error instanceof Problem && isAtFields(error) ? refusalOf(error.errors.map(({ message }) => message)) : error
  }
  // Where only the answer about the rest was lost, only that is asked for again.
  const isHalfDone = ended.current !== undefined && wasLost(ADD, { body: rest })
  if (!isHalfDone && !wasLost(CHANGE, change)) {
    const { ifMatch: _, ...tried } = change
    await preview(CHANGE, tried)
    await preview(ADD, { body: rest }).catch(refusedAtEnd)
  }
  const requestId = isHalfDone ? (ended.current as string) : (await writeOver(CHANGE, change, KINDS)).requestId
  ended.current = requestId
  try {
    return [requestId, (await call(ADD, { body: rest, requestId: ownRequest(KINDS) })).requestId]
  } catch (error) {
    // Where the answer was lost it may be there: then nothing is taken from it, and the week shows what is.
    if (!(error instanceof Problem && error.isUnknown)) {
      ended.current = undefined
      await takeBack(requestId)
    }
    return refusedAtEnd(error)
  }
}

function EntryForm(props: EntryDialogProps & { entry?: TimesheetEntry; etag?: string | undefined }) {
  const { employeeId, zone, day, entries, mayEnter, onClose, entry, etag } = props
  const t = useTexts(timeTexts)
  const words = useTexts(common)
  const fieldName = useFieldName()
  const [began] = useState(() => {
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
  const [values, setValues] = useState(began)
  const ended = useRef<string>(undefined)
  const isChanged = (...names: (keyof typeof values)[]) => names.some((name) => values[name] !== began[name])
  const set = (changes: Partial<typeof values>) => setValues((now) => ({ ...now, ...changes }))
  const said = { done: t('saved'), touches: ['timesheets'], onSuccess: onClose }
  const create = useWrite(ADD, said)
  const change = useWrite(CHANGE, said)
  const remove = useWrite('DELETE /time/timesheet_entries/{id}', { ...said, done: t('removed') })
  const save = entry ? change : create
  const ifMatch = useBase(etag)
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Problem>()
  const problems = useProblems(refused ?? save.error, values, { zone })
  const elsewhere = Object.entries(problems).filter(
    ([name]) => !['starts_at', 'ends_at', 'type', 'project_id', 'comment'].includes(name),
  )
  useUnsaved(
    isChanged('day', 'from', 'until', 'type', 'project_id', 'comment'),
    words('unsaved'),
    save.isPending || isBusy,
  )
  // Whoever begins at ten in the evening and ends at six ends on the next day. What is there already may end before it
  // began by the clock, where that was put back meanwhile.
  const isOvernight =
    !['', '00:00'].includes(values.until) && values.until < values.from && isChanged('day', 'from', 'until')
  const enterNight = async (enter: () => Promise<string[]>) => {
    setBusy(true)
    try {
      const requestId = await enter()
      refresh(KINDS)
      notifyDone(t('saved'), { requestId, kinds: KINDS })
      onClose()
    } catch (error) {
      if (isAtFields(error)) return setRefused(error as Problem)
      refresh(KINDS)
      notifyFailed(error)
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setRefused(undefined)
    const { day: date, from, until, type, project_id, comment } = values
    const next = plusDays(date, 1)
    const body = {
      employee_id: employeeId,
      starts_at: momentOf(date, from, zone),
      // The last moment of a day is midnight.
      ends_at: momentOf(until === '00:00' || isOvernight ? next : date, until, zone),
      type,
      project_id,
      comment,
    } as EntryBody
    const midnight = momentOf(next, '00:00', zone)
    const first = isOvernight ? { ...body, ends_at: midnight } : body
    const rest = { ...body, starts_at: midnight }
    const isTwo = isOvernight && rest.ends_at > midnight
    if (!entry) {
      if (isTwo) void enterNight(() => addNight(employeeId, [first, rest]))
      else create.mutate({ body: first })
      return
    }
    // What was not touched stays as it is, to the second, and also where a clock shows the same hour twice.
    const changed = {
      ...(isChanged('day', 'from') ? { starts_at: first.starts_at } : {}),
      ...(isChanged('day', 'until') || isOvernight ? { ends_at: first.ends_at } : {}),
      ...(isChanged('type') ? { type } : {}),
      ...(isChanged('project_id') ? { project_id } : {}),
      ...(isChanged('comment') ? { comment } : {}),
    } as BodyOf<typeof CHANGE>
    const sent = { params: { id: entry.id }, body: changed, ifMatch }
    if (Object.keys(changed).length === 0) onClose()
    else if (isTwo) void enterNight(() => stretchNight(sent, rest, ended))
    else change.mutate(sent)
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
            <Group gap="xs">
              <Button variant="default" onClick={onClose}>
                {words('cancel')}
              </Button>
              <Button type="submit" loading={save.isPending || isBusy}>
                {words('save')}
              </Button>
            </Group>
          </Group>
        )}
      </Stack>
    </form>
  )
}
