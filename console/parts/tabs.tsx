import { Badge } from '@mantine/core'
import { type RefObject, useEffect, useRef } from 'react'
import { Link } from '../shell/router.tsx'

/** On a phone the open tab may be outside the visible part of the strip. This scrolls it to the middle. */
export function useOpenInView(strip: RefObject<HTMLElement | null>, open: string, at: string) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another tab is opened
  useEffect(() => {
    const [around, within] = [strip.current, strip.current?.querySelector(open)].map((one) =>
      one?.getBoundingClientRect(),
    )
    if (around && within) strip.current?.scrollBy(within.x + within.width / 2 - around.x - around.width / 2, 0)
  }, [at])
}

/** The tabs of a screen, each with its own address. */
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
  useOpenInView(list, '[aria-current]', `${at} ${parts.map(({ count }) => count)}`)
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
