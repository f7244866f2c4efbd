import { ActionIcon, Badge, Button, Group, Stack, Table, Text, Title, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { type Problem, send } from '../client/client.ts'
import { useRead, useStretch, useWrite } from '../client/data.ts'
import type { Field, Fields } from '../client/fields.ts'
import { useMay } from '../client/me.ts'
import type { Permission } from '../client/operations.ts'
import { Icon } from '../shell/icons.tsx'
import { Link, navigate, placeNowAt, useFilters } from '../shell/router.tsx'
import { common } from '../texts/common.ts'
import { useFormats } from '../texts/formats.ts'
import { useLocale, useTexts } from '../texts/i18n.ts'
import { useKindName } from '../texts/kind-names.ts'
import { useFieldName, useValueName } from '../texts/names.ts'
import { ConfirmButton } from './confirm.tsx'
import { CopyField } from './copy-field.tsx'
import { Dialog, SidePanel } from './dialog.tsx'
import { codeName } from './fields.tsx'
import { Form } from './form.tsx'
import { usePeople } from './people.ts'
import { nameOf as nameOfPerson } from './person.tsx'
import { Empty, Failed, Loading, ShownToChange } from './states.tsx'
import { type Column, PHONE, VirtualTable } from './table.tsx'

/**
 * Lists of plain records, and what one does with them: look, add, change, remove. A kind is declared by its address and
 * the fields that its forms have; all else is what the interface says of these fields.
 */

export type SettingsRecord = { id: number; name?: string } & Record<string, unknown>

type RecordForms = {
  create: Fields
  update: Fields
  /** What is entered, in this order. */
  of: readonly string[]
  /** What the form of a new one begins with. */
  start?: Record<string, unknown>
  /** What is entered only at first. */
  onlyNew?: readonly string[]
  /** What the list shows; otherwise what is entered. */
  columns?: readonly string[]
  /** What names a record. */
  title?: string
  /** Changes cannot be undone: they hold a secret that is not kept, say. */
  isFinal?: boolean
}

export type RecordKind = RecordForms & {
  /** Where the interface has it, and the screen too. */
  path: string
  read: Permission
  write: Permission
  sort?: string
  parts?: readonly ChildKind[]
  /** Names of records that are there from the beginning, which are shown in the person's language. */
  builtIn?: readonly string[]
  /** Shown beside what is entered, to be copied. */
  facts?: readonly string[]
  /** What a new one can begin with instead of `start`: usual ones of the kind. */
  presets?: readonly Preset[]
}

export type Preset = { name: string; start: Record<string, unknown> }

/** Records that belong to another one, and are edited with it. */
export type ChildKind = RecordForms & {
  /** `/leave_policies/{leave_policy_id}/terms`, or an own list that is narrowed by `owner`. */
  path: string
  owner: string
  /** What their list is called. */
  name: (t: (key: 'options' | 'columns' | 'stages' | 'terms' | 'holidays') => string) => string
  /** Where the record that they belong to has them; asked for by themselves where it has not. */
  within?: string
  /** They have an order, which is their `position`. */
  isOrdered?: boolean
  /** Only some have them. */
  when?: (record: SettingsRecord) => boolean
  parts?: readonly ChildKind[]
}

// A kind is one of many: which one, the types of the operations need not know.
type AnyList = 'GET /departments'
type AnyOne = 'GET /departments/{id}'

const nameOf = (record: SettingsRecord, title = 'name') => String(record[title] ?? record.name ?? record.id)

/** The name of a record of a kind: one that was there from the beginning in the person's language. */
function useRecordName(): (kind: RecordKind, record: SettingsRecord) => string {
  const valueName = useValueName()
  return ({ builtIn = [], title }, record) => {
    const name = nameOf(record, title)
    return builtIn.includes(name) ? valueName(name) : name
  }
}

/** What a form begins with: `department_level` is shown, `department_level_id` entered. */
export function startOf(record: SettingsRecord, of: readonly string[]): Record<string, unknown> {
  const named = (field: string) => {
    if (field in record) return record[field]
    const many = record[field.replace(/_ids$/, 's')]
    if (field.endsWith('_ids') && Array.isArray(many)) return many.map(({ id }) => id)
    const one = record[field.replace(/_id$/, '')] as { id?: unknown } | null | undefined
    return one && typeof one === 'object' ? one.id : one
  }
  return Object.fromEntries(of.map((field) => [field, named(field)]))
}

const isPeople = (field: Field | undefined) => field?.reference === 'employees'

/** The names of these people, where one may know them. */
export function usePeopleNames(wanted: readonly (number | null)[]): ReadonlyMap<number, string> {
  const { people } = usePeople(wanted)
  return useMemo(() => new Map([...people].map(([id, one]) => [id, nameOfPerson(one)])), [people])
}

/** Names of what is referred to: whole lists where they are short, people by their ids. */
function useNames(fields: Fields, columns: readonly string[], rows: readonly SettingsRecord[]) {
  const wanted = columns.map((name) => fields[name]).filter((field) => field?.reference)
  const tables = [...new Set(wanted.filter((field) => !isPeople(field)).map((field) => field?.reference as string))]
  const needed = tables.length > 0 && rows.length > 0
  const { data: lists } = useQuery({
    queryKey: ['names', ...tables],
    queryFn: async ({ signal }) =>
      Object.fromEntries(
        await Promise.all(
          tables.map(async (table) => {
            const query = { per_page: 200, sort: 'id' }
            const { body } = await send<{ data: SettingsRecord[] }>('GET', `/${table}`, { query }, signal)
            return [table, new Map(body.data.map((one) => [one.id, nameOf(one)]))] as const
          }),
        ),
      ),
    enabled: needed,
    meta: { kinds: tables },
  })
  const people = columns.filter((name) => isPeople(fields[name]))
  const persons = usePeopleNames(rows.flatMap((row) => people.map((name) => row[name] as number | null)))
  return (table: string, id: number) => (table === 'employees' ? persons : lists?.[table])?.get(id)
}

/** The day of the first terms of a policy, which hold for all time before. */
const BEGINNING = '1900-01-01'

type NameFor = (table: string, id: number) => string | undefined

/** A value as a list shows it, by what the interface says of its field. */
export function useShownValue(): (field: Field | undefined, value: unknown, nameFor?: NameFor) => ReactNode {
  const t = useTexts(common)
  const formats = useFormats()
  const locale = useLocale()
  const valueName = useValueName()
  return (field, value, nameFor) => {
    if (value === null || value === undefined || value === '') return ''
    if (Array.isArray(value)) return value.map((one) => one?.name ?? one?.value ?? String(one)).join(', ')
    if (typeof value === 'object') {
      const { value: code } = value as { value?: unknown }
      return field?.values?.includes(code as string) ? valueName(code as string) : nameOf(value as SettingsRecord)
    }
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
    if (field?.reference) return nameFor?.(field.reference, value as number) ?? ''
    if (field?.values) return valueName(value as string)
    if (field?.format === 'date') return value === BEGINNING ? t('fromTheStart') : formats.day(value as string)
    if (field?.format === 'date-time') return formats.moment(value as string)
    if (field?.format === 'decimal' || typeof value === 'number') return formats.number(value as number)
    if (field?.format) return codeName(field.format, String(value), locale)
    return String(value)
  }
}

const shownOf = (record: SettingsRecord, name: string) =>
  name in record ? record[name] : record[name.replace(/_ids?$/, '')]

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** The list of a kind, with a panel for the one that the address names: `/settings/departments/7`, `…/new`. */
export function Records(props: {
  kind: RecordKind
  title: string
  home: string
  openId: string
  /** Whether one may add and change them, where the kind's permission is not enough. */
  mayWrite?: boolean
  /** What an empty list says: what is missing, and what to do next for people who may add one. */
  empty?: { title: string; next: string } | undefined
  /** What the button says that begins a new one. */
  addLabel?: string | undefined
  /** Beneath the form of a record. */
  children?: (record: SettingsRecord) => ReactNode
  /** Above the form of a new one, by the preset that was chosen. */
  aboveNew?: (preset: Preset | undefined) => ReactNode
}) {
  const { kind, title, home, openId, empty, addLabel, children, aboveNew } = props
  const { path, columns = kind.of.slice(0, 5), sort: usual = 'name' } = kind
  const { get, set } = useFilters()
  // What the interface sorts such a list by, in either order.
  const sort = get('sort') === `-${usual}` ? `-${usual}` : usual
  const t = useTexts(common)
  const fieldName = useFieldName()
  const shown = useShownValue()
  const recordName = useRecordName()
  const { day } = useFormats()
  const may = useMay()
  const [stretch, setStretch] = useState({ first: 0, last: 0 })
  const onView = useCallback((first: number, last: number) => setStretch({ first, last }), [])
  const all = useStretch(`GET ${path}` as AnyList, { query: { sort } as never }, stretch)
  const rowAt = all.itemAt as unknown as (index: number) => SettingsRecord | undefined
  const rows = useMemo(() => {
    const known = Array.from({ length: Math.min(all.total ?? 0, stretch.last + 20) }, (_, index) => rowAt(index))
    return known.filter((row) => row !== undefined)
  }, [all.total, stretch.last, rowAt])
  const nameFor = useNames(kind.create, columns, rows)
  const { mayWrite = may(kind.write) } = props
  const add = mayWrite ? (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => navigate(`${home}/new`)}>
      {addLabel ?? t('add')}
    </Button>
  ) : null

  const isPhone = useMediaQuery(PHONE)
  const hours = columns.filter((name) => WEEKDAYS.includes(name.replace('_hours', '')))
  // 1 January 2024 was a Monday.
  const weekdayName = (number: number) => day(`2024-01-0${number}`, { weekday: 'short' })
  const listed = isPhone ? columns.filter((name) => !hours.includes(name) || name === hours[0]) : columns
  const shownColumns = listed.map((name, index): Column<SettingsRecord> => {
    const field = kind.create[name] ?? kind.update[name]
    const title = fieldName(name)
    const sorted = name === usual ? { sort: name } : {}
    const weekday = WEEKDAYS.indexOf(name.replace('_hours', ''))
    if (index > 0)
      return {
        key: name,
        ...sorted,
        // Seven are narrow, and on a phone they are one.
        title: weekday < 0 ? title : isPhone ? `${weekdayName(1)}–${weekdayName(7)}` : weekdayName(weekday + 1),
        width: columns.length > 3 ? 'minmax(0px, 1fr)' : 'minmax(0px, 1.4fr)',
        show: (row) => shown(field, shownOf(row, name), nameFor),
        showOnPhone: (row) =>
          weekday < 0
            ? shown(field, shownOf(row, name), nameFor)
            : hours.map((one) => shown(kind.create[one], shownOf(row, one)) || '–').join(' '),
        isMinor: index > 1,
        ...(field?.type === 'integer' && !field.reference ? { align: 'end' as const } : {}),
      }
    return {
      key: name,
      title,
      ...sorted,
      width: hours.length > 0 ? 'minmax(96px, 1.2fr)' : 'minmax(160px, 1.6fr)',
      show: (row) => (
        <Link to={`${home}/${row.id}`} className="person-name">
          {recordName(kind, row)}
        </Link>
      ),
    }
  })

  return (
    <Stack gap="sm">
      <Group justify="space-between" mih={36}>
        <Text size="sm" c="dimmed" role="status" aria-live="polite">
          {all.total === undefined ? '' : t('entries', { count: all.total })}
        </Text>
        {add}
      </Group>
      {all.error ? (
        <Failed error={all.error} onRetry={() => void all.refetch()} />
      ) : all.total === undefined ? (
        <Loading rows={8} height={44} />
      ) : all.total === 0 ? (
        <Empty icon="table" {...(empty ? { title: empty.title, text: mayWrite ? empty.next : '' } : {})} />
      ) : (
        <VirtualTable
          label={title}
          columns={shownColumns}
          total={all.total}
          rowAt={rowAt}
          idOf={({ id }) => id}
          onView={onView}
          sort={sort}
          onSort={(next) => set({ sort: next === usual ? undefined : next })}
          onOpen={({ id }) => navigate(`${home}/${id}`)}
        />
      )}
      {openId ? (
        <RecordPanel
          key={openId}
          kind={kind}
          title={title}
          id={openId}
          mayWrite={mayWrite}
          onClose={() => navigate(home)}
          aboveNew={aboveNew}
        >
          {children}
        </RecordPanel>
      ) : null}
    </Stack>
  )
}

function RecordPanel(props: {
  kind: RecordKind
  title: string
  id: string
  mayWrite: boolean
  onClose: () => void
  children: ((record: SettingsRecord) => ReactNode) | undefined
  aboveNew: ((preset: Preset | undefined) => ReactNode) | undefined
}) {
  const { kind, title, id, mayWrite, onClose, children, aboveNew } = props
  const [preset, setPreset] = useState<Preset>()
  const t = useTexts(common)
  const kindName = useKindName()
  const recordName = useRecordName()
  const isNew = id === 'new'
  const read = useRead(`GET ${kind.path}/{id}` as AnyOne, { params: { id } }, { enabled: !isNew })
  const record = read.answer?.data as unknown as SettingsRecord | undefined
  const heading = isNew ? t('newIn', { kind: kindName(kind.path) }) : record ? recordName(kind, record) : title
  return (
    <SidePanel opened onClose={onClose} title={heading} size="lg">
      {isNew ? (
        mayWrite ? (
          <Stack gap="lg">
            {kind.presets ? (
              <Group gap="xs">
                {kind.presets.map((one) => (
                  <Button
                    key={one.name}
                    size="xs"
                    variant={one === preset ? 'filled' : 'default'}
                    aria-pressed={one === preset}
                    onClick={() => setPreset(one)}
                  >
                    {one.name}
                  </Button>
                ))}
              </Group>
            ) : null}
            {aboveNew?.(preset)}
            <NewRecord
              key={preset?.name}
              kind={preset ? { ...kind, start: { ...kind.start, ...preset.start } } : kind}
              path={kind.path}
              onDone={onClose}
            />
          </Stack>
        ) : null
      ) : (
        <ShownToChange of={read}>
          {() => (
            <Stack gap="lg">
              {mayWrite ? (
                <ChangeRecord
                  kind={kind}
                  path={kind.path}
                  record={record as SettingsRecord}
                  etag={read.etag}
                  onDone={onClose}
                />
              ) : (
                <Facts kind={kind} record={record as SettingsRecord} />
              )}
              {(kind.facts ?? []).map((name) => (
                <FactToCopy key={name} name={name} value={String((record as SettingsRecord)[name] ?? '')} />
              ))}
              {(kind.parts ?? []).map((part) => (
                <Parts
                  key={part.path}
                  part={part}
                  record={record as SettingsRecord}
                  params={{ [part.owner]: id }}
                  mayWrite={mayWrite}
                />
              ))}
              {children?.(record as SettingsRecord)}
            </Stack>
          )}
        </ShownToChange>
      )}
    </SidePanel>
  )
}

function FactToCopy({ name, value }: { name: string; value: string }) {
  return <CopyField label={useFieldName()(name)} value={value} />
}

/** What one may read and not change. */
function Facts({ kind, record }: { kind: RecordForms; record: SettingsRecord }) {
  const fieldName = useFieldName()
  const shown = useShownValue()
  const nameFor = useNames(kind.create, kind.of, [record])
  return (
    <Table>
      <Table.Tbody>
        {kind.of
          .filter((name) => shownOf(record, name) !== undefined)
          .map((name) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{fieldName(name)}</Table.Th>
              <Table.Td>{shown(kind.create[name], shownOf(record, name), nameFor)}</Table.Td>
            </Table.Tr>
          ))}
      </Table.Tbody>
    </Table>
  )
}

type Params = Record<string, number | string>
type RecordFormProps = { kind: RecordForms; path: string; params?: Params; extra?: Params; onDone: () => void }

function NewRecord({ kind, path, params = {}, extra, onDone }: RecordFormProps) {
  const t = useTexts(common)
  const save = useWrite(`POST ${path}` as 'POST /departments', {
    done: (answer) => t('added', { name: nameOf(answer.data as unknown as SettingsRecord, kind.title) }),
    isFinal: kind.isFinal ?? false,
    onSuccess: onDone,
  })
  return (
    <Form
      fields={kind.create}
      of={kind.of.filter((name) => name in kind.create)}
      {...(kind.start ? { start: kind.start } : {})}
      onSubmit={(values) => save.mutate({ params, body: { ...withoutEmpty(values), ...extra } } as never)}
      error={save.error}
      isBusy={save.isPending}
      submitLabel={t('add')}
      onCancel={onDone}
    />
  )
}

const withoutEmpty = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '' && value !== undefined))

function ChangeRecord({
  kind,
  path,
  params = {},
  record,
  etag,
  onDone,
}: RecordFormProps & { record: SettingsRecord; etag?: string | undefined }) {
  const t = useTexts(common)
  const name = nameOf(record, kind.title)
  const all = { ...params, id: record.id }
  const save = useWrite(`PUT ${path}/{id}` as 'PUT /departments/{id}', {
    // Under the name that it has now.
    done: ({ data }) => t('saved', { name: nameOf(data as never, kind.title) }),
    isFinal: kind.isFinal ?? false,
    onSuccess: onDone,
  })
  const remove = useWrite(`DELETE ${path}/{id}` as 'DELETE /departments/{id}', {
    done: t('deleted', { name }),
    isFinal: kind.isFinal ?? false,
    // Before it is gone, so that nobody asks for it again.
    optimistic: () => {
      const { path: back } = placeNowAt()
      onDone()
      return () => navigate(back)
    },
  })
  const of = kind.of.filter((field) => field in kind.update && !kind.onlyNew?.includes(field))
  return (
    <Form
      fields={kind.update}
      of={of}
      start={startOf(record, of)}
      etag={etag}
      onSubmit={(_, changed, ifMatch) =>
        Object.keys(changed).length > 0 ? save.mutate({ params: all, body: changed, ifMatch } as never) : onDone()
      }
      error={save.error as Problem | null}
      isBusy={save.isPending}
      onCancel={onDone}
      aside={
        <ConfirmButton
          label={t('delete')}
          title={t('deleteTitle', { name })}
          text={t('deleteText')}
          isBusy={remove.isPending}
          button={{ variant: 'subtle', color: 'red' }}
          onConfirm={() => remove.mutate({ params: all } as never)}
        />
      }
    />
  )
}

/** The records that belong to one, with a dialog for each. */
export function Parts(props: { part: ChildKind; record: SettingsRecord; params: Params; mayWrite: boolean }) {
  const { part, record, params, mayWrite } = props
  const { path, owner, within, isOrdered, when } = part
  const t = useTexts(common)
  const kindName = useKindName()
  const fieldName = useFieldName()
  const shown = useShownValue()
  const [open, setOpen] = useState<SettingsRecord | 'new'>()
  const isBelow = path.includes(`{${owner}}`)
  const asked = isBelow ? { params } : { query: { [owner]: params[owner], per_page: 200 } }
  const isThere = !when || when(record)
  const read = useRead(`GET ${path}` as AnyList, asked as never, { enabled: !within && isThere })
  const rows = (within ? record[within] : read.answer?.data) as SettingsRecord[] | undefined
  const move = useWrite(`PUT ${path}/{id}` as 'PUT /departments/{id}', { done: t('moved') })
  if (!isThere) return null
  const columns = part.columns ?? part.of.filter((name) => name !== 'options')
  const title = part.name(t)
  const close = () => setOpen(undefined)
  const titleOf = (row: SettingsRecord) =>
    part.create[part.title ?? '']?.format === 'date'
      ? String(shown(part.create[part.title ?? ''], row[part.title ?? '']))
      : nameOf(row, part.title)
  const current = open === 'new' ? undefined : rows?.find(({ id }) => id === open?.id)
  const kept = { kind: part, path, params: isBelow ? params : {}, onDone: close }
  return (
    <section aria-label={title}>
      <Group justify="space-between" mb="xs">
        <Title order={3} size="h5">
          {title}
        </Title>
        {mayWrite ? (
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name="plus" size={14} />}
            onClick={() => setOpen('new')}
          >
            {t('add')}
          </Button>
        ) : null}
      </Group>
      {!rows ? (
        read.error ? (
          <Failed error={read.error} />
        ) : (
          <Loading rows={3} height={32} />
        )
      ) : rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('emptyTitle')}
        </Text>
      ) : (
        <Table aria-label={title} verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              {columns.map((name) => (
                <Table.Th key={name}>{fieldName(name)}</Table.Th>
              ))}
              {mayWrite ? (
                <Table.Th>
                  <VisuallyHidden>{t('edit')}</VisuallyHidden>
                </Table.Th>
              ) : null}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row, index) => (
              <Table.Tr key={row.id}>
                {columns.map((name) => (
                  <Table.Td key={name}>{shown(part.create[name], shownOf(row, name))}</Table.Td>
                ))}
                {mayWrite ? (
                  <Table.Td>
                    <Group gap={4} justify="flex-end" wrap="nowrap">
                      {isOrdered
                        ? ([-1, 1] as const).map((step) => (
                            <ActionIcon
                              key={step}
                              variant="subtle"
                              color="gray"
                              disabled={!rows[index + step] || move.isPending}
                              aria-label={t(step < 0 ? 'moveUp' : 'moveDown', { name: titleOf(row) })}
                              onClick={() =>
                                move.mutate({
                                  params: { ...params, id: row.id },
                                  body: { position: index + 1 + step },
                                } as never)
                              }
                            >
                              <Icon name={step < 0 ? 'up' : 'down'} size={16} />
                            </ActionIcon>
                          ))
                        : null}
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        aria-label={t('editOne', { name: titleOf(row) })}
                        onClick={() => setOpen(row)}
                      >
                        <Icon name="edit" size={16} />
                      </ActionIcon>
                    </Group>
                  </Table.Td>
                ) : null}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Dialog
        opened={open === 'new' || current !== undefined}
        onClose={close}
        title={current ? titleOf(current) : t('newIn', { kind: kindName(part.path) })}
      >
        {open === 'new' ? (
          <NewRecord {...kept} {...(isBelow ? {} : { extra: { [owner]: Number(params[owner]) } })} />
        ) : current ? (
          <Stack>
            <ChangeRecord {...kept} record={current} />
            {(part.parts ?? []).map((deeper) => (
              <Parts
                key={deeper.path}
                part={deeper}
                record={current}
                params={{ ...params, [deeper.owner]: current.id }}
                mayWrite={mayWrite}
              />
            ))}
          </Stack>
        ) : null}
      </Dialog>
    </section>
  )
}

/** Small words beside a name: `<Marks of={['a', 'b']} />`. */
export const Marks = ({ of }: { of: readonly string[] }) => (
  <Group gap={4}>
    {of.map((one) => (
      <Badge key={one}>{one}</Badge>
    ))}
  </Group>
)
