import { Alert, Button, Checkbox, Group, Select, Stack, Table, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type AnswerOf, call, type FieldProblem, preview, type RequestOf } from '../../client/client.ts'
import { queries, useWrite } from '../../client/data.ts'
import { UpdateEmployee } from '../../client/fields/employees.ts'
import type { Field } from '../../client/fields.ts'
import { useMay, useMe } from '../../client/me.ts'
import { notifyInfo } from '../../client/notices.ts'
import type { Employee, EmployeeRow } from '../../client/operations.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FieldFor } from '../../parts/fields.tsx'
import { nameOf } from '../../parts/person.tsx'
import { usePlaceName, useProblemText } from '../../parts/problems.ts'
import { chosenQuery, titleOf } from '../../parts/record-select.tsx'
import { Failed, Loading } from '../../parts/states.tsx'
import { common } from '../../texts/common.ts'
import { today, useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useFieldName } from '../../texts/names.ts'
import { bulkTexts } from './bulk-texts.ts'

/** The fields that make sense for many people at once. */
const CHANGEABLE = [
  'department_id',
  'location_id',
  'division_id',
  'position_id',
  'job_level_id',
  'reporting_to_id',
  'employment_type_id',
  'legal_entity_id',
  'working_pattern_id',
  'probation_ends_on',
] as const satisfies readonly (keyof typeof UpdateEmployee)[]

type BulkValues = Record<string, unknown>
type RefusedRow = { index: number; errors: FieldProblem[] }

export function BulkEdit({ ids, onClose }: { ids: readonly number[]; onClose: (isDone: boolean) => void }) {
  const t = useTexts(bulkTexts)
  const [values, setValues] = useState<BulkValues>({})
  const [isLooking, setLooking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [from, setFrom] = useState(today())
  const isFromDay = Object.keys(values).some((name) => name !== 'probation_ends_on')
  const sent: RequestOf<'PATCH /employees/bulk'> = {
    body: {
      data: ids.map((id) => ({ id, ...values })),
      ...(isFromDay && from !== today() ? { effective_from: from } : {}),
    },
  }
  return (
    <Dialog
      opened
      onClose={() => onClose(false)}
      isBusy={isBusy}
      title={t('bulkTitle', { count: ids.length })}
      size="xl"
    >
      {isLooking ? (
        <Preview
          ids={ids}
          values={values}
          sent={sent}
          from={isFromDay ? from : today()}
          onBusy={setBusy}
          onBack={() => setLooking(false)}
          onDone={() => onClose(true)}
        />
      ) : (
        <Choice
          values={values}
          onChange={setValues}
          {...(isFromDay ? { from } : {})}
          onFrom={setFrom}
          onNext={() => setLooking(true)}
          onCancel={() => onClose(false)}
        />
      )}
    </Dialog>
  )
}

function Choice(props: {
  values: BulkValues
  onChange: (values: BulkValues) => void
  /** The day of the change, for values with a date. */
  from?: string
  onFrom: (day: string) => void
  onNext: () => void
  onCancel: () => void
}) {
  const { values, onChange, from, onFrom, onNext, onCancel } = props
  const t = useTexts(bulkTexts)
  const words = useTexts(common)
  const fieldName = useFieldName()
  const { withheld } = useMe()
  const fields = UpdateEmployee as Record<string, Field>
  // An empty choice must not clear a value by mistake.
  const isWhole = Object.keys(values).length > 0 && Object.values(values).every((value) => value !== undefined)
  const others = CHANGEABLE.filter((name) => !(name in values) && !withheld.includes(fields[name]?.group ?? ''))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onNext()
      }}
    >
      <Stack>
        <Select
          key={others.length}
          data-autofocus
          label={t('bulkField')}
          data={others.map((name) => ({ value: name, label: fieldName(name) }))}
          value={null}
          onChange={(name) => name && onChange({ ...values, [name]: undefined })}
          searchable
        />
        {Object.entries(values).map(([name, value]) => (
          <div key={name}>
            <FieldFor
              name={name}
              field={fields[name] as Field}
              value={value ?? null}
              onChange={(next) => onChange({ ...values, [name]: next ?? undefined })}
              disabled={value === null}
            />
            {fields[name]?.nullable ? (
              <Checkbox
                mt={6}
                size="xs"
                label={t('bulkEmpties', { name: fieldName(name) })}
                checked={value === null}
                onChange={(event) => onChange({ ...values, [name]: event.currentTarget.checked ? null : undefined })}
              />
            ) : null}
          </div>
        ))}
        {from === undefined ? null : (
          <TextInput
            type="date"
            label={words('from')}
            required
            value={from}
            onChange={(event) => onFrom(event.currentTarget.value)}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {words('cancel')}
          </Button>
          <Button type="submit" disabled={!isWhole}>
            {t('bulkPreview')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Reads people as of a day, in as few requests as possible. */
async function readPeople(
  ids: readonly number[],
  on: string,
): Promise<{ people: Map<number, EmployeeRow>; ledger: number }> {
  const size = 200
  const parts = Array.from({ length: Math.ceil(ids.length / size) }, (_, n) => ids.slice(n * size, (n + 1) * size))
  const read = parts.map((part) =>
    call('GET /employees', {
      query: { 'ids[]': part, status: 'all', per_page: size, ...(on === today() ? {} : { as_of: on }) },
    }),
  )
  const answers = await Promise.all(read)
  return {
    people: new Map(answers.flatMap(({ body }) => body.data).map((row) => [row.id, row])),
    ledger: Math.min(...answers.map((one) => one.ledger)),
  }
}

function Preview(props: {
  ids: readonly number[]
  values: BulkValues
  sent: RequestOf<'PATCH /employees/bulk'>
  /** The day of the change. */
  from: string
  onBusy: (isBusy: boolean) => void
  onBack: () => void
  onDone: () => void
}) {
  const { ids, values, sent, from, onBusy, onBack, onDone } = props
  const t = useTexts(bulkTexts)
  const words = useTexts(common)
  const fieldName = useFieldName()
  const shown = useShown()
  const nameSent = useNameSent()
  const { day } = useFormats()
  const say = useProblemText()
  const place = usePlaceName()
  const dryRun = useQuery({
    queryKey: ['bulk', sent],
    // The dry run returns people as of today. For another day, people are read as of that day, and the new values are
    // those that were sent.
    queryFn: async () => ({
      before: await readPeople(ids, from),
      after: await preview('PATCH /employees/bulk', sent),
      wanted: await nameSent(values),
    }),
    // The preview is never taken from the cache.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  /** The people who could not be changed, and why. */
  const [left, setLeft] = useState<string[]>([])
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  const reasons = (errors: readonly RefusedRow[], sentIds: readonly number[]) =>
    errors.map(({ index, errors }) => {
      const who = nameOf(dryRun.data?.before.people.get(sentIds[index] as number) ?? {})
      return `${who}: ${errors.map((one) => `${place(one.field)}: ${say(one)}`).join(' ')}`
    })
  const save = useWrite('PATCH /employees/bulk', {
    done: (answer: AnswerOf<'PATCH /employees/bulk'>) => t('bulkDone', { count: answer.records.count }),
    onSuccess: ({ errors }, { body }) => {
      if (errors.count === 0) return onDone()
      const why = reasons(
        errors.data,
        body.data.map((one) => (one as { id: number }).id),
      )
      // If the user has left the page, a message tells them.
      if (!isHere.current) return notifyInfo(`${t('bulkRefused', { count: errors.count })}: ${why.join('; ')}`)
      // Preview the others again, with their current values.
      setLeft(why)
      void dryRun.refetch()
    },
  })
  useEffect(() => onBusy(save.isPending), [onBusy, save.isPending])
  if (dryRun.error) return <Failed error={dryRun.error} onRetry={() => void dryRun.refetch()} />
  if (!dryRun.data) return <Loading rows={6} />
  const {
    before: { people: before, ledger },
    after,
    wanted,
  } = dryRun.data
  const names = Object.keys(values)
  const rows = after.records.data.flatMap((person) =>
    names.flatMap((name) => {
      const had = before.get(person.id)
      const [was, is] = [shown(had, name), wanted[name] ?? '']
      return isAlready(had, name, values[name]) ? [] : [{ person, name, was, is }]
    }),
  )
  const touched = new Set(rows.map(({ person }) => person.id))
  const untouched = ids.length - touched.size - after.errors.count
  // Only send the people who change, as they were in the preview.
  const apply = () => {
    const data = sent.body.data.filter((item) => touched.has((item as { id: number }).id))
    // Immediately, because the next key press could close the dialog and with it the errors.
    onBusy(true)
    save.mutate({ body: { ...sent.body, data, unchanged_since: ledger } })
  }
  return (
    <Stack>
      {left.length > 0 ? (
        <Alert color="yellow" role="alert" title={t('bulkChanged')}>
          {left.map((one) => (
            <div key={one}>{one}</div>
          ))}
        </Alert>
      ) : null}
      {after.errors.count > 0 ? (
        <Alert color="red" variant="outline" title={t('bulkRefused', { count: after.errors.count })}>
          {reasons(after.errors.data.slice(0, 20), ids).map((one) => (
            <div key={one}>{one}</div>
          ))}
        </Alert>
      ) : null}
      {untouched > 0 ? <Text c="dimmed">{t('bulkUntouched', { count: untouched })}</Text> : null}
      <Table.ScrollContainer
        className="people-preview"
        minWidth={0}
        maxHeight="50vh"
        scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
      >
        <Table aria-label={t('bulkPreview')} stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{fieldName('full_name')}</Table.Th>
              <Table.Th>{t('bulkWhat')}</Table.Th>
              <Table.Th>{t('bulkWas')}</Table.Th>
              <Table.Th>{from === today() ? t('bulkIs') : t('bulkFrom', { day: day(from) })}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ person, name, was, is }) => (
              <Table.Tr key={`${person.id} ${name}`}>
                <Table.Td>{nameOf(person)}</Table.Td>
                <Table.Td>{fieldName(name)}</Table.Td>
                <Table.Td>{was || '–'}</Table.Td>
                <Table.Td fw={600}>{is || '–'}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Group justify="flex-end">
        <Button variant="default" onClick={onBack}>
          {words('back')}
        </Button>
        <Button onClick={apply} loading={save.isPending} disabled={rows.length === 0}>
          {t('bulkApply', { count: rows.length })}
        </Button>
      </Group>
    </Stack>
  )
}

/** Does the person already have this value? Two people with the same name are different. */
function isAlready(person: EmployeeRow | undefined, name: string, value: unknown): boolean {
  const had = (person as unknown as BulkValues | undefined)?.[name.replace(/_id$/, '')] ?? null
  return (typeof had === 'object' ? ((had as { id: number } | null)?.id ?? null) : had) === (value ?? null)
}

/** The chosen values in words, in the same form as a person's current values. */
function useNameSent(): (values: BulkValues) => Promise<Record<string, string>> {
  const { day } = useFormats()
  const path = useMay()('directory:read') ? '/directory' : '/employees'
  return async (values) => {
    const fields = UpdateEmployee as Record<string, Field>
    const named = Object.entries(values).map(async ([name, value]) => {
      if (value === null || value === undefined) return [name, '']
      const table = fields[name]?.reference
      if (!table) return [name, /_on$/.test(name) ? day(String(value)) : String(value)]
      const own = table === 'employees' ? path : undefined
      return [name, titleOf(await queries.fetchQuery(chosenQuery(table, value as number, own)))]
    })
    return Object.fromEntries(await Promise.all(named))
  }
}

/** A person's value in words: the department's name for `department_id`. */
function useShown(): (person: Employee | EmployeeRow | undefined, name: string) => string {
  const { day } = useFormats()
  return (person, name) => {
    const values = person as unknown as Record<string, unknown> | undefined
    const value = values?.[name.replace(/_id$/, '')]
    if (value === null || value === undefined) return ''
    if (typeof value === 'object') {
      const named = value as { name?: string }
      return named.name ?? nameOf(value)
    }
    return /_on$/.test(name) ? day(String(value)) : String(value)
  }
}
