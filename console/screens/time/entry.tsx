import { Alert, Button, Group, Loader, Stack, TextInput } from '@mantine/core'
import { useRead } from '../../client/data.ts'
import { CreateTimesheetEntry as FIELDS } from '../../client/fields/time.ts'
import { clock } from '../../parts/days.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FieldFor } from '../../parts/fields.tsx'
import { WhenFresh } from '../../parts/states.tsx'
import { common } from '../../texts/common.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useFieldName } from '../../texts/names.ts'
import { type EntryDialogProps, type EntryFormProps, useEntryForm } from './entry-form.ts'
import { timeTexts } from './texts.ts'

/** Adds or changes a time entry, in the time zone where the person works. */
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
    <WhenFresh of={read} loading={<Loader />}>
      {({ data }) => <EntryForm {...about} entry={data} etag={read.etag} />}
    </WhenFresh>
  )
}

function EntryForm(props: EntryFormProps) {
  const { mayEnter, onClose, entry } = props
  const t = useTexts(timeTexts)
  const words = useTexts(common)
  const fieldName = useFieldName()
  const { values, set, problems, overnight, isBusy, submit, remove } = useEntryForm(props)
  const { day } = useFormats()
  const elsewhere = Object.entries(problems).filter(
    ([name]) => !['starts_at', 'ends_at', 'type', 'project_id', 'comment'].includes(name),
  )
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
            {...(overnight
              ? {
                  description: t('nextDay', {
                    day: day(overnight.day, { weekday: 'short', day: 'numeric', month: 'short' }),
                    hours: clock(overnight.minutes),
                  }),
                  inputWrapperOrder: ['label', 'input', 'description', 'error'],
                }
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
              <Button type="submit" loading={isBusy}>
                {words('save')}
              </Button>
            </Group>
          </Group>
        )}
      </Stack>
    </form>
  )
}
