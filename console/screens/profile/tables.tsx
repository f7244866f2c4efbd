import { Button, Group, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useRead, useWrite } from '../../client/data.ts'
import type { ColumnOfEmployeeTable, EmployeeTable } from '../../client/operations.ts'
import { fieldsUnder, labelsUnder, startUnder, withoutPrefix } from '../../parts/custom.ts'
import { CustomValue } from '../../parts/custom-value.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { Section } from '../../parts/section.tsx'
import { Empty, Failed, Loading } from '../../parts/states.tsx'
import { Icon } from '../../shell/icons.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/i18n.ts'
import { EditButton, RemoveButton } from './records.tsx'
import { useProfile } from './shared.ts'
import { profileTexts } from './texts.ts'

type Row = { id: number; columns: Record<string, unknown> }

/** The company's own tables, with the rows of this employee. */
export function Tables() {
  const t = useTexts(profileTexts)
  const { id } = useProfile()
  const definitions = useRead('GET /employee_tables', { query: { per_page: 200 } })
  const tables = useRead('GET /employees/{employee_id}/tables', {
    params: { employee_id: id },
    query: { per_page: 200 },
  })
  const failed = [definitions, tables].find((one) => one.error)
  if (failed) return <Failed error={failed.error} onRetry={() => void failed.refetch()} />
  if (!definitions.answer || !tables.answer) return <Loading rows={4} height={88} />
  const rows = new Map(tables.answer.data.map((one) => [one.id, one.rows]))
  const seen = definitions.answer.data.filter((one) => rows.has(one.id))
  if (seen.length === 0) return <Empty icon="table" title={t('tablesEmpty')} />
  return (
    <Stack gap="md">
      {seen.map((one) => (
        <OneTable key={one.id} of={one} rows={rows.get(one.id) ?? []} />
      ))}
    </Stack>
  )
}

function OneTable({ of, rows }: { of: EmployeeTable; rows: Row[] }) {
  const t = useTexts(profileTexts)
  const words = useTexts(common)
  const { mayChange, sees } = useProfile()
  const [edited, setEdited] = useState<Row | 'new'>()
  const columns = of.columns.filter(({ protection }) => sees(protection ?? ''))
  const isOpenToChange = mayChange('employees:write')
  return (
    <Section
      title={of.name}
      note={of.description}
      actions={
        isOpenToChange ? (
          <Button
            variant="default"
            size="compact-md"
            leftSection={<Icon name="plus" />}
            aria-label={t('addRow', { name: of.name })}
            onClick={() => setEdited('new')}
          >
            {words('add')}
          </Button>
        ) : null
      }
    >
      {rows.length === 0 ? (
        <Text c="dimmed">{t('noRows')}</Text>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        <div className="profile-table" tabIndex={0}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                {columns.map((one) => (
                  <Table.Th key={one.id}>{one.name}</Table.Th>
                ))}
                {isOpenToChange ? <Table.Td /> : null}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row, index) => (
                <Table.Tr key={row.id}>
                  {columns.map((one) => (
                    <Table.Td key={one.id}>
                      <CustomValue of={one} value={row.columns[one.internal_name]} />
                    </Table.Td>
                  ))}
                  {isOpenToChange ? (
                    <Table.Td w={90}>
                      <Group gap={0} wrap="nowrap" justify="flex-end" className="no-print">
                        <EditButton
                          label={t('edit', { name: t('row', { number: index + 1 }) })}
                          onClick={() => setEdited(row)}
                        />
                        <RemoveButton
                          kind={`tables/${of.internal_name}/rows`}
                          recordId={row.id}
                          label={t('remove', { name: t('row', { number: index + 1 }) })}
                        />
                      </Group>
                    </Table.Td>
                  ) : null}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      {edited ? <RowDialog of={of} columns={columns} row={edited} onClose={() => setEdited(undefined)} /> : null}
    </Section>
  )
}

function RowDialog(props: {
  of: EmployeeTable
  columns: ColumnOfEmployeeTable[]
  row: Row | 'new'
  onClose: () => void
}) {
  const { of, columns, row, onClose } = props
  const t = useTexts(profileTexts)
  const { id } = useProfile()
  const params = { employee_id: id, employee_table_id: of.internal_name }
  const create = useWrite('POST /employees/{employee_id}/tables/{employee_table_id}/rows', {
    done: t('added'),
    onSuccess: onClose,
  })
  const change = useWrite('PUT /employees/{employee_id}/tables/{employee_table_id}/rows/{id}', {
    done: t('saved'),
    onSuccess: onClose,
  })
  const isNew = row === 'new'
  const start = startUnder('columns', columns, isNew ? {} : row.columns)
  return (
    <Dialog opened onClose={onClose} title={isNew ? t('addRow', { name: of.name }) : of.name} size="lg">
      <Form
        fields={fieldsUnder('columns', columns)}
        labels={labelsUnder('columns', columns)}
        of={columns.map(({ internal_name }) => `columns.${internal_name}`)}
        start={start}
        error={isNew ? create.error : change.error}
        isBusy={create.isPending || change.isPending}
        onCancel={onClose}
        onSubmit={(values, changed) => {
          const sent = withoutPrefix('columns', isNew ? values : changed)
          const body = { columns: Object.fromEntries(Object.entries(sent).filter(([, one]) => !isNew || one !== null)) }
          if (isNew) create.mutate({ params, body })
          else if (Object.keys(changed).length > 0) change.mutate({ params: { ...params, id: row.id }, body })
          else onClose()
        }}
      />
    </Dialog>
  )
}
