import { Badge } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Link } from '../shell/router.tsx'

/** The parts of a screen, each with its own address. */
export function PartLinks({
  label,
  parts,
  at,
}: {
  label: string
  parts: readonly { to: string; name: string; count?: number | undefined }[]
  at: string
}) {
  const list = useRef<HTMLElement>(null)
  // On a phone the one that is open may stand outside of what is seen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another one is open
  useEffect(() => {
    const open = list.current?.querySelector<HTMLElement>('[aria-current]')
    if (list.current && open) list.current.scrollLeft = open.offsetLeft - list.current.offsetLeft - 40
  }, [at])
  if (parts.length < 2) return null
  return (
    <nav ref={list} aria-label={label} className="part-links no-print">
      {parts.map(({ to, name, count }) => (
        <Link key={to} to={to} className="part-link" aria-current={to === at ? 'page' : undefined}>
          {name}
          {count ? (
            <Badge size="sm" ml={6}>
              {count}
            </Badge>
          ) : null}
        </Link>
      ))}
    </nav>
  )
}
