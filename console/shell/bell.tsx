import { ActionIcon, Indicator, Popover, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useEffect, useState } from 'react'
import { onChange } from '../client/following.ts'
import { useMe } from '../client/me.ts'
import { useTexts } from '../texts/i18n.ts'
import { Icon } from './icons.tsx'
import { shellTexts } from './texts.ts'

type News = { number: number; who: string; what: string }

/** What others have changed while the page was open, as far as the person may see it. */
export function Bell() {
  const t = useTexts(shellTexts)
  const { user } = useMe()
  const [news, setNews] = useState<News[]>([])
  const [seen, setSeen] = useState(0)
  useEffect(
    () =>
      onChange(({ number, resource, actor }) => {
        if (actor.kind === 'person' && actor.id === user.id) return
        const one = { number, who: actor.name ?? actor.kind, what: resource.replaceAll('_', ' ') }
        setNews((before) => [one, ...before].slice(0, 20))
      }),
    [user.id],
  )
  const fresh = news.filter(({ number }) => number > seen).length
  return (
    <Popover position="bottom-end" width={300} trapFocus onOpen={() => setSeen(news[0]?.number ?? 0)}>
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" size="lg">
          <VisuallyHidden>{t('notifications')}</VisuallyHidden>
          <Indicator disabled={fresh === 0} label={fresh} size={16} offset={2} inline>
            <Icon name="bell" />
          </Indicator>
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('notifications')}>
        {news.length === 0 ? <Text c="dimmed">{t('noNotifications')}</Text> : null}
        <Stack gap={6}>
          {news.map(({ number, who, what }) => (
            <Text key={number} size="sm">
              {t('changedBy', { who, what })}
            </Text>
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
