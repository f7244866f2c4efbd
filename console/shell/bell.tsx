import { ActionIcon, Indicator, Popover, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useEffect, useState } from 'react'
import { call, ledger } from '../client/client.ts'
import { type Change, onChange } from '../client/following.ts'
import { useMe } from '../client/me.ts'
import { useFormats } from '../texts/formats.ts'
import { useTexts } from '../texts/i18n.ts'
import { useFieldName } from '../texts/names.ts'
import { Icon } from './icons.tsx'
import { Link } from './router.tsx'
import { shellTexts } from './texts.ts'

/** How far back it tells what had happened before the page was opened. */
const BACK = 100
const MOST = 15

type Told = Change & { changed_at: string }
type News = {
  id: string
  last: number
  who: string
  what: string
  count: number
  at: string
  employee: number | undefined
}

/** One line for all that one request did. */
function newsOf(changes: readonly Told[], ownId: number): News[] {
  const byRequest = Map.groupBy(
    changes.filter(({ actor }) => !(actor.kind === 'person' && actor.id === ownId)),
    ({ request_id }) => request_id,
  )
  return [...byRequest]
    .map(([id, all]) => {
      const [first] = all as [Told]
      const { resource, record_id, actor, owner } = first
      const of = owner ?? { resource, id: record_id }
      return {
        id,
        last: Math.max(...all.map(({ number }) => number)),
        who: actor.name ?? actor.kind,
        what: resource,
        count: all.length,
        at: first.changed_at,
        employee: of.resource === 'employees' && first.action !== 'delete' ? of.id : undefined,
      }
    })
    .sort((a, b) => b.last - a.last)
    .slice(0, MOST)
}

/** What others have changed lately, as far as the person may see it. */
export function Bell() {
  const t = useTexts(shellTexts)
  const inWords = useFieldName()
  const { ago } = useFormats()
  const { user } = useMe()
  const [changes, setChanges] = useState<readonly Told[]>([])
  const [seen, setSeen] = useState(ledger.last)
  useEffect(() => onChange((one) => setChanges((before) => [...before, one as Told].slice(-BACK))), [])

  const open = async () => {
    setSeen(ledger.last)
    const { body } = await call('GET /changes', { query: { since: Math.max(0, ledger.last - BACK), limit: BACK } })
    setChanges(body.data as unknown as Told[])
  }
  const news = newsOf(changes, user.id)
  const fresh = news.filter(({ last }) => last > seen).length
  return (
    <Popover position="bottom-end" width={320} trapFocus onOpen={() => void open().catch(() => undefined)}>
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" size="lg">
          <VisuallyHidden>{t('notifications')}</VisuallyHidden>
          <Indicator disabled={fresh === 0} label={fresh} size={16} offset={2} inline>
            <Icon name="bell" />
          </Indicator>
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('notifications')} mah="70vh" className="bell">
        {news.length === 0 ? <Text c="dimmed">{t('noNotifications')}</Text> : null}
        <Stack gap="sm">
          {news.map(({ id, who, what, count, at, employee }) => {
            const text = t('changedBy', { who, what: inWords(what), count })
            return (
              <div key={id}>
                {employee ? (
                  <Link to={`/people/${employee}`} className="bell-link">
                    {text}
                  </Link>
                ) : (
                  <Text size="sm">{text}</Text>
                )}
                <Text size="xs" c="dimmed">
                  {ago(at)}
                </Text>
              </div>
            )
          })}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
