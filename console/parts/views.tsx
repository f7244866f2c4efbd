import { Button, Group, Menu, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useMe } from '../client/me.ts'
import { Icon } from '../shell/icons.tsx'
import { navigate, placeNowAt, useFilters } from '../shell/router.tsx'
import { common } from '../texts/common.ts'
import { texts, useTexts } from '../texts/i18n.ts'
import { Dialog } from './dialog.tsx'

/** Views that a person has named: what stands in the address of a screen, kept in this browser. */

const viewTexts = texts({
  en: {
    views: 'Saved views',
    save: 'Save this view…',
    name: 'Name of the view',
    remove: 'Remove {name}',
    empty: 'No saved views yet',
  },
  de: {
    views: 'Gespeicherte Ansichten',
    save: 'Diese Ansicht speichern …',
    name: 'Name der Ansicht',
    remove: '{name} entfernen',
    empty: 'Noch keine gespeicherten Ansichten',
  },
  uk: {
    views: 'Збережені подання',
    save: 'Зберегти це подання…',
    name: 'Назва подання',
    remove: 'Вилучити {name}',
    empty: 'Збережених подань ще немає',
  },
})

type View = { name: string; search: string }

/** Something small that this browser keeps for the person: not for what others must see. */
export function useKept<T>(name: string, start: T): [T, (next: T) => void] {
  const { user } = useMe()
  const key = `cadre-${user.id}-${name}`
  const [value, setValue] = useState<T>(() => {
    try {
      return JSON.parse(localStorage.getItem(key) ?? '') as T
    } catch {
      return start
    }
  })
  return [
    value,
    (next) => {
      localStorage.setItem(key, JSON.stringify(next))
      setValue(next)
    },
  ]
}

export function SavedViews({ screen }: { screen: string }) {
  const t = useTexts(viewTexts)
  const words = useTexts(common)
  const [views, setViews] = useKept<View[]>(`views-${screen}`, [])
  const { text } = useFilters()
  const [isNaming, setNaming] = useState(false)
  const [name, setName] = useState('')
  const save = (event: FormEvent) => {
    event.preventDefault()
    setViews([...views.filter((one) => one.name !== name.trim()), { name: name.trim(), search: text }])
    setNaming(false)
    setName('')
  }
  return (
    <>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button variant="default" leftSection={<Icon name="star" />}>
            {t('views')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {views.length === 0 ? <Menu.Label>{t('empty')}</Menu.Label> : null}
          {views.map((view) => (
            <Group key={view.name} gap={0} wrap="nowrap">
              <Menu.Item onClick={() => navigate(view.search ? `?${view.search}` : placeNowAt().path)}>
                {view.name}
              </Menu.Item>
              <Menu.Item
                w="auto"
                closeMenuOnClick={false}
                aria-label={t('remove', { name: view.name })}
                onClick={() => setViews(views.filter((one) => one !== view))}
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
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Group justify="flex-end" mt="md">
            <Button type="submit">{words('save')}</Button>
          </Group>
        </form>
      </Dialog>
    </>
  )
}
