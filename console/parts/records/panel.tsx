import { Button, Group, Stack, Table } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useRead } from '../../client/data.ts'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useKindName } from '../../texts/kind-names.ts'
import { useFieldName } from '../../texts/names.ts'
import { CopyField } from '../copy-field.tsx'
import { SidePanel } from '../dialog.tsx'
import { WhenFresh } from '../states.tsx'
import { ChildRecords } from './children.tsx'
import { ChangeRecord, NewRecord } from './forms.tsx'
import type { AnyOne, Preset, RecordForms, RecordKind, SettingsRecord } from './kinds.ts'
import { shownOf, useRecordName, useReferenceNames, useShownValue } from './values.tsx'

export function RecordPanel(props: {
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
        <WhenFresh of={read}>
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
                <ChildRecords
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
        </WhenFresh>
      )}
    </SidePanel>
  )
}

function FactToCopy({ name, value }: { name: string; value: string }) {
  return <CopyField label={useFieldName()(name)} value={value} />
}

/** The values of a record that the user may not change. */
function Facts({ kind, record }: { kind: RecordForms; record: SettingsRecord }) {
  const fieldName = useFieldName()
  const shown = useShownValue()
  const nameFor = useReferenceNames(kind.create, kind.of, [record])
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
