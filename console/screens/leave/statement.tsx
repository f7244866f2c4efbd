import { Button, Group, Stack, Table, Text } from '@mantine/core'
import { useRead } from '../../client/data.ts'
import { Lines } from '../../parts/charts.tsx'
import { SidePanel } from '../../parts/dialog.tsx'
import { WhenLoaded } from '../../parts/states.tsx'
import { Icon } from '../../shell/icons.tsx'
import { useFilters } from '../../shell/router.tsx'
import { dayBefore, today, useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { statementTexts } from './statement-texts.ts'
import { useLeaveWords } from './words.ts'

const KINDS = ['leave_balances', 'leave_requests', 'leave_adjustments', 'leave_policies', 'leave_types']

/** Opens the statement of a balance in a panel at the side. */
export function StatementButton({ leaveTypeId, name }: { leaveTypeId: number; name: string }) {
  const t = useTexts(statementTexts)
  const { set } = useFilters()
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      aria-label={t('openOf', { name })}
      onClick={() => set({ statement: String(leaveTypeId) })}
    >
      {t('open')}
    </Button>
  )
}

/** The statement of a balance, for the year in the address: its figures, its course and each posting. */
export function StatementPanel({ employeeId, name }: { employeeId: number; name: (leaveTypeId: number) => string }) {
  const t = useTexts(statementTexts)
  const { get, set } = useFilters()
  const leaveTypeId = Number(get('statement')) || 0
  const year = /^(19|20|21)\d\d$/.test(get('year')) ? get('year') : today().slice(0, 4)
  return (
    <SidePanel
      opened={leaveTypeId > 0}
      onClose={() => set({ statement: undefined, year: undefined })}
      title={t('title', { name: name(leaveTypeId) })}
      size="lg"
    >
      <Group justify="space-between" mb="sm">
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="left" size={14} />}
          onClick={() => set({ year: String(Number(year) - 1) })}
        >
          {String(Number(year) - 1)}
        </Button>
        <Text fw={600}>{year}</Text>
        <Button
          variant="default"
          size="xs"
          rightSection={<Icon name="right" size={14} />}
          onClick={() => set({ year: String(Number(year) + 1) })}
        >
          {String(Number(year) + 1)}
        </Button>
      </Group>
      {leaveTypeId > 0 ? <Statement employeeId={employeeId} leaveTypeId={leaveTypeId} year={year} /> : null}
    </SidePanel>
  )
}

function Statement({ employeeId, leaveTypeId, year }: { employeeId: number; leaveTypeId: number; year: string }) {
  const t = useTexts(statementTexts)
  const words = useLeaveWords()
  const { day, number } = useFormats()
  const statement = useRead(
    'GET /employees/{employee_id}/leave_balances/{leave_type_id}/statement',
    {
      params: { employee_id: employeeId, leave_type_id: leaveTypeId },
      query: { starts_on: `${year}-01-01`, ends_on: `${year}-12-31` },
    },
    { kinds: KINDS, keepPrevious: true },
  )
  return (
    <WhenLoaded of={statement}>
      {({ data }) => {
        const { movements, opening_balance, closing_balance, unit, starts_on } = data
        const sumOf = (...reasons: string[]) =>
          movements.reduce((sum, one) => (reasons.includes(one.reason) ? sum + one.amount : sum), 0)
        const figures = [
          [t('carriedOver'), opening_balance + sumOf('not_carried_over')],
          [t('given'), sumOf('credit', 'recalculation', 'above_maximum')],
          [t('overtime'), sumOf('overtime')],
          [t('adjusted'), sumOf('adjustment')],
          [t('taken'), sumOf('leave')],
          [t('expired'), sumOf('carry_over_expired', 'overtime_expired')],
          [t('employment_ended'), sumOf('employment_ended')],
          [t('paid_out'), sumOf('paid_out')],
        ] as const
        const balanceAt = (date: string) => movements.findLast((one) => one.date <= date)?.balance ?? opening_balance
        const points = Array.from({ length: 12 }, (_, n) => {
          const month = `${year}-${String(n + 1).padStart(2, '0')}`
          return { label: day(`${month}-01`, { month: 'short' }), values: [balanceAt(`${month}-31`)] }
        })
        return (
          <Stack gap="md">
            <Table aria-label={t('figures')}>
              <Table.Tbody>
                {figures
                  .filter(([, amount]) => amount !== 0)
                  .map(([label, amount]) => (
                    <Table.Tr key={label}>
                      <Table.Th scope="row">{label}</Table.Th>
                      <Table.Td ta="end">{words.amount(amount, unit)}</Table.Td>
                    </Table.Tr>
                  ))}
                <Table.Tr>
                  <Table.Th scope="row">{t('closing')}</Table.Th>
                  <Table.Td ta="end" fw={700}>
                    {words.amount(closing_balance, unit)}
                  </Table.Td>
                </Table.Tr>
              </Table.Tbody>
            </Table>
            <Lines
              label={t('course')}
              points={points}
              series={[{ name: t('balance'), colour: 1 }]}
              format={(value) => number(value)}
            />
            {movements.length === 0 ? (
              <Text c="dimmed">{t('empty')}</Text>
            ) : (
              <Table aria-label={t('movements')} verticalSpacing={6}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('date')}</Table.Th>
                    <Table.Th>{t('reason')}</Table.Th>
                    <Table.Th ta="end">{t('amount')}</Table.Th>
                    <Table.Th ta="end">{t('balance')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  <Table.Tr>
                    <Table.Td colSpan={3}>{t('opening', { day: day(dayBefore(starts_on)) })}</Table.Td>
                    <Table.Td ta="end">{number(opening_balance)}</Table.Td>
                  </Table.Tr>
                  {movements.map((one, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: derived rows have no id
                    <Table.Tr key={index}>
                      <Table.Td>{day(one.date)}</Table.Td>
                      <Table.Td>{one.state === 'pending' ? t('pendingLeave') : t(one.reason as 'credit')}</Table.Td>
                      <Table.Td ta="end">{`${one.amount > 0 ? '+' : ''}${number(one.amount)}`}</Table.Td>
                      <Table.Td ta="end">{number(one.balance)}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            )}
          </Stack>
        )
      }}
    </WhenLoaded>
  )
}
