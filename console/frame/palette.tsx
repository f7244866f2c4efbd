import { Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { Problem, send } from '../client/client.ts'
import { permits, useMay, useMe } from '../client/me.ts'
import { Dialog } from '../parts/dialog.tsx'
import { type Action, useActionsNow } from '../shell/actions.ts'
import { Icon, type IconName } from '../shell/icons.tsx'
import { focusWhenThere, navigate } from '../shell/router.tsx'
import { type Screen, type SectionLink, useScreens } from '../shell/screens.ts'
import { shellTexts } from '../shell/texts.ts'
import { useLocale, useTexts } from '../texts/i18n.ts'
import { useValueName } from '../texts/names.ts'

/** The command palette (Ctrl+K): opens screens, runs actions and finds records. */

type Entry = { id: string; group: string; icon: IconName; name: string; beneath?: string | undefined; run: () => void }
type SearchResult = { kind: string; id: number; title: string; subtitle: string | null; path: string }

/** The address of a search result, or undefined if no screen shows its kind. */
function placeOf({ kind, id, path }: SearchResult, open: readonly Screen[]): string | undefined {
  const screen = open.find(({ shows }) => shows?.includes(kind))
  return screen?.path.replace(/:\w+/, String(id)).replace(/\/\*$/, path)
}

/** The search results of the service; empty if the user may not search. */
function useSearchResults(words: string): SearchResult[] {
  const [asked] = useDebouncedValue(words.trim(), 200)
  const { data } = useQuery({
    queryKey: ['search', asked],
    queryFn: async ({ signal }) => {
      try {
        return (await send<{ data: SearchResult[] }>('GET', '/search', { query: { q: asked } }, signal)).body.data
      } catch (error) {
        if (error instanceof Problem && (error.status === 404 || error.status === 403)) return []
        throw error
      }
    },
    enabled: asked.length > 1,
    placeholderData: (before) => before,
  })
  return asked.length > 1 ? (data ?? []) : []
}

/** For these kinds the service's text next to the name is a value: the state of a vacancy, the type of a field. */
const DESCRIBED_BY_VALUE = /^vacancy$|_field$/

/** The sections of the settings. Their names are loaded when the user searches. */
function useSettingsSections(settings: Screen | undefined, isSearching: boolean): readonly SectionLink[] {
  const locale = useLocale()
  const { permissions } = useMe()
  const { data = [] } = useQuery({
    queryKey: ['settings sections', locale],
    queryFn: async () => (await settings?.sections?.(locale)) ?? [],
    enabled: settings !== undefined && isSearching,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data.filter(({ needs }) => needs.some((one) => permits(permissions, one)))
}

/** `all`: the screens that the user may open. Those of the menu are listed by name. */
export function Palette({ all, onClose }: { all: readonly Screen[]; onClose: () => void }) {
  const t = useTexts(shellTexts)
  const say = t as (key: string) => string
  const may = useMay()
  const { employee } = useMe()
  const list = useId()
  const [words, setWords] = useState('')
  const [current, setCurrent] = useState(0)
  const actions = useActionsNow()
  const found = useSearchResults(words)
  const valueName = useValueName()
  const { quickActions } = useScreens()
  const settings = all.find(({ sections }) => sections)
  const sections = useSettingsSections(settings, words.trim() !== '')
  const typed = words.toLocaleLowerCase().split(/\s+/)
  const has = (...names: string[]) => {
    const searched = names.join(' ').toLocaleLowerCase()
    return typed.every((word) => searched.includes(word))
  }
  const done: (Action & { synonyms: string })[] = quickActions
    .filter(({ isOwn, needs }) => (!isOwn || employee) && (!needs || needs.some(may)))
    .map(({ name, icon, to, focus, synonyms }) => ({
      name: say(name),
      icon,
      synonyms: synonyms ? say(synonyms) : '',
      run: () => {
        navigate(to)
        if (focus) focusWhenThere(focus)
      },
    }))
  const doable = [
    ...actions.map((one) => ({ ...one, synonyms: '' })),
    ...done.filter(({ name }) => !actions.some((one) => one.name === name)),
  ]

  const entries: Entry[] = [
    ...all
      .filter(({ inMenu }) => inMenu)
      .map((one) => ({ ...one, title: say(one.name) }))
      .filter(({ title, synonyms }) => has(title, synonyms ? say(synonyms) : ''))
      .map(({ path, icon, title }) => ({
        id: path,
        group: t('screens'),
        icon,
        name: title,
        run: () => navigate(path),
      })),
    ...(settings && words.trim() !== '' ? sections : [])
      .filter(({ name, path }) => has(name, path.startsWith('/settings/leave_') ? t('leaveWords') : ''))
      .map(({ name, path }) => ({
        id: path,
        group: t('settings'),
        icon: 'settings' as const,
        name,
        run: () => navigate(path),
      })),
    ...doable
      .filter(({ name, synonyms }) => has(name, synonyms))
      .map((one) => ({ id: one.name, group: t('actions'), ...one })),
    ...found.flatMap((one) => {
      const to = placeOf(one, all)
      if (!to) return []
      const icon = all.find(({ shows }) => shows?.includes(one.kind))?.icon ?? 'file'
      const beneath =
        one.subtitle && DESCRIBED_BY_VALUE.test(one.kind) ? valueName(one.subtitle) : (one.subtitle ?? undefined)
      return [
        { id: `${one.kind} ${one.id}`, group: t('found'), icon, name: one.title, beneath, run: () => navigate(to) },
      ]
    }),
  ]
  // biome-ignore lint/correctness/useExhaustiveDependencies: start at the first entry when the search changes
  useEffect(() => setCurrent(0), [words])
  const at = Math.min(current, entries.length - 1)
  const choose = (entry: Entry | undefined) => {
    if (!entry) return
    onClose()
    entry.run()
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setCurrent((at + step + entries.length) % Math.max(1, entries.length))
    else if (event.key === 'Enter') choose(entries[at])
    else return
    event.preventDefault()
  }
  useEffect(() => {
    document.getElementById(`${list}-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [at, list])

  return (
    <Dialog opened onClose={onClose} title={t('paletteTitle')} size="lg" yOffset="10vh" padding="sm">
      <TextInput
        data-autofocus
        role="combobox"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={entries.length > 0 ? `${list}-${at}` : undefined}
        aria-label={t('paletteTitle')}
        placeholder={t('palette')}
        leftSection={<Icon name="search" />}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
        onKeyDown={press}
      />
      <div role="listbox" id={list} aria-label={t('paletteTitle')} className="palette-list">
        {entries.map((entry, index) => (
          <div key={entry.id}>
            {entry.group !== entries[index - 1]?.group ? (
              <Text size="xs" c="dimmed" fw={600} px="sm" pt="xs" aria-hidden="true">
                {entry.group}
              </Text>
            ) : null}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the input keeps the focus and handles the keys */}
            <div
              role="option"
              tabIndex={-1}
              id={`${list}-${index}`}
              aria-selected={index === at}
              className="palette-entry"
              onClick={() => choose(entry)}
              onMouseMove={() => setCurrent(index)}
            >
              <Icon name={entry.icon} />
              <span>{entry.name}</span>
              {entry.beneath ? (
                <Text span size="sm" c="dimmed" truncate>
                  {entry.beneath}
                </Text>
              ) : null}
            </div>
          </div>
        ))}
      </div>
      {entries.length === 0 ? (
        <Text c="dimmed" ta="center" py="md" role="status">
          {t('paletteEmpty', { words })}
        </Text>
      ) : null}
    </Dialog>
  )
}
