import { Badge, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useRead, useWrite } from '../../client/data.ts'
import { CreateAssetAssignment, ReturnAsset } from '../../client/fields/assets.ts'
import type { Asset } from '../../client/operations.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { Section } from '../../parts/section.tsx'
import { WhenLoaded } from '../../parts/states.tsx'
import { Icon } from '../../shell/icons.tsx'
import { today, useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useValueName } from '../../texts/names.ts'
import { StatementButton, StatementPanel } from '../leave/statement.tsx'
import { useProfile } from './shared.ts'
import { profileTexts } from './texts.ts'

/** The company's assets that the employee has on the chosen day. */
export function Assets() {
  const t = useTexts(profileTexts)
  const { day } = useFormats()
  const { id, asOf, mayChange } = useProfile()
  const params = { employee_id: id }
  const read = useRead(
    'GET /employees/{employee_id}/assets',
    { params, query: { per_page: 200, ...(asOf ? { on: asOf } : {}) } },
    { kinds: ['asset_assignments'], keepPrevious: true },
  )
  const [open, setOpen] = useState<'new' | Asset>()
  const isOpenToChange = mayChange('assets:write')
  return (
    <Section
      title={t('assets')}
      actions={
        isOpenToChange ? (
          <Button variant="default" size="compact-md" leftSection={<Icon name="plus" />} onClick={() => setOpen('new')}>
            {t('giveAsset')}
          </Button>
        ) : null
      }
    >
      <WhenLoaded of={read}>
        {({ data }) =>
          data.length === 0 ? (
            <Text c="dimmed">{t('assetsEmpty')}</Text>
          ) : (
            <ul className="profile-list">
              {data.map((one) => (
                <li key={one.id} className="profile-line">
                  <div className="profile-line-words">
                    <Group gap="sm">
                      <Text fw={600}>{one.name}</Text>
                      {one.state === 'lost' ? <Badge color="red">{t('assetLost')}</Badge> : null}
                    </Group>
                    <Text size="sm" c="dimmed">
                      {[
                        one.code,
                        one.serial_number,
                        one.assignment && t('since', { day: day(one.assignment.issued_on) }),
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                    </Text>
                  </div>
                  {isOpenToChange && one.assignment && !one.assignment.returned_on ? (
                    <Button
                      variant="subtle"
                      size="compact-md"
                      aria-label={t('takeBackOf', { name: one.name })}
                      onClick={() => setOpen(one)}
                    >
                      {t('takeBack')}
                    </Button>
                  ) : null}
                </li>
              ))}
            </ul>
          )
        }
      </WhenLoaded>
      {open === 'new' ? (
        <AssignAsset onClose={() => setOpen(undefined)} />
      ) : open ? (
        <ReturnAssetDialog of={open} onClose={() => setOpen(undefined)} />
      ) : null}
    </Section>
  )
}

function AssignAsset({ onClose }: { onClose: () => void }) {
  const t = useTexts(profileTexts)
  const { id } = useProfile()
  const save = useWrite('POST /asset_assignments', {
    done: t('given'),
    touches: ['assets'],
    onSuccess: onClose,
  })
  return (
    <Dialog opened onClose={onClose} title={t('giveAsset')}>
      <Form
        fields={CreateAssetAssignment}
        of={['asset_id', 'issued_on']}
        start={{ issued_on: today() }}
        labels={{ issued_on: t('issuedOn') }}
        error={save.error}
        isBusy={save.isPending}
        onCancel={onClose}
        onSubmit={(values) => save.mutate({ body: { ...values, user_id: id } as never })}
      />
    </Dialog>
  )
}

function ReturnAssetDialog({ of, onClose }: { of: Asset; onClose: () => void }) {
  const t = useTexts(profileTexts)
  const save = useWrite('POST /asset_assignments/{id}/return', {
    done: t('takenBack'),
    touches: ['assets'],
    onSuccess: onClose,
  })
  return (
    <Dialog opened onClose={onClose} title={t('takeBackOf', { name: of.name })}>
      <Form
        fields={ReturnAsset}
        of={['returned_on']}
        start={{ returned_on: today() }}
        error={save.error}
        isBusy={save.isPending}
        onCancel={onClose}
        submitLabel={t('takeBack')}
        onSubmit={(values) => save.mutate({ params: { id: of.assignment?.id ?? 0 }, body: values })}
      />
    </Dialog>
  )
}

const COLOURS = { pending: 'yellow', approved: 'cadre', rejected: 'red', withdrawn: 'gray' }

/** The balance of each leave type, and the latest requests. */
export function Leave() {
  const t = useTexts(profileTexts)
  const { days } = useFormats()
  const valueName = useValueName()
  const { id, asOf } = useProfile()
  const balances = useRead(
    'GET /employees/{employee_id}/leave_balances',
    { params: { employee_id: id }, query: { as_of: asOf || today() } },
    { kinds: ['leave_requests', 'leave_adjustments'], keepPrevious: true },
  )
  const requests = useRead('GET /leave_requests', { query: { employee_id: id, sort: '-starts_on', per_page: 20 } })
  return (
    <Stack gap="md">
      <Section title={t('balances')}>
        <WhenLoaded of={balances}>
          {({ data }) => (
            <SimpleGrid cols={{ base: 2, sm: 4 }}>
              {data.map((one) => {
                // Externally counted leave has no balance, so the days taken are shown.
                const isTaken = one.leave_type_policy.type === 'external' && one.balance <= 0
                const amount = t(one.leave_type.unit === 'hours' ? 'balanceHours' : 'balance', {
                  count: Math.round((isTaken ? Math.abs(one.balance) : one.balance) * 100) / 100,
                })
                return (
                  <div key={one.id}>
                    <Text size="sm" c="dimmed">
                      {one.leave_type.name}
                    </Text>
                    <Text fw={700} size="xl">
                      {isTaken ? t('taken', { amount }) : amount}
                    </Text>
                    <Text size="sm" c="dimmed">
                      {one.leave_type_policy.name}
                    </Text>
                    <StatementButton leaveTypeId={one.leave_type.id} name={one.leave_type.name} />
                  </div>
                )
              })}
            </SimpleGrid>
          )}
        </WhenLoaded>
        <StatementPanel
          employeeId={id}
          name={(type) => balances.answer?.data.find((one) => one.leave_type.id === type)?.leave_type.name ?? ''}
        />
      </Section>
      <Section title={t('requests')}>
        <WhenLoaded of={requests}>
          {({ data }) =>
            data.length === 0 ? (
              <Text c="dimmed">{t('requestsEmpty')}</Text>
            ) : (
              <ul className="profile-list">
                {data.map((one) => (
                  <li key={one.id} className="profile-line">
                    <div className="profile-line-words">
                      <Text fw={600}>{one.leave_type}</Text>
                      <Text size="sm" c="dimmed">
                        {days(one.starts_on, one.ends_on)} ·{' '}
                        {t(one.tracking_time_in === 'hours' ? 'balanceHours' : 'balance', { count: one.amount })}
                      </Text>
                    </div>
                    <Badge color={COLOURS[one.state]}>{valueName(one.state)}</Badge>
                  </li>
                ))}
              </ul>
            )
          }
        </WhenLoaded>
      </Section>
    </Stack>
  )
}
