import { Button, Group, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { usePages, useRead, useWrite } from '../../client/data.ts'
import type { HistoryEntry } from '../../client/operations.ts'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { LedgerValue } from '../../parts/ledger-value.tsx'
import { Section } from '../../parts/section.tsx'
import { Empty, Failed, Loading } from '../../parts/states.tsx'
import { Icon } from '../../shell/icons.tsx'
import { common } from '../../texts/common.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useKeptFieldName, useKindName } from '../../texts/kind-names.ts'
import { useProfile } from './shared.ts'
import { profileTexts } from './texts.ts'

const HOW = { create: 'created', update: 'updated', delete: 'deleted', erase: 'erased' } as const
const SILENT = ['id', 'employee_id', 'created_at', 'updated_at', 'effective_until']

/** Who changed what, newest first. Undo reverses the whole request. */
export function History() {
  const t = useTexts(profileTexts)
  const { id } = useProfile()
  const read = usePages(
    'GET /employees/{id}/history',
    { params: { id }, query: { parts: true, sort: '-changed_at' } },
    { size: 50 },
  )
  if (read.error) return <Failed error={read.error} onRetry={() => void read.refetch()} />
  if (read.isPending) return <Loading rows={8} height={56} />
  if (read.items.length === 0) return <Empty icon="history" title={t('historyEmpty')} />
  return (
    <Section title={t('history')}>
      <ul className="profile-list">
        {[...Map.groupBy(read.items, ({ request_id }) => request_id).values()].map((entries) => (
          <Request key={entries[0]?.request_id} of={entries} />
        ))}
      </ul>
      {read.hasNextPage ? (
        <Button variant="default" mt="md" loading={read.isFetchingNextPage} onClick={() => void read.fetchNextPage()}>
          {t('more')}
        </Button>
      ) : null}
    </Section>
  )
}

function Request({ of }: { of: HistoryEntry[] }) {
  const t = useTexts(profileTexts)
  const words = useTexts(common)
  const { moment, ago } = useFormats()
  const { mayChange } = useProfile()
  const whatOf = useChangeText()
  const [isOpen, setOpen] = useState(false)
  const undo = useWrite('POST /requests/{request_id}/undo', {
    done: t('undone'),
    touches: ['employees', ...of.map(({ resource }) => resource)],
  })
  const [first] = of
  if (!first) return null
  const title = [...new Set(of.toSorted((one, other) => one.number - other.number).map(whatOf))].join(', ')
  return (
    <li className="profile-change">
      <div className="profile-line">
        <div className="profile-line-words">
          <Text fw={600}>{title}</Text>
          <Text size="sm" c="dimmed">
            <Who of={first} /> ·{' '}
            <time dateTime={first.changed_at} title={moment(first.changed_at)}>
              {ago(first.changed_at)}
            </time>
          </Text>
        </div>
        <Group gap="xs" className="no-print">
          <Button
            variant="subtle"
            color="gray"
            size="compact-md"
            aria-expanded={isOpen}
            rightSection={<Icon name={isOpen ? 'up' : 'expand'} size={14} />}
            onClick={() => setOpen(!isOpen)}
          >
            {t('details')}
          </Button>
          {mayChange('audits:write') ? (
            <ConfirmButton
              label={words('undo')}
              name={t('undoOf', { what: title })}
              title={t('undoOf', { what: title })}
              text={t('undoText')}
              isBusy={undo.isPending}
              button={{ variant: 'subtle', size: 'compact-md', leftSection: <Icon name="undo" size={16} /> }}
              onConfirm={() => undo.mutate({ params: { request_id: first.request_id } })}
            />
          ) : null}
        </Group>
      </div>
      {isOpen ? of.map((one) => <Details key={one.number} of={one} title={whatOf(one)} />) : null}
    </li>
  )
}

/** `salaries`, created → Salary added */
function useChangeText() {
  const t = useTexts(profileTexts)
  const kindName = useKindName()
  const fieldName = useKeptFieldName()
  const custom = useRead('GET /employee_fields', { query: { per_page: 200 } })
  const known = new Map(custom.answer?.data.map(({ id, name }) => [id, name]))
  return ({ resource, action, fields, before, after }: HistoryEntry) => {
    const own = known.get((after ?? before)?.employee_field_id as number)
    // A custom field always has a value or none, so even its first value is a change and not a new record.
    if (own) return t('what', { what: own, how: t(action === 'create' ? 'updated' : HOW[action]) })
    const what = t('what', { what: kindName(resource), how: t(HOW[action]) })
    const names = action === 'update' ? fields.filter((name) => !SILENT.includes(name)).map(fieldName) : []
    return names.length > 0 ? `${what} – ${[...new Set(names)].join(', ')}` : what
  }
}

function Who({ of: { actor } }: { of: HistoryEntry }) {
  const t = useTexts(profileTexts)
  if (actor.kind === 'person') return actor.name ?? t('somebody')
  if (actor.kind === 'key') return t('key', { name: actor.name ?? '' })
  return actor.kind === 'command_line' ? t('commandLine') : actor.kind === 'system' ? t('system') : t('somebody')
}

function Details({ of, title }: { of: HistoryEntry; title: string }) {
  const t = useTexts(profileTexts)
  const fieldName = useKeptFieldName()
  const names = of.fields.filter((name) => !SILENT.includes(name))
  const rows = names.filter((name) => (of.before?.[name] ?? null) !== null || (of.after?.[name] ?? null) !== null)
  return (
    <div className="profile-table">
      <Table aria-label={title}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{title}</Table.Th>
            <Table.Th>{t('before')}</Table.Th>
            <Table.Th>{t('after')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((name) => (
            <Table.Tr key={name}>
              <Table.Td>{fieldName(name)}</Table.Td>
              <Table.Td>
                <LedgerValue kind={of.resource} name={name} of={of.before} />
              </Table.Td>
              <Table.Td>
                <LedgerValue kind={of.resource} name={name} of={of.after} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
