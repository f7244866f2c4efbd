/**
 * Figures in the text format of Prometheus. Series are made when they are first needed and then only added to: on the way
 * of a request that is a look into a map and an addition. What has labels has few of them, and none that a caller makes up.
 */

/** All series of one name, as they stand. Of several processes they are added up, or the largest is taken. */
export type Family = {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly together: 'sum' | 'max'
  /** The name with its labels, as it is written, and its value. */
  readonly samples: readonly (readonly [series: string, value: number])[]
}

export type Labels = Readonly<Record<string, string | number>>

export class Counter {
  value = 0
}

/** How often a duration, in seconds, was at most so long. */
export class Histogram {
  readonly #bounds: readonly number[]
  readonly counts: number[]
  sum = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.counts = new Array(bounds.length + 1).fill(0)
  }

  add(seconds: number): void {
    const bounds = this.#bounds
    let at = 0
    while (at < bounds.length && seconds > (bounds[at] as number)) at++
    ;(this.counts[at] as number)++
    this.sum += seconds
  }

  samples(name: string, labels: Labels): [string, number][] {
    let below = 0
    const buckets = [...this.#bounds, '+Inf'].map((le, at): [string, number] => {
      below += this.counts[at] as number
      return [series(`${name}_bucket`, { ...labels, le }), below]
    })
    return [...buckets, [series(`${name}_sum`, labels), this.sum], [series(`${name}_count`, labels), below]]
  }
}

export const counters = (
  name: string,
  help: string,
  all: Iterable<readonly [Labels, { readonly value: number }]>,
): Family => ({
  name,
  help,
  type: 'counter',
  together: 'sum',
  samples: Array.from(all, ([labels, { value }]) => [series(name, labels), value] as const),
})

export const counter = (name: string, help: string, value: number): Family => counters(name, help, [[{}, { value }]])

export const gauges = (
  name: string,
  help: string,
  all: readonly (readonly [Labels, number])[],
  together: 'sum' | 'max' = 'sum',
): Family => ({
  name,
  help,
  type: 'gauge',
  together,
  samples: all.map(([labels, value]) => [series(name, labels), value]),
})

export const gauge = (name: string, help: string, value: number, together: 'sum' | 'max' = 'sum'): Family =>
  gauges(name, help, [[{}, value]], together)

export const histograms = (name: string, help: string, all: Iterable<readonly [Labels, Histogram]>): Family => ({
  name,
  help,
  type: 'histogram',
  together: 'sum',
  samples: Array.from(all, ([labels, one]) => one.samples(name, labels)).flat(),
})

/** The figures of several processes as those of one. */
export function together(all: readonly (readonly Family[])[]): Family[] {
  const byName = Map.groupBy(all.flat(), ({ name }) => name)
  return [...byName.values()].map((families) => {
    const values = new Map<string, number>()
    const [first] = families as [Family]
    const join = first.together === 'max' ? Math.max : (one: number, other: number) => one + other
    for (const [sample, value] of families.flatMap(({ samples }) => samples)) {
      const before = values.get(sample)
      values.set(sample, before === undefined ? value : join(before, value))
    }
    return { ...first, samples: [...values] }
  })
}

export const inText = (families: readonly Family[]): string =>
  families
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, type, samples }) => {
      const lines = samples.map(([sample, value]) => `${sample} ${value}`)
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('\n')}\n`
    })
    .join('')

function series(name: string, labels: Labels): string {
  const all = Object.entries(labels).map(([label, value]) => `${label}="${escaped(String(value))}"`)
  return all.length > 0 ? `${name}{${all.join(',')}}` : name
}

const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
