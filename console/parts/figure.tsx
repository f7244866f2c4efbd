import { Badge, Paper, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** A number with its label, the state of a request, and a titled box. */

export function Figure({ name, beneath, children }: { name: string; beneath?: string; children: ReactNode }) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text fw={700} size="xl" component="div">
        {children}
      </Text>
      {beneath ? (
        <Text size="xs" c="dimmed">
          {beneath}
        </Text>
      ) : null}
    </div>
  )
}

const COLOURS = {
  pending: 'yellow',
  approved: 'cadre',
  rejected: 'red',
  withdrawn: 'gray',
  unsubmitted: 'gray',
} as const

export function StateBadge({ state, name }: { state: keyof typeof COLOURS; name: string }) {
  return <Badge color={COLOURS[state]}>{name}</Badge>
}

export const Panel = ({ title, children }: { title: string; children: ReactNode }) => (
  <Paper withBorder p="md" component="section" aria-label={title}>
    <Title order={2} size="h4" mb="sm">
      {title}
    </Title>
    {children}
  </Paper>
)
