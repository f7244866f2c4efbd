import { Skeleton, Text } from '@mantine/core'
import { useElementSize, useMergedRef } from '@mantine/hooks'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'
import { Face, nameOf, type PersonSummary } from '../../parts/person.tsx'
import { Link } from '../../shell/router.tsx'

const WIDTH = 200
const HEIGHT = 188

export type CardOf = PersonSummary & {
  id: number
  position: { name: string } | null
  department: { name: string } | null
}

/** The same people as cards with pictures, side by side if there is room. */
export function Cards(props: {
  total: number
  rowAt: (index: number) => CardOf | undefined
  onView: (first: number, last: number) => void
}) {
  const { total, rowAt, onView } = props
  const { ref, width } = useElementSize<HTMLUListElement>()
  const list = useRef<HTMLUListElement>(null)
  const both = useMergedRef(ref, list)
  const [top, setTop] = useState(0)
  const lanes = Math.max(1, Math.floor(width / WIDTH))
  const rows = useWindowVirtualizer({
    count: Math.ceil(total / lanes),
    estimateSize: () => HEIGHT,
    overscan: 3,
    scrollMargin: top,
  })
  const items = rows.getVirtualItems()
  const first = (items[0]?.index ?? 0) * lanes
  const last = Math.min(total, ((items.at(-1)?.index ?? 0) + 1) * lanes) - 1
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), [])
  useLayoutEffect(() => onView(first, Math.max(0, last)), [first, last, onView])
  const shown = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
  return (
    <ul ref={both} className="cards" style={{ height: rows.getTotalSize() }}>
      {shown.map((index) => {
        const row = rowAt(index)
        const place = {
          inlineSize: `calc(${100 / lanes}% - 12px)`,
          insetInlineStart: `${((index % lanes) * 100) / lanes}%`,
          insetBlockStart: Math.floor(index / lanes) * HEIGHT,
        }
        return (
          <li key={index} className="card" style={place} aria-setsize={total} aria-posinset={index + 1}>
            {row ? (
              <Link to={`/people/${row.id}`} className="card-link">
                <Face of={row} size={72} />
                <Text fw={600} truncate maw="100%">
                  {nameOf(row)}
                </Text>
                <Text size="sm" c="dimmed" truncate maw="100%">
                  {row.position?.name}
                </Text>
                <Text size="sm" c="dimmed" truncate maw="100%">
                  {row.department?.name}
                </Text>
              </Link>
            ) : (
              <Skeleton height="100%" />
            )}
          </li>
        )
      })}
    </ul>
  )
}
