import { Button, Collapse, Group, Stack } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { Icon } from '../shell/icons.tsx'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/i18n.ts'
import { PHONE } from './table.tsx'

/**
 * The filters of a screen, in one line. On a phone only the search is visible; a button shows the rest and counts the
 * active ones.
 */
export function Filters({ search, count, children }: { search?: ReactNode; count: number; children: ReactNode }) {
  const t = useTexts(common)
  const isPhone = useMediaQuery(PHONE)
  const [isOpen, { toggle }] = useDisclosure(false)
  if (!isPhone)
    return (
      <Group gap="xs" className="filters no-print">
        {search}
        {children}
      </Group>
    )
  return (
    <Stack gap="xs" className="no-print">
      <Group gap="xs" wrap="nowrap" className="filters-phone">
        {search}
        <Button variant="default" leftSection={<Icon name="filter" />} onClick={toggle} aria-expanded={isOpen}>
          {count > 0 ? `${t('filters')} (${count})` : t('filters')}
        </Button>
      </Group>
      <Collapse expanded={isOpen}>
        <Stack gap="xs">{children}</Stack>
      </Collapse>
    </Stack>
  )
}
