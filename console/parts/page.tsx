import { Group, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { useMeQuery } from '../client/me.ts'

/** The content of a screen. Its title is also the document's title, and gets the focus after navigation. */
export function Page(props: {
  title: string
  before?: ReactNode
  actions?: ReactNode
  children: ReactNode
  isWide?: boolean
}) {
  const { title, before, actions, children, isWide } = props
  const company = useMeQuery().data?.account.name
  useEffect(() => {
    document.title = `${title} · Cadre`
  }, [title])
  return (
    <div className={isWide ? 'page page-wide' : 'page'}>
      {/* Printed pages name the company. */}
      <div className="page-company">{company}</div>
      {before}
      <Group justify="space-between" mb="md" gap="sm" wrap="wrap">
        <Title order={1} size="h2" tabIndex={-1} className="page-title" data-page-title>
          {title}
        </Title>
        {actions ? (
          <Group gap="xs" className="no-print">
            {actions}
          </Group>
        ) : null}
      </Group>
      {children}
    </div>
  )
}
