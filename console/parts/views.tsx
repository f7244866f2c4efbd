import { Button, Group, Menu, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useRead, useWrite } from '../client/data.ts'
import { Icon } from '../shell/icons.tsx'
import { navigate, placeNowAt, useFilters } from '../shell/router.tsx'
import { common } from '../texts/common.ts'
import { texts, useTexts } from '../texts/i18n.ts'
import { Dialog } from './dialog.tsx'
import { useProblems } from './problems.ts'

/** Saved views: the filters in the address of a screen under a name. The service stores them per user. */

const viewTexts = texts({
  en: {
    views: 'Saved views',
    save: 'Save view…',
    name: 'View name',
    remove: 'Delete view {name}',
    empty: 'No saved views yet',
  },
  de: {
    views: 'Gespeicherte Ansichten',
    save: 'Ansicht speichern …',
    name: 'Name der Ansicht',
    remove: 'Ansicht „{name}“ löschen',
    empty: 'Noch keine gespeicherten Ansichten',
  },
  uk: {
    views: 'Збережені подання',
    save: 'Зберегти подання…',
    name: 'Назва подання',
    remove: 'Видалити подання «{name}»',
    empty: 'Збережених подань ще немає',
  },
})

export function SavedViews({ screen }: { screen: string }) {
  const t = useTexts(viewTexts)
  const words = useTexts(common)
  const [isOpen, setOpen] = useState(false)
  // Many users never open the list.
  const read = useRead('GET /me/views', {}, { enabled: isOpen, kinds: ['users'] })
  const views = (read.answer?.data ?? []).filter((one) => one.screen === screen)
  const keep = useWrite('PUT /me/views', { touches: ['users'] })
  const { text } = useFilters()
  const [isNaming, setNaming] = useState(false)
  const [name, setName] = useState('')
  const problems = useProblems(keep.error, { name }, { at: isNaming ? ['name'] : [] })
  const save = (event: FormEvent) => {
    event.preventDefault()
    keep.mutate(
      { body: { screen, name: name.trim(), search: text } },
      {
        onSuccess: () => {
          setNaming(false)
          setName('')
        },
      },
    )
  }
  return (
    <>
      <Menu position="bottom-start" onOpen={() => setOpen(true)}>
        <Menu.Target>
          <Button variant="default" leftSection={<Icon name="star" />}>
            {t('views')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {views.length === 0 ? <Menu.Label>{read.answer ? t('empty') : words('loading')}</Menu.Label> : null}
          {views.map((view) => (
            <Group key={view.name} gap={0} wrap="nowrap">
              <Menu.Item onClick={() => navigate(view.search ? `?${view.search}` : placeNowAt().path)}>
                {view.name}
              </Menu.Item>
              <Menu.Item
                w="auto"
                closeMenuOnClick={false}
                aria-label={t('remove', { name: view.name })}
                onClick={() => keep.mutate({ body: { screen, name: view.name, search: null } })}
              >
                <Icon name="close" size={14} />
              </Menu.Item>
            </Group>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<Icon name="plus" />} onClick={() => setNaming(true)}>
            {t('save')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Dialog opened={isNaming} onClose={() => setNaming(false)} title={t('save')}>
        <form onSubmit={save}>
          <TextInput
            data-autofocus
            label={t('name')}
            required
            maxLength={100}
            error={problems.name}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Group justify="flex-end" mt="md">
            <Button type="submit" loading={keep.isPending}>
              {words('save')}
            </Button>
          </Group>
        </form>
      </Dialog>
    </>
  )
}
