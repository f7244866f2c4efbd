import { Button, Group, Select, Stack, Table, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { usePages, useRead, useWrite } from '../../client/data.ts'
import { KINDS } from '../../client/kinds.ts'
import { useMay } from '../../client/me.ts'
import type { Actor, Audit, Read } from '../../client/operations.ts'
import { RecordSelect } from '../../parts/fields.tsx'
import { Filters } from '../../parts/filters.tsx'
import { LedgerValue } from '../../parts/ledger-value.tsx'
import { Empty, Failed, Loading, WhenLoaded } from '../../parts/states.tsx'
import { Icon } from '../../shell/icons.tsx'
import { useFilters } from '../../shell/router.tsx'
import { common } from '../../texts/common.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useKeptFieldName, useKindName } from '../../texts/kind-names.ts'
import { useList } from '../../texts/lists.ts'
import { settingsTexts } from './texts.ts'

/** The name of the actor. */
function useActorName(): (actor: Actor) => string {
  const t = useTexts(settingsTexts)
  return ({ kind, name, id }) =>
    kind === 'key' ? t('actor_key', { name: name ?? String(id) }) : (name ?? t(`actor_${kind}`))
}

const FILTERS = ['record_type', 'actor', 'employee_id', 'from', 'until', 'record_id', 'request_id', 'operation']

/** Turns days into timestamps in the user's time zone. The last day is included. */
const fromDay = (day: string) => new Date(`${day}T00:00:00`).toISOString()
const untilDay = (day: string) => new Date(`${day}T23:59:59.999`).toISOString()

function useAuditFilters() {
  const { get, set } = useFilters()
  const [from, until] = [get('from'), get('until')]
  const days = {
    ...(from ? { 'created_at[gte]': fromDay(from) } : {}),
    ...(until ? { 'created_at[lte]': untilDay(until) } : {}),
  }
  const clear = () => set(Object.fromEntries(FILTERS.map((name) => [name, undefined])))
  return { get, set, days, clear, count: FILTERS.filter((name) => get(name)).length }
}

function AuditFilters({ children, count }: { children: ReactNode; count: number }) {
  const words = useTexts(common)
  const { get, set } = useFilters()
  const day = (name: 'from' | 'until') => (
    <TextInput
      type="date"
      aria-label={words(name)}
      leftSection={
        <Text size="xs" c="dimmed" aria-hidden="true">
          {words(name)}
        </Text>
      }
      leftSectionWidth={`${words(name).length + 2}ch`}
      value={get(name)}
      onChange={(event) => set({ [name]: event.currentTarget.value }, { replace: true })}
    />
  )
  return (
    <Filters count={count}>
      {children}
      {day('from')}
      {day('until')}
    </Filters>
  )
}

/** In these kinds, `address` is an IP address. */
const NETWORK = [KINDS.sessions, KINDS.failed_sign_ins]
function useFieldNameOf({ record_type }: Audit): (name: string) => string {
  const fieldName = useKeptFieldName()
  return (name) => fieldName(name === 'address' && NETWORK.includes(record_type) ? 'ip_address' : name)
}

const isOfPerson = ({ record_type }: Audit) => record_type === KINDS.employees

/** The audit log: every change as a sentence, with the values before and after, and an undo. */
export function AuditSection({ title }: { title: string }) {
  const t = useTexts(settingsTexts)
  const kindName = useKindName()
  const { get, set, days, clear, count } = useAuditFilters()
  const given = Object.fromEntries(
    ['record_type', 'actor', 'employee_id', 'record_id', 'request_id', 'operation']
      .map((name) => [name, get(name)])
      .filter(([, value]) => value),
  )
  const audits = usePages('GET /audits', { query: { ...given, ...days } }, { size: 50, kinds: ['changes'] })
  const kinds = Object.keys(KINDS)
    .map((value) => ({ value, label: kindName(value) }))
    .sort((one, other) => one.label.localeCompare(other.label))
  return (
    <Stack gap="sm">
      <AuditFilters count={count}>
        <Select
          aria-label={t('what')}
          placeholder={t('anyKind')}
          data={kinds}
          value={get('record_type') || null}
          onChange={(value) => set({ record_type: value ?? undefined })}
          searchable
          clearable
        />
        <RecordSelect
          table="employees"
          aria-label={t('byEmployee')}
          placeholder={t('anyEmployee')}
          value={Number(get('employee_id')) || null}
          onChange={(id) => set({ employee_id: id === null ? undefined : String(id) })}
        />
        <ActorSelect />
      </AuditFilters>
      {audits.error ? (
        <Failed error={audits.error} onRetry={() => void audits.refetch()} />
      ) : audits.isPending ? (
        <Loading rows={10} height={44} />
      ) : audits.items.length === 0 ? (
        <Empty icon="history" title={count > 0 ? undefined : t('noChanges')} isFiltered={count > 0} onClear={clear} />
      ) : (
        <>
          <ul className="settings-list" aria-label={title}>
            {audits.items.map((audit) => (
              <AuditLine key={audit.id} of={audit} />
            ))}
          </ul>
          <More of={audits} />
        </>
      )}
    </Stack>
  )
}

function More({ of }: { of: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown } }) {
  const t = useTexts(settingsTexts)
  return of.hasNextPage ? (
    <Button variant="default" loading={of.isFetchingNextPage} onClick={() => void of.fetchNextPage()}>
      {t('more')}
    </Button>
  ) : null
}

/** Filters by user. The API's `actor` is a kind and an id. */
function ActorSelect() {
  const t = useTexts(settingsTexts)
  const may = useMay()
  const { get, set } = useFilters()
  const mayRead = may('users:read')
  const users = useRead('GET /users', { query: { per_page: 200, sort: 'email' } }, { enabled: mayRead })
  const data = [
    ...(users.answer?.data ?? []).map(({ id, name }) => ({ value: `person:${id}`, label: name })),
    { value: 'command_line', label: t('actor_command_line') },
    { value: 'system', label: t('actor_system') },
    { value: 'anybody', label: t('actor_anybody') },
  ]
  const chosen = get('actor')
  const all = chosen && !data.some(({ value }) => value === chosen) ? [{ value: chosen, label: chosen }, ...data] : data
  return (
    <Select
      aria-label={t('who')}
      placeholder={t('anyone')}
      data={all}
      value={chosen || null}
      onChange={(value) => set({ actor: value ?? undefined })}
      searchable
      clearable
    />
  )
}

function AuditLine({ of }: { of: Audit }) {
  const t = useTexts(settingsTexts)
  const actorName = useActorName()
  const kindName = useKindName()
  const { moment } = useFormats()
  const [isOpen, setOpen] = useState(false)
  const fieldName = useFieldNameOf(of)
  const list = useList()
  const { event, record_type, actor, created_at, name, fields } = of
  const kind = kindName(record_type)
  const what = name ? (isOfPerson(of) ? name : t('named', { kind, name })) : kind
  const changed = event === 'update' ? [...new Set(fields.map(fieldName))] : []
  return (
    <li>
      <Group justify="space-between" align="flex-start" gap="xs">
        <div className="settings-told">
          <p className="settings-sentence">
            {[t(event, { who: actorName(actor), what }), list(changed)].filter(Boolean).join(' – ')}
          </p>
          <Text size="xs" c="dimmed">
            {moment(created_at)}
          </Text>
        </div>
        <Button
          flex="none"
          size="compact-sm"
          variant="subtle"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          rightSection={<Icon name={isOpen ? 'up' : 'expand'} size={14} />}
        >
          {t('show')}
        </Button>
      </Group>
      {isOpen ? <ChangeDetails of={of} /> : null}
    </li>
  )
}

function ChangeDetails({ of }: { of: Audit }) {
  const t = useTexts(settingsTexts)
  const fieldName = useFieldNameOf(of)
  const list = useList()
  const may = useMay()
  const { set } = useFilters()
  const read = useRead('GET /changes/{number}', { params: { number: of.number } })
  const undo = useWrite('POST /changes/{number}/undo', {
    done: t('undoneNow'),
    isFinal: true,
    touches: ['audits', of.record_type],
  })
  const kept = (name: string, values: Record<string, unknown>) => (
    <LedgerValue kind={of.record_type} name={name} of={values} />
  )
  return (
    <WhenLoaded of={read} loading={<Loading rows={2} height={24} />}>
      {({ data: { before, after, fields, omitted } }) => (
        <Stack gap="xs" mt="xs">
          {fields.length > 0 ? (
            <Table className="settings-change" layout="fixed">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('field')}</Table.Th>
                  {before ? <Table.Th>{t('was')}</Table.Th> : null}
                  {after ? <Table.Th>{t('isNow')}</Table.Th> : null}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {fields.map((name) => (
                  <Table.Tr key={name}>
                    <Table.Td>{fieldName(name)}</Table.Td>
                    {before ? <Table.Td>{kept(name, before)}</Table.Td> : null}
                    {after ? <Table.Td>{kept(name, after)}</Table.Td> : null}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          ) : (
            <Text size="sm" c="dimmed">
              {t('noDetails')}
            </Text>
          )}
          {omitted.length > 0 ? (
            <Text size="sm" c="dimmed">
              {t('omitted', { list: list(omitted.map(fieldName)) })}
            </Text>
          ) : null}
          <Group gap="xs">
            {may('audits:write') && of.event !== 'erase' ? (
              <>
                <Button
                  size="xs"
                  variant="default"
                  loading={undo.isPending}
                  onClick={() => undo.mutate({ params: { number: of.number } })}
                >
                  {t('undoChange')}
                </Button>
                <Button
                  size="xs"
                  variant="default"
                  loading={undo.isPending}
                  onClick={() => undo.mutate({ params: { number: of.number }, query: { request: true } })}
                >
                  {t('undoRequest')}
                </Button>
              </>
            ) : null}
            <Button size="xs" variant="subtle" onClick={() => set({ request_id: of.request_id })}>
              {t('request')}
            </Button>
          </Group>
        </Stack>
      )}
    </WhenLoaded>
  )
}

/** The access log: who has read pay, documents and files, or exported all data of a person. */
export function ReadsSection({ title }: { title: string }) {
  const t = useTexts(settingsTexts)
  const { get, days, clear, count } = useAuditFilters()
  const actor = get('actor')
  const reads = usePages('GET /reads', { query: { ...(actor ? { actor } : {}), ...days } }, { size: 50 })
  const actorName = useActorName()
  const kindName = useKindName()
  const { moment } = useFormats()
  const recordOf = ({ resource, name }: Read) => {
    if (!name) return kindName(resource)
    return resource === 'employees' ? name : t('named', { kind: kindName(resource), name })
  }
  return (
    <Stack gap="sm">
      <AuditFilters count={count}>
        <ActorSelect />
      </AuditFilters>
      {reads.error ? (
        <Failed error={reads.error} onRetry={() => void reads.refetch()} />
      ) : reads.isPending ? (
        <Loading rows={10} height={44} />
      ) : reads.items.length === 0 ? (
        <Empty icon="history" title={count > 0 ? undefined : t('noReads')} isFiltered={count > 0} onClear={clear} />
      ) : (
        <>
          <ul className="settings-list" aria-label={title}>
            {reads.items.map((one) => (
              <li key={one.id}>
                <p className="settings-sentence">
                  {t(`read_${one.what}`, { who: actorName(one.actor), what: recordOf(one) })}
                </p>
                <Text size="xs" c="dimmed">
                  {moment(one.created_at)}
                </Text>
              </li>
            ))}
          </ul>
          <More of={reads} />
        </>
      )}
    </Stack>
  )
}
