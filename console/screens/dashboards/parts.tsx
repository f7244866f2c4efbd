import { Button, Group, Paper, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import type { FigureOfGroup } from '../../client/operations.ts'
import { Rows } from '../../parts/charts.tsx'
import { Failed } from '../../parts/states.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { FigureRecords } from './figure-records.tsx'
import { dashboardTexts } from './texts.ts'

/** The parts that all figures use. */

export type ReportRead<T> = {
  answer?: { data: T } | undefined
  error: unknown
  isPlaceholderData: boolean
  refetch: () => unknown
}

export function Part<T>(props: {
  title: string
  text: string
  of: ReportRead<T>
  children: (answer: { data: T }) => ReactNode
  action?: ReactNode
}) {
  const { title, text, of, children, action } = props
  const id = useId()
  return (
    <Paper
      withBorder
      p="md"
      component="section"
      aria-labelledby={id}
      aria-busy={of.isPlaceholderData}
      className="dashboards-part"
    >
      <Group justify="space-between" align="flex-start" mb="sm" gap="sm">
        <div>
          <Title order={2} size="h4" id={id}>
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {text}
          </Text>
        </div>
        {action}
      </Group>
      {of.answer ? (
        <Stack gap="md" className={of.isPlaceholderData ? 'dashboards-stale' : undefined}>
          {children(of.answer)}
        </Stack>
      ) : of.error ? (
        <Failed error={of.error} onRetry={() => void of.refetch()} />
      ) : (
        <Skeleton height={420} />
      )}
    </Paper>
  )
}

/** A key figure. */
export function Tile<T>(props: {
  title: string
  of: ReportRead<T>
  value: (data: T) => ReactNode
  beneath?: (data: T) => ReactNode
}) {
  const { title, of, value, beneath } = props
  return (
    <Paper
      withBorder
      p="md"
      aria-busy={of.isPlaceholderData}
      className={of.isPlaceholderData ? 'dashboards-stale' : undefined}
    >
      <Text size="sm" c="dimmed">
        {title}
      </Text>
      <div className="dashboards-figure">
        {of.answer ? value(of.answer.data) : of.error ? '–' : <Skeleton height={30} width={80} />}
      </div>
      <Text size="xs" c="dimmed" mih={18} component="div">
        {of.answer ? beneath?.(of.answer.data) : null}
      </Text>
    </Paper>
  )
}

export const sum = (values: readonly number[]) => values.reduce((total, one) => total + one, 0)

export const useMonth = () => {
  const { day } = useFormats()
  return (month: string) => day(`${month}-01`, { month: 'short', year: '2-digit' })
}

/** The numbers of a chart as a table. */
export function Numbers(props: {
  caption: string
  heads: readonly string[]
  rows: readonly { key: string; cells: readonly ReactNode[] }[]
}) {
  const { caption, heads, rows } = props
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section className="dashboards-numbers" aria-label={caption} tabIndex={0}>
      <Table verticalSpacing={6} stickyHeader>
        <Table.Thead>
          <Table.Tr>
            {heads.map((head, at) => (
              <Table.Th key={head} className={at > 0 ? 'dashboards-end' : undefined}>
                {head}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ key, cells }) => (
            <Table.Tr key={key}>
              {cells.map((cell, at) =>
                at === 0 ? (
                  <Table.Th key={heads[at]} scope="row" fw={400}>
                    {cell}
                  </Table.Th>
                ) : (
                  <Table.Td key={heads[at]} className="dashboards-end">
                    {cell}
                  </Table.Td>
                ),
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}

/** How many rows are shown at first. */
const FEW = 10

export function Groups({ title, groups }: { title: string; groups: readonly FigureOfGroup[] }) {
  const t = useTexts(dashboardTexts)
  const { number } = useFormats()
  const [isWhole, setWhole] = useState(false)
  if (groups.length === 0) return null
  // Hiding a single row would not save space.
  const shown = isWhole || groups.length <= FEW + 1 ? groups : groups.slice(0, FEW)
  return (
    <div>
      <Title order={3} size="h6" mb="xs">
        {title}
      </Title>
      <Rows
        items={shown.map(({ id, name, count, list }) => ({
          key: id ?? 'none',
          name: name ?? t('none'),
          value: count,
          shown: <FigureRecords list={list}>{number(count)}</FigureRecords>,
        }))}
      />
      {shown.length < groups.length ? (
        <Button variant="subtle" size="compact-sm" mt={6} onClick={() => setWhole(true)}>
          {t('showAll', { count: groups.length })}
        </Button>
      ) : null}
    </div>
  )
}
