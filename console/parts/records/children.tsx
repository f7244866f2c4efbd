import { ActionIcon, Button, Group, Stack, Table, Text, Title, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { useRead, useWrite } from '../../client/data.ts'
import { Icon } from '../../shell/icons.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useKindName } from '../../texts/kind-names.ts'
import { useFieldName } from '../../texts/names.ts'
import { Dialog } from '../dialog.tsx'
import { Failed, Loading } from '../states.tsx'
import { ChangeRecord, NewRecord, type Params } from './forms.tsx'
import type { AnyList, ChildKind, SettingsRecord } from './kinds.ts'
import { nameOf, shownOf, useShownValue } from './values.tsx'

/** The child records of a record, with a dialog for each. */
export function ChildRecords(props: { part: ChildKind; record: SettingsRecord; params: Params; mayWrite: boolean }) {
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
  const kept = { kind: part, path, params: isBelow ? params : {}, within: record, onDone: close }
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
              <ChildRecords
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
