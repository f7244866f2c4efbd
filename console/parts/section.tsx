import { Group, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

/** A part of a screen with a heading, and its actions next to it. */
export function Section(props: { title: string; actions?: ReactNode; children: ReactNode; note?: ReactNode }) {
  const { title, actions, children, note } = props
  const id = useId()
  return (
    <section className="section" aria-labelledby={id}>
      <Group justify="space-between" gap="xs" mih={36} mb={note ? 0 : 'xs'}>
        <Title order={2} size="h4" id={id}>
          {title}
        </Title>
        {actions ? (
          <Group gap={4} className="section-actions no-print">
            {actions}
          </Group>
        ) : null}
      </Group>
      {note ? (
        <Text size="sm" c="dimmed" mb="sm">
          {note}
        </Text>
      ) : null}
      {children}
    </section>
  )
}

/** Names with their values, side by side if there is room. Empty values are shown as a dash. */
export function Pairs({ of }: { of: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="pairs">
      {of.map(([name, value]) => (
        <div key={name} className="pair">
          <dt>{name}</dt>
          <dd>{value === null || value === undefined || value === '' ? '–' : value}</dd>
        </div>
      ))}
    </dl>
  )
}
