import { useElementSize } from '@mantine/hooks'
import { scaleLinear, scaleTime } from '@visx/scale'
import { AreaClosed, LinePath } from '@visx/shape'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { performanceTexts } from './texts.ts'

export type Point = { day: string; value: number }

const HEIGHT = 240
const EDGE = { top: 16, right: 16, bottom: 28 }
/** The width of a digit beside the chart, roughly. */
const LETTER = 7

/** Results over time, with the target. The table below has the same numbers. */
export function ResultsChart(props: {
  title: string
  points: readonly Point[]
  target: number | null
  format: (value: number) => string
  /** The format for the axis, where there is little room. */
  formatShort: (value: number) => string
}) {
  const { title, points, target, format, formatShort } = props
  const t = useTexts(performanceTexts)
  const { day } = useFormats()
  const { ref, width } = useElementSize()
  const days = points.map((one) => new Date(one.day).getTime())
  const values = [...points.map(({ value }) => value), ...(target === null ? [] : [target])]
  const [first = 0, last = 0] = [Math.min(...days), Math.max(...days)]
  const [least, most] = [Math.min(...values, 0), Math.max(...values)]
  const y = scaleLinear({
    domain: [least, most === least ? least + 1 : most],
    range: [HEIGHT - EDGE.bottom, EDGE.top],
    nice: 4,
  })
  const ticks = y.ticks(4).map((value) => ({ value, words: formatShort(value) }))
  const start = Math.max(...ticks.map(({ words }) => words.length)) * LETTER + 16
  const x = scaleTime({
    domain: first === last ? [first - 86_400_000, last + 86_400_000] : [first, last],
    range: [start, Math.max(start + 1, width - EDGE.right)],
  })
  const left = (point: Point) => x(new Date(point.day)) ?? 0
  const top = (point: Point) => y(point.value) ?? 0
  const right = width - EDGE.right
  const ends = points.length > 1 ? [points[0] as Point, points.at(-1) as Point] : points
  return (
    <div ref={ref} className="performance-chart">
      {width > 0 ? (
        <svg width={width} height={HEIGHT} role="img" aria-label={t('chart', { title })}>
          {ticks.map(({ value, words }) => (
            <g key={value}>
              <line x1={start} x2={right} y1={y(value)} y2={y(value)} className="performance-grid" />
              <text x={start - 8} y={y(value)} dy="0.32em" textAnchor="end" className="performance-tick">
                {words}
              </text>
            </g>
          ))}
          <AreaClosed data={[...points]} x={left} y={top} yScale={y} className="performance-area" />
          <LinePath data={[...points]} x={left} y={top} className="performance-line" />
          {points.length <= 40
            ? points.map((point) => (
                <circle
                  key={`${point.day} ${point.value}`}
                  cx={left(point)}
                  cy={top(point)}
                  r={4}
                  className="performance-dot"
                >
                  <title>{`${day(point.day)}: ${format(point.value)}`}</title>
                </circle>
              ))
            : null}
          {target === null ? null : (
            <g>
              <line x1={start} x2={right} y1={y(target)} y2={y(target)} className="performance-target" />
              <text x={right} y={(y(target) ?? 0) - 6} textAnchor="end" className="performance-tick">
                {`${t('target')} ${format(target)}`}
              </text>
            </g>
          )}
          {ends.map((point, index) => (
            <text
              key={point.day}
              x={left(point)}
              y={HEIGHT - 8}
              textAnchor={points.length === 1 ? 'middle' : index === 0 ? 'start' : 'end'}
              className="performance-tick"
            >
              {day(point.day)}
            </text>
          ))}
        </svg>
      ) : null}
    </div>
  )
}
