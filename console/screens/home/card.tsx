import { Group, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { Loading, WhenLoaded } from '../../parts/states.tsx'
import { Icon, type IconName } from '../../shell/icons.tsx'
import { Link } from '../../shell/router.tsx'
import { useTexts } from '../../texts/i18n.ts'
import { homeTexts } from './texts.ts'

type CardRead<T> = Parameters<typeof WhenLoaded<T>>[0]['of']

/** A card with a summary and a link to its screen. */
export function Card<T>(props: {
  title: string
  icon: IconName
  /** The screen's address; undefined if the user may not open it. */
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
      <WhenLoaded of={of} loading={<Loading rows={3} height={36} />}>
        {children}
      </WhenLoaded>
    </section>
  )
}

export const Nothing = ({ text }: { text: string }) => (
  <Text c="dimmed" size="sm" py={6}>
    {text}
  </Text>
)
