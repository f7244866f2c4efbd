import { useElementSize } from '@mantine/hooks'
import { scaleBand, scaleLinear } from '@visx/scale'
import { AreaClosed, Bar, LinePath } from '@visx/shape'
import type { ReactNode } from 'react'

/** Simple charts that fill the available width. Each is an image with a label; the table below it has the numbers. */

const HEIGHT = 200
const LEFT = 56
const BELOW = 24
const RIGHT = 12
const ABOVE = 10
/** About the width of a letter in a label. */
const LETTER = 6.5

/** Where to centre a label, so that the edge does not cut it off. */
const within = (width: number, at: number, label: string) => Math.min(at, width - (label.length * LETTER) / 2)

/** The colours of series, in order: `chart-1` and so on in parts.css. */
export type Series = { name: string; colour: 1 | 2 | 3 | 4 | 5 | 6 }

type Point = { label: string; values: readonly number[] }

type Common = {
  /** The title of the chart. */
  label: string
  points: readonly Point[]
  series: readonly Series[]
  format: (value: number) => string
}

function Frame(props: {
  label: string
  height?: number
  series?: readonly Series[]
  children: (width: number) => ReactNode
}) {
  const { label, height = HEIGHT, series = [], children } = props
  const { ref, width } = useElementSize<HTMLDivElement>()
  return (
    <figure className="chart">
      <div ref={ref} style={{ blockSize: height }}>
        {width > 0 ? (
          <svg width={width} height={height} role="img" aria-label={label}>
            {children(width)}
          </svg>
        ) : null}
      </div>
      {series.length > 1 ? (
        <figcaption className="chart-legend">
          {series.map(({ name, colour }) => (
            <span key={name}>
              <i className={`chart-key chart-${colour}`} />
              {name}
            </span>
          ))}
        </figcaption>
      ) : null}
    </figure>
  )
}

/** Horizontal lines with their values, and as many labels below as fit. */
function Axes(props: {
  width: number
  ticks: readonly number[]
  y: (value: number) => number
  x: (label: string) => number
  labels: readonly string[]
  format: (value: number) => string
}) {
  const { width, ticks, y, x, labels, format } = props
  const room = Math.max(...labels.map((label) => label.length)) * LETTER + 8
  const every = Math.ceil((labels.length * room) / Math.max(1, width - LEFT))
  return (
    <>
      {ticks.map((tick) => (
        <g key={tick}>
          <line className="chart-line" x1={LEFT} x2={width} y1={y(tick)} y2={y(tick)} />
          <text className="chart-text" x={LEFT - 8} y={y(tick)} dy="0.32em" textAnchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
      {labels.map((label, index) =>
        // Counted from the end, so that the last label is always shown.
        (labels.length - 1 - index) % every === 0 ? (
          <text
            key={label}
            className="chart-text"
            x={within(width, x(label), label)}
            y={HEIGHT - 6}
            textAnchor="middle"
          >
            {label}
          </text>
        ) : null,
      )}
    </>
  )
}

const bandsOf = (points: readonly Point[], width: number) =>
  scaleBand({ domain: points.map(({ label }) => label), range: [LEFT, width - RIGHT], padding: 0.3 })

/** A line chart with the area between the line and zero filled. */
export function Lines({ label, points, series, format }: Common) {
  const values = points.flatMap((point) => point.values)
  const low = Math.min(0, ...values)
  const high = Math.max(low < 0 ? 0 : 1, ...values)
  return (
    <Frame label={label} series={series}>
      {(width) => {
        const bands = bandsOf(points, width)
        const x = (one: string) => (bands(one) ?? 0) + bands.bandwidth() / 2
        const scale = scaleLinear({ domain: [low, high], range: [HEIGHT - BELOW, ABOVE], nice: true })
        const y = (value: number) => scale(value)
        return (
          <>
            <Axes
              width={width}
              ticks={wholeTicks(scale.ticks(4), values)}
              y={y}
              x={x}
              labels={points.map((point) => point.label)}
              format={format}
            />
            {series.map(({ name, colour }, at) => (
              <g key={name} className={`chart-${colour}`}>
                <AreaClosed
                  data={[...points]}
                  x={(point) => x(point.label)}
                  y={(point) => y(point.values[at] ?? 0)}
                  y0={y(0)}
                  yScale={scale}
                  className="chart-area"
                />
                <LinePath
                  data={[...points]}
                  x={(point) => x(point.label)}
                  y={(point) => y(point.values[at] ?? 0)}
                  className="chart-stroke"
                />
                {points.map((point) => (
                  <circle
                    key={point.label}
                    className="chart-fill"
                    cx={x(point.label)}
                    cy={y(point.values[at] ?? 0)}
                    r={3}
                  >
                    <title>{`${point.label}: ${format(point.values[at] ?? 0)}`}</title>
                  </circle>
                ))}
              </g>
            ))}
          </>
        )
      }}
    </Frame>
  )
}

/** Stacked columns. Negative values go down. */
export function Columns({ label, points, series, format }: Common) {
  const sums = (isUp: boolean) =>
    points.map(({ values }) => values.reduce((sum, one) => (one > 0 === isUp ? sum + one : sum), 0))
  const [low, high] = [Math.min(0, ...sums(false)), Math.max(...sums(true))]
  return (
    <Frame label={label} series={series}>
      {(width) => {
        const bands = bandsOf(points, width)
        const scale = scaleLinear({
          domain: [low, high > 0 || low < 0 ? high : 1],
          range: [HEIGHT - BELOW, ABOVE],
          nice: true,
        })
        return (
          <>
            <Axes
              width={width}
              ticks={wholeTicks(
                scale.ticks(4),
                points.flatMap(({ values }) => values),
              )}
              y={scale}
              x={(one) => (bands(one) ?? 0) + bands.bandwidth() / 2}
              labels={points.map((point) => point.label)}
              format={(value) => format(Math.abs(value))}
            />
            {points.map((point) => {
              let [up, down] = [0, 0]
              return series.map(({ name, colour }, at) => {
                const value = point.values[at] ?? 0
                const from = value > 0 ? up : down
                if (value > 0) up += value
                else down += value
                const [one, other] = [scale(from), scale(from + value)]
                return (
                  <Bar
                    key={`${point.label} ${name}`}
                    className={`chart-fill chart-${colour}`}
                    x={bands(point.label) ?? 0}
                    width={Math.min(48, bands.bandwidth())}
                    transform={`translate(${Math.max(0, (bands.bandwidth() - 48) / 2)} 0)`}
                    y={Math.min(one, other)}
                    height={Math.abs(one - other)}
                    rx={2}
                  >
                    <title>{`${point.label}, ${name}: ${format(Math.abs(value))}`}</title>
                  </Bar>
                )
              })
            })}
          </>
        )
      }}
    </Frame>
  )
}

/** Counts have no ticks between whole numbers. */
const wholeTicks = (ticks: readonly number[], values: readonly number[]) =>
  values.every(Number.isInteger) ? ticks.filter(Number.isInteger) : ticks

export type Spread = {
  name: string
  /** Minimum, lower quartile, median, upper quartile, maximum. */
  values: readonly [number, number, number, number, number]
}

const LINE = 34

/** Box plots: a box from the lower to the upper quartile, with a line at the median. */
export function Spreads(props: { label: string; spreads: readonly Spread[]; format: (value: number) => string }) {
  const { label, spreads, format } = props
  const most = Math.max(...spreads.map(({ values }) => values[4]))
  const least = Math.min(...spreads.map(({ values }) => values[0]))
  const height = spreads.length * LINE + BELOW
  return (
    <Frame label={label} height={height}>
      {(width) => {
        const left = Math.min(150, width * 0.32)
        const x = scaleLinear({
          domain: [least, most > least ? most : least + 1],
          range: [left, width - 24],
          nice: true,
        })
        return (
          <>
            {x.ticks(width > 500 ? 5 : 3).map((tick) => (
              <g key={tick}>
                <line className="chart-line" x1={x(tick)} x2={x(tick)} y1={0} y2={height - BELOW} />
                <text
                  className="chart-text"
                  x={within(width, x(tick), format(tick))}
                  y={height - 6}
                  textAnchor="middle"
                >
                  {format(tick)}
                </text>
              </g>
            ))}
            {spreads.map(({ name, values: [min, low, middle, high, max] }, at) => {
              const y = at * LINE + LINE / 2
              return (
                <g key={name} className="chart-1">
                  <title>{`${name}: ${[min, low, middle, high, max].map(format).join(' · ')}`}</title>
                  <text className="chart-text" x={left - 12} y={y} dy="0.32em" textAnchor="end">
                    {name.length > 20 ? `${name.slice(0, 19)}…` : name}
                  </text>
                  <line className="chart-stroke" x1={x(min)} x2={x(max)} y1={y} y2={y} />
                  <Bar
                    className="chart-box"
                    x={x(low)}
                    y={y - 9}
                    width={Math.max(2, x(high) - x(low))}
                    height={18}
                    rx={3}
                  />
                  <line className="chart-stroke chart-middle" x1={x(middle)} x2={x(middle)} y1={y - 9} y2={y + 9} />
                </g>
              )
            })}
          </>
        )
      }}
    </Frame>
  )
}

/** Horizontal bars with name and number, for data without an order in time. */
export function Rows(props: {
  items: readonly { key: string | number; name: ReactNode; value: number; shown: ReactNode }[]
}) {
  const most = Math.max(1, ...props.items.map(({ value }) => value))
  return (
    <ul className="chart-rows">
      {props.items.map(({ key, name, value, shown }) => (
        <li key={key}>
          <span className="chart-row-name">{name}</span>
          <span className="chart-row-track" aria-hidden="true">
            <span className="chart-row-bar" style={{ inlineSize: `${(value / most) * 100}%` }} />
          </span>
          <span className="chart-row-value">{shown}</span>
        </li>
      ))}
    </ul>
  )
}
