import { Badge } from '@mantine/core'
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
  if (parts.length < 2) return null
  return (
    <nav aria-label={label} className="part-links no-print">
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
