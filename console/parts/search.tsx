import { ActionIcon, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Icon } from '../shell/icons.tsx'
import { useFilters } from '../shell/router.tsx'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/i18n.ts'

/**
 * A search field, stored in the address as `q`. The `/` key moves the focus here. `hint` is the placeholder if the
 * label is too long for it.
 */
export function SearchBox({ label, hint = label, name = 'q' }: { label: string; hint?: string; name?: string }) {
  const t = useTexts(common)
  const { get, set } = useFilters()
  const given = get(name)
  const [words, setWords] = useState(given)
  const sent = useRef(given)
  // Going back, or opening a saved view, changes the search.
  useEffect(() => {
    if (given !== sent.current) setWords(given)
    sent.current = given
  }, [given])
  useEffect(() => {
    if (words === sent.current) return
    const timer = setTimeout(() => {
      sent.current = words
      set({ [name]: words }, { replace: true })
    }, 250)
    return () => clearTimeout(timer)
  }, [words, name, set])
  return (
    <TextInput
      data-page-search
      type="search"
      aria-label={label}
      placeholder={hint}
      leftSection={<Icon name="search" />}
      rightSection={
        words ? (
          <ActionIcon variant="subtle" color="gray" aria-label={t('clear')} onClick={() => setWords('')}>
            <Icon name="close" size={14} />
          </ActionIcon>
        ) : null
      }
      value={words}
      onChange={(event) => setWords(event.currentTarget.value)}
      className="search-box"
    />
  )
}
