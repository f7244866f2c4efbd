import { Alert, Anchor, SegmentedControl, Stack, Table, Text, Title } from '@mantine/core'
import { addressOf } from '../../client/client.ts'
import { useRead, useWrite } from '../../client/data.ts'
import { useMay } from '../../client/me.ts'
import type { ErasurePart, ErasurePreview } from '../../client/operations.ts'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { nameOf } from '../../parts/person.tsx'
import { distinctionOf, RecordSelect } from '../../parts/record-select.tsx'
import { WhenLoaded } from '../../parts/states.tsx'
import { useFilters } from '../../shell/router.tsx'
import { useTexts } from '../../texts/i18n.ts'
import { useKindName } from '../../texts/kind-names.ts'
import { Retention } from './retention.tsx'
import { retentionTexts } from './retention-texts.ts'
import { settingsTexts } from './texts.ts'

/**
 * Retention rules, people whose data is due, and the erasure of one person. It shows a preview, and the user types the
 * name to confirm.
 */
export function ErasureSection() {
  const t = useTexts(settingsTexts)
  const own = useTexts(retentionTexts)
  const may = useMay()
  return (
    <Stack maw={720} gap="xl">
      {may('organisation:read') ? <Retention /> : null}
      <section aria-label={own('one')}>
        <Stack gap="sm">
          <Title order={2} size="h4">
            {own('one')}
          </Title>
          <Alert color="yellow">{t('eraseText')}</Alert>
          <OnePerson />
        </Stack>
      </section>
    </Stack>
  )
}

function OnePerson() {
  const t = useTexts(settingsTexts)
  const may = useMay()
  const { get, set } = useFilters()
  const kinds = [
    ...(may('employees:write') ? [{ value: 'employee', label: t('erasePerson') }] : []),
    ...(may('recruitment:write') ? [{ value: 'candidate', label: t('eraseCandidate') }] : []),
  ]
  const kind = get('kind') || (kinds[0]?.value ?? 'employee')
  const id = get('id')
  return (
    <>
      {kinds.length > 1 ? (
        <SegmentedControl
          aria-label={t('eraseWhom')}
          data={kinds}
          value={kind}
          onChange={(value) => set({ kind: value === kinds[0]?.value ? undefined : value, id: undefined })}
        />
      ) : null}
      <RecordSelect
        key={kind}
        table={kind === 'candidate' ? 'candidates' : 'employees'}
        isEverybody
        label={t('eraseWhom')}
        value={Number(id) || null}
        onChange={(chosen) => set({ id: chosen === null ? undefined : String(chosen) })}
      />
      {id ? kind === 'candidate' ? <OfCandidate key={id} id={id} /> : <OfEmployee key={id} id={id} /> : null}
    </>
  )
}

function OfEmployee({ id }: { id: string }) {
  const t = useTexts(settingsTexts)
  const { set } = useFilters()
  const person = useRead('GET /employees/{id}', { params: { id } })
  const preview = useRead('GET /employees/{id}/erasure', { params: { id } })
  const name = person.answer ? nameOf(person.answer.data) : ''
  const erase = useWrite('DELETE /employees/{id}', {
    done: t('erased', { name }),
    isFinal: true,
    optimistic: () => {
      set({ id: undefined }, { replace: true })
      return () => set({ id }, { replace: true })
    },
  })
  return (
    <Preview
      of={preview}
      name={name}
      apart={person.answer ? distinctionOf(person.answer.data) : ''}
      exported={addressOf('/employees/{id}/export', { params: { id } })}
      isBusy={erase.isPending}
      onErase={() => erase.mutate({ params: { id }, query: { erase: true } })}
    />
  )
}

function OfCandidate({ id }: { id: string }) {
  const t = useTexts(settingsTexts)
  const { set } = useFilters()
  const person = useRead('GET /recruitment/candidates/{id}', { params: { id } })
  const preview = useRead('GET /recruitment/candidates/{id}/erasure', { params: { id } })
  const name = person.answer?.data.full_name ?? ''
  const erase = useWrite('DELETE /recruitment/candidates/{id}', {
    done: t('erased', { name }),
    isFinal: true,
    optimistic: () => {
      set({ id: undefined }, { replace: true })
      return () => set({ id }, { replace: true })
    },
  })
  return (
    <Preview
      of={preview}
      name={name}
      apart={person.answer ? distinctionOf(person.answer.data) : ''}
      exported={addressOf('/recruitment/candidates/{id}/export', { params: { id } })}
      isBusy={erase.isPending}
      onErase={() => erase.mutate({ params: { id } })}
    />
  )
}

function Preview(props: {
  of: ReturnType<typeof useRead<'GET /employees/{id}/erasure'>>
  name: string
  /** Distinguishes people with the same name. */
  apart: string
  exported: string
  isBusy: boolean
  onErase: () => void
}) {
  const { of, name, apart, exported, isBusy, onErase } = props
  const t = useTexts(settingsTexts)
  return (
    <WhenLoaded of={of}>
      {({ data }: { data: ErasurePreview }) => (
        <Stack>
          <div>
            <Title order={2} size="h4">
              {name}
            </Title>
            <Text c="dimmed">{apart}</Text>
          </div>
          <PartList title={t('goes')} of={data.goes} />
          {data.stays.length > 0 ? <PartList title={t('stays')} of={data.stays} /> : <Text>{t('nothingStays')}</Text>}
          <Anchor href={exported} download>
            {t('export')}
          </Anchor>
          <div>
            <ConfirmButton
              label={t('eraseNow')}
              title={t('eraseTitle', { name })}
              text={
                <>
                  <Text fw={600}>{`${name} · ${apart}`}</Text>
                  <Text>{t('eraseText')}</Text>
                </>
              }
              typed={{ label: t('eraseType', { name }), text: name }}
              isBusy={isBusy}
              button={{ color: 'red.9', variant: 'filled', disabled: name === '' }}
              onConfirm={onErase}
            />
          </div>
        </Stack>
      )}
    </WhenLoaded>
  )
}

function PartList({ title, of }: { title: string; of: readonly ErasurePart[] }) {
  const t = useTexts(settingsTexts)
  const kindName = useKindName()
  const hasWhy = of.some(({ reason }) => reason)
  return (
    <section aria-label={title}>
      <Title order={3} size="h5">
        {title}
      </Title>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('records')}</Table.Th>
            <Table.Th ta="end">{t('count')}</Table.Th>
            {hasWhy ? <Table.Th>{t('why')}</Table.Th> : null}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {of.map(({ what, as, count, reason }) => (
            <Table.Tr key={`${what} ${as}`}>
              <Table.Td>{kindName(what)}</Table.Td>
              <Table.Td ta="end">{count}</Table.Td>
              {hasWhy ? <Table.Td>{reason && t(`why_${reason}`)}</Table.Td> : null}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}
