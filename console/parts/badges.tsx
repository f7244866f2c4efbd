import { Badge, Group } from '@mantine/core'

/** Badges beside a name: `<Badges of={['a', 'b']} />`. */
export const Badges = ({ of }: { of: readonly string[] }) => (
  <Group gap={4}>
    {of.map((one) => (
      <Badge key={one}>{one}</Badge>
    ))}
  </Group>
)
