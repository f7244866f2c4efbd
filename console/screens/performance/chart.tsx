import { useElementSize } from '@mantine/hooks'
import { scaleLinear, scaleTime } from '@visx/scale'
import { AreaClosed, LinePath } from '@visx/shape'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/i18n.ts'
import { performanceTexts } from './texts.ts'

export type Point = { day: string; value: number }

const HEIGHT = 240
const EDGE = { top: 16, right: 16, bottom: 28, left: 56 }

/** Results over time, against the target. The numbers stand in a table beneath: this is a picture of them. */
export function ResultsChart(props: {
  title: string
  points: readonly Point[]
  target: number | null
  format: (value: number) => string
}) {
  const { title, points, target, format } = props
  const t = useTexts(performanceTexts)
  const { day } = useFormats()
  const { ref, width } = useElementSize()
  const days = points.map((one) => new Date(one.day).getTime())
  const values = [...points.map(({ value }) => value), ...(target === null ? [] : [target])]
  const [first = 0, last = 0] = [Math.min(...days), Math.max(...days)]
  const [least, most] = [Math.min(...values, 0), Math.max(...values)]
  const x = scaleTime({
    domain: first === last ? [first - 86_400_000, last + 86_400_000] : [first, last],
    range: [EDGE.left, Math.max(EDGE.left + 1, width - EDGE.right)],
  })
  const y = scaleLinear({
    domain: [least, most === least ? least + 1 : most],
    range: [HEIGHT - EDGE.bottom, EDGE.top],
    nice: 4,
  })
  const left = (point: Point) => x(new Date(point.day)) ?? 0
  const top = (point: Point) => y(point.value) ?? 0
  const right = width - EDGE.right
  const ends = points.length > 1 ? [points[0] as Point, points.at(-1) as Point] : points
  return (
    <div ref={ref} className="performance-chart">
      {width > 0 ? (
        <svg width={width} height={HEIGHT} role="img" aria-label={t('chart', { title })}>
          {y.ticks(4).map((tick) => (
            <g key={tick}>
              <line x1={EDGE.left} x2={right} y1={y(tick)} y2={y(tick)} className="performance-grid" />
              <text x={EDGE.left - 8} y={y(tick)} dy="0.32em" textAnchor="end" className="performance-tick">
                {format(tick)}
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
              <line x1={EDGE.left} x2={right} y1={y(target)} y2={y(target)} className="performance-target" />
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
