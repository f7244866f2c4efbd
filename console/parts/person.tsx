import { Avatar, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ownPath } from '../client/client.ts'
import { Link } from '../shell/router.tsx'

/** A person in the usual form: picture or initials, name, and a line of text. */

export type PersonSummary = {
  id?: number
  full_name?: string | null
  first_name?: string | null
  last_name?: string | null
  avatar_url?: string | null
}

export const nameOf = ({ full_name, first_name, last_name }: PersonSummary) =>
  full_name ?? [first_name, last_name].filter(Boolean).join(' ')

const initialsOf = (name: string) =>
  name
    .split(/\s+/)
    .map((word) => word[0] ?? '')
    .filter((_, index, all) => index === 0 || index === all.length - 1)
    .join('')
    .toUpperCase()

/** Only pictures from our own service. Generated initials are drawn here instead. */
export function pictureOf(url: string | null | undefined): string | null {
  return url && !url.includes('/avatars/initials/') ? ownPath(url) : null
}

const COLOURS = ['cadre', 'blue', 'grape', 'orange', 'pink', 'indigo', 'teal', 'red']

export function Face({ of, size = 32 }: { of: PersonSummary; size?: number }) {
  const name = nameOf(of)
  const colour = COLOURS[[...name].reduce((sum, one) => sum + (one.codePointAt(0) ?? 0), 0) % COLOURS.length]
  return (
    <Avatar
      src={pictureOf(of.avatar_url)}
      size={size}
      radius={size}
      color={colour ?? 'cadre'}
      alt=""
      aria-hidden="true"
    >
      {initialsOf(name)}
    </Avatar>
  )
}

export function PersonLine({
  of,
  beneath,
  isWhole = false,
  isLink = true,
  size = 32,
}: {
  of: PersonSummary
  beneath?: ReactNode
  /** Do not shorten the line of text. */
  isWhole?: boolean
  isLink?: boolean
  size?: number
}) {
  const name = nameOf(of)
  return (
    <Group gap="sm" wrap="nowrap" miw={0}>
      <Face of={of} size={size} />
      <div className="person-words">
        {isLink && of.id !== undefined ? (
          <Link to={`/people/${of.id}`} className="person-name">
            {name}
          </Link>
        ) : (
          <span className="person-name">{name}</span>
        )}
        {beneath ? (
          <Text size="xs" c="dimmed" truncate={!isWhole} component="div">
            {beneath}
          </Text>
        ) : null}
      </div>
    </Group>
  )
}
