import { ActionIcon, Alert, Button, Group, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useRead, useWrite } from '../../client/data.ts'
import type { Fields } from '../../client/fields.ts'
import type { Permission } from '../../client/operations.ts'
import { RemoveIcon } from '../../parts/confirm.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { Section } from '../../parts/section.tsx'
import { WhenFresh } from '../../parts/states.tsx'
import { Icon } from '../../shell/icons.tsx'
import { useTexts } from '../../texts/i18n.ts'
import { announceable, bodyOf, seenOf, startOf, useProfile, withoutHidden } from './shared.ts'
import { profileTexts } from './texts.ts'

/** Lists of an employee's records, all in the same form: education, notes, contacts, pay… */

/** Stands for all these lists in the types. Their fields are passed separately. */
const LIST = 'GET /employees/{employee_id}/educations'
const ONE = 'GET /employees/{employee_id}/educations/{id}'
const CREATE = 'POST /employees/{employee_id}/educations'
const UPDATE = 'PUT /employees/{employee_id}/educations/{id}'
const DELETE = 'DELETE /employees/{employee_id}/educations/{id}'
const routeOf = <R extends string>(like: R, kind: string) => like.replace('educations', kind) as R

type DialogProps = {
  kind: string
  title: string
  fields: Fields
  of: readonly string[]
  onClose: () => void
  note?: ReactNode
  labels?: Readonly<Record<string, string>>
  done?: string | undefined
}

/** Adds a record. Empty fields are not sent, unless `compose` returns them. */
export function AddDialog(
  props: DialogProps & {
    start?: Record<string, unknown>
    compose?: (values: Record<string, unknown>, changed: Record<string, unknown>) => Record<string, unknown>
    doneFor?: (body: Record<string, unknown>) => string
    /** A warning about the values. They can be sent anyway. */
    warn?: (values: Record<string, unknown>) => string | undefined
    /** The reason why the form cannot be sent yet. */
    missing?: (values: Record<string, unknown>, changed: Record<string, unknown>) => string | undefined
  },
) {
  const { kind, title, fields, of, onClose, note, start = {}, compose, labels, done, doneFor, warn, missing } = props
  const t = useTexts(profileTexts)
  const { id, sees } = useProfile()
  const announcing = useAnnouncing(labels)
  const [stopped, setStopped] = useState<{ values: Record<string, unknown>; why: string }>()
  const save = useWrite(routeOf(CREATE, kind), {
    done: (_, { body }) => doneFor?.(body as unknown as Record<string, unknown>) ?? done ?? t('added'),
    onSuccess: onClose,
  })
  return (
    <Dialog opened onClose={onClose} title={title} size="lg">
      {note ? (
        <Text size="sm" c="dimmed" mb="sm">
          {note}
        </Text>
      ) : null}
      <Form
        fields={fields}
        of={announceable(seenOf(fields, of, sees))}
        start={start}
        error={save.error}
        isBusy={save.isPending}
        onCancel={onClose}
        {...announcing}
        onSubmit={(values, changed) => {
          const why = missing?.(values, changed)
          if (why) return setStopped({ values, why })
          const sent = withoutHidden(of, values, (compose ?? entered)(values, changed))
          save.mutate({ params: { employee_id: id }, body: bodyOf(sent) })
        }}
      >
        {(values) => {
          const text = warn?.(values)
          return (
            <>
              {text ? (
                <Alert color="yellow" role="status" className="profile-warning" icon={<Icon name="warning" />}>
                  {text}
                </Alert>
              ) : null}
              {stopped?.values === values ? (
                <Alert color="red" role="alert">
                  {stopped.why}
                </Alert>
              ) : null}
            </>
          )
        }}
      </Form>
    </Dialog>
  )
}

/** Labels for the date from which the employee sees a planned entry, with their name. */
function useAnnouncing(labels: Readonly<Record<string, string>> = {}) {
  const t = useTexts(profileTexts)
  const { employee } = useProfile()
  const name = employee.full_name
  return {
    labels: { announced_on: t('announceOn', { name }), ...labels },
    descriptions: { announced_on: t('announceText', { name }) },
  }
}

const entered = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== ''))

/** Edits a record. If somebody else saves first, the user sees a conflict. */
export function EditDialog({ recordId, ...props }: DialogProps & { recordId: number }) {
  const { kind, title, fields, of, onClose, note, labels, done } = props
  const t = useTexts(profileTexts)
  const { id, sees } = useProfile()
  const params = { employee_id: id, id: recordId }
  const read = useRead(routeOf(ONE, kind), { params })
  const announcing = useAnnouncing(labels)
  const save = useWrite(routeOf(UPDATE, kind), { done: done ?? t('saved'), onSuccess: onClose })
  const names = seenOf(fields, of, sees)
  return (
    <Dialog opened onClose={onClose} title={title} size="lg">
      {note ? (
        <Text size="sm" c="dimmed" mb="sm">
          {note}
        </Text>
      ) : null}
      <WhenFresh of={read}>
        {({ data }) => (
          <Form
            fields={fields}
            of={announceable(names)}
            start={startOf(names, data)}
            error={save.error}
            isBusy={save.isPending}
            onCancel={onClose}
            {...announcing}
            etag={read.etag}
            onSubmit={(values, changed, ifMatch) => {
              const sent = withoutHidden(names, values, changed)
              if (Object.keys(sent).length > 0) save.mutate({ params, body: bodyOf(sent), ifMatch })
              else onClose()
            }}
          />
        )}
      </WhenFresh>
    </Dialog>
  )
}

export function RemoveButton(props: { kind: string; recordId: number; label: string; text?: string | undefined }) {
  const { kind, recordId, label, text } = props
  const t = useTexts(profileTexts)
  const { id } = useProfile()
  const remove = useWrite(routeOf(DELETE, kind), { done: t('removed') })
  const params = { employee_id: id, id: recordId }
  return <RemoveIcon label={label} text={text} isBusy={remove.isPending} onConfirm={() => remove.mutate({ params })} />
}

export const EditButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} onClick={onClick}>
    <Icon name="edit" />
  </ActionIcon>
)

/** A list of records with all actions. */
export function Records<T extends { id: number }>(props: {
  kind: string
  title: string
  addLabel: string
  permission: Permission
  create: Fields
  update: Fields
  of: readonly string[]
  nameOf: (one: T) => string
  show: (one: T) => ReactNode
  start?: Record<string, unknown>
  /** A note above the form. */
  note?: string
  labels?: Readonly<Record<string, string>>
}) {
  const { kind, title, addLabel, permission, create, update, of, nameOf, show, start, note, labels } = props
  const t = useTexts(profileTexts)
  const { id, mayChange } = useProfile()
  const read = useRead(routeOf(LIST, kind), { params: { employee_id: id } })
  const [open, setOpen] = useState<'new' | T>()
  const isOpenToChange = mayChange(permission)
  return (
    <Section
      title={title}
      actions={
        isOpenToChange ? (
          <Button variant="default" size="compact-md" leftSection={<Icon name="plus" />} onClick={() => setOpen('new')}>
            {addLabel}
          </Button>
        ) : null
      }
    >
      <WhenFresh of={read}>
        {({ data }) =>
          data.length === 0 ? (
            <Text c="dimmed">{t('nothing')}</Text>
          ) : (
            <ul className="profile-list">
              {(data as unknown as T[]).map((one) => (
                <li key={one.id} className="profile-line">
                  <div className="profile-line-words">{show(one)}</div>
                  {isOpenToChange ? (
                    <Group gap={0} wrap="nowrap" className="no-print">
                      <EditButton label={t('edit', { name: nameOf(one) })} onClick={() => setOpen(one)} />
                      <RemoveButton kind={kind} recordId={one.id} label={t('remove', { name: nameOf(one) })} />
                    </Group>
                  ) : null}
                </li>
              ))}
            </ul>
          )
        }
      </WhenFresh>
      {open === 'new' ? (
        <AddDialog
          kind={kind}
          title={addLabel}
          fields={create}
          of={of}
          note={note}
          {...(labels ? { labels } : {})}
          {...(start ? { start } : {})}
          onClose={() => setOpen(undefined)}
        />
      ) : open ? (
        <EditDialog
          kind={kind}
          recordId={open.id}
          title={t('edit', { name: nameOf(open) })}
          fields={update}
          of={of}
          note={note}
          {...(labels ? { labels } : {})}
          onClose={() => setOpen(undefined)}
        />
      ) : null}
    </Section>
  )
}
