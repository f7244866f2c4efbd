import { Group, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { Loading, Shown } from '../../parts/states.tsx'
import { Icon, type IconName } from '../../shell/icons.tsx'
import { Link } from '../../shell/router.tsx'
import { useTexts } from '../../texts/i18n.ts'
import { homeTexts } from './texts.ts'

type CardRead<T> = Parameters<typeof Shown<T>>[0]['of']

/** One thing to know at a glance, and the way to the screen that has all of it. */
export function Card<T>(props: {
  title: string
  icon: IconName
  /** Where all of it is; nothing where the person may not go there. */
  to?: string | undefined
  note?: ReactNode
  of: CardRead<T>
  children: (answer: T) => ReactNode
}) {
  const { title, icon, to, note, of, children } = props
  const t = useTexts(homeTexts)
  const id = useId()
  return (
    <section className="section home-card" aria-labelledby={id}>
      <Group justify="space-between" wrap="nowrap" mb="xs" gap="xs">
        <Group gap="xs" wrap="nowrap" miw={0}>
          <Icon name={icon} />
          <Title order={2} size="h5" id={id}>
            {title}
          </Title>
        </Group>
        {to ? (
          <Link to={to} className="home-all" aria-label={t('allOf', { name: title })}>
            {t('all')}
          </Link>
        ) : null}
      </Group>
      {note ? (
        <Text size="sm" c="dimmed" mb={6}>
          {note}
        </Text>
      ) : null}
      <Shown of={of} loading={<Loading rows={3} height={36} />}>
        {children}
      </Shown>
    </section>
  )
}

export const Nothing = ({ text }: { text: string }) => (
  <Text c="dimmed" size="sm" py={6}>
    {text}
  </Text>
)
