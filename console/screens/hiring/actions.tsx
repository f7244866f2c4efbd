import { ActionIcon, Button, Group, Menu, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { asBaseTag, BASE, call } from '../../client/client.ts'
import { ownRequest, refresh, useWrite } from '../../client/data.ts'
import { useMay, useMayForAll, useMe } from '../../client/me.ts'
import { notifyDone, notifyFailed } from '../../client/notices.ts'
import type { Vacancy } from '../../client/operations.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { useBaseTag } from '../../parts/form.tsx'
import { PartLinks } from '../../parts/tabs.tsx'
import { Icon, type IconName } from '../../shell/icons.tsx'
import { Link, navigate } from '../../shell/router.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/i18n.ts'
import { useValueName } from '../../texts/names.ts'
import { hiringTexts } from './texts.ts'

type State = Vacancy['state']

export function AllVacancies() {
  const t = useTexts(hiringTexts)
  return (
    <Link to="/hiring" className="board-back no-print">
      <Icon name="left" size={14} />
      {t('all')}
    </Link>
  )
}

/** The two tabs of a vacancy. */
export function VacancyParts({ id, at }: { id: number; at: 'board' | 'details' }) {
  const t = useTexts(hiringTexts)
  const parts = [
    { to: `/hiring/${id}`, name: t('boardPart') },
    { to: `/hiring/${id}/details`, name: t('details') },
  ]
  return <PartLinks label={t('parts')} parts={parts} at={parts[at === 'board' ? 0 : 1]?.to ?? ''} />
}

/** The path of a vacancy on the careers page. */
export const careersPath = (id: number, accountId: number) => `${BASE}/careers/${id}?account=${accountId}`
export const isPublic = ({ state, post_on_careers }: Vacancy) => state === 'opened' && post_on_careers

const KINDS = ['vacancies']
const ICONS: Partial<Record<State, IconName>> = { held: 'minus', closed: 'check', cancelled: 'close', archived: 'file' }

/** The actions of a vacancy. Only the states that the service allows are offered, and each change can be undone. */
export function VacancyActions({
  of,
  etag,
  isEditing,
}: {
  of: Vacancy
  etag: string | undefined
  isEditing?: boolean
}) {
  const t = useTexts(hiringTexts)
  const may = useMay()
  // New vacancies and candidates belong to no employee yet.
  const mayForAll = useMayForAll()
  const { account } = useMe()
  const valueName = useValueName()
  const [isRemoving, setRemoving] = useState(false)
  const move = useWrite('PUT /recruitment/vacancies/{id}', {
    done: ({ data }) => t('stateDone', { name: data.title, state: valueName(data.state) }),
  })
  const { id, state, next_states } = of
  if (!may('recruitment:write'))
    return isPublic(of) ? (
      <Button
        variant="default"
        component="a"
        href={careersPath(id, account.id)}
        target="_blank"
        leftSection={<Icon name="link" />}
      >
        {t('careersPage')}
      </Button>
    ) : null
  const go = (next: State) => move.mutate({ params: { id }, body: { state: next }, ifMatch: asBaseTag(etag) })
  const opening = t(state === 'drafting' ? 'doOpen' : state === 'held' ? 'doResume' : 'doReopen')
  const words: Partial<Record<State, string>> = {
    held: t('doHold'),
    closed: t('doClose'),
    cancelled: t('doCancel'),
    archived: t('doArchive'),
  }
  const others = (next_states as State[]).filter((next) => next !== 'opened')
  return (
    <>
      {isEditing ? null : (
        <Button
          variant="default"
          leftSection={<Icon name="edit" />}
          onClick={() => navigate(`/hiring/${id}/details?edit=1`)}
        >
          {t('edit')}
        </Button>
      )}
      {next_states.includes('opened') ? (
        <Button loading={move.isPending} onClick={() => go('opened')}>
          {opening}
        </Button>
      ) : null}
      <Menu position="bottom-end" width={240} shadow="md">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t('vacancyActions')}>
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {others.map((next) => (
            <Menu.Item
              key={next}
              leftSection={<Icon name={ICONS[next] ?? 'right'} size={16} />}
              onClick={() => go(next)}
            >
              {words[next] ?? valueName(next)}
            </Menu.Item>
          ))}
          {others.length > 0 ? <Menu.Divider /> : null}
          {isPublic(of) ? (
            <Menu.Item
              component="a"
              href={careersPath(id, account.id)}
              target="_blank"
              leftSection={<Icon name="link" size={16} />}
            >
              {t('careersPage')}
            </Menu.Item>
          ) : null}
          {mayForAll('recruitment:write') ? (
            <Menu.Item leftSection={<Icon name="plus" size={16} />} onClick={() => navigate(`/hiring/new?copy=${id}`)}>
              {t('copy')}
            </Menu.Item>
          ) : null}
          <Menu.Item color="red" leftSection={<Icon name="trash" size={16} />} onClick={() => setRemoving(true)}>
            {t('remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isRemoving ? <Remove of={of} etag={etag} onClose={() => setRemoving(false)} /> : null}
    </>
  )
}

function Remove({ of, etag, onClose }: { of: Vacancy; etag: string | undefined; onClose: () => void }) {
  const t = useTexts(hiringTexts)
  const say = useTexts(common)
  const [isBusy, setBusy] = useState(false)
  const ifMatch = useBaseTag(etag)
  const remove = async () => {
    setBusy(true)
    try {
      const { requestId } = await call('DELETE /recruitment/vacancies/{id}', {
        params: { id: of.id },
        ifMatch,
        requestId: ownRequest(KINDS),
      })
      // Leave the page before the vacancy is gone, so that it is not requested again.
      navigate('/hiring')
      requestAnimationFrame(() => refresh(KINDS))
      notifyDone(t('removed', { name: of.title }), { requestId, kinds: KINDS })
    } catch (error) {
      notifyFailed(error)
      onClose()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog opened onClose={onClose} title={t('removeTitle', { name: of.title })}>
      <Stack>
        <Text>{of.applications_count > 0 ? t('removeUsed', { count: of.applications_count }) : t('removeText')}</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {say('cancel')}
          </Button>
          <Button color="red.9" loading={isBusy} onClick={() => void remove()}>
            {t('remove')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
