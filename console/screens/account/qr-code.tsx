import { useMemo } from 'react'
import { qrCode } from '../../parts/qr.ts'

/** A text as a QR code: one path of squares. It is always dark on light, because phones expect that. */
export default function QrCode({ text, label, width }: { text: string; label: string; width: number }) {
  const { size, path } = useMemo(() => {
    const grid = qrCode(text)
    const squares = grid.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    return { size: grid.length, path: squares.join('') }
  }, [text])
  return (
    <svg
      role="img"
      aria-label={label}
      className="account-qr"
      viewBox={`0 0 ${size} ${size}`}
      width={width}
      height={width}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
