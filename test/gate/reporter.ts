import type { FromWorker } from './pool.ts'

const tell = (message: FromWorker) => void process.send?.(message)

/** A reporter for the runner inside a worker: it sends the result of each test to the parent. */
export default async function* reporter(events: AsyncIterable<{ type: string; data: any }>) {
  let names: string[] = []
  for await (const { type, data } of events) {
    if (type === 'test:start') names = [...names.slice(0, data.nesting), data.name]
    if (type === 'test:diagnostic' && data.level === 'warn') tell({ type: 'stray', error: data.message })
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const { details, nesting, name } = data
    const isSuite = details.type === 'suite'
    const failure = type === 'test:fail' && details.error?.failureType !== 'subtestsFailed' ? details.error : undefined
    const isSkipped = data.skip !== undefined
    if (!isSuite || failure || isSkipped)
      tell({
        type: 'test',
        name: [...names.slice(1, nesting), ...(nesting > 0 ? [name] : [])].join(' > ') || 'loading, before or after',
        outcome: type === 'test:fail' ? 'failed' : isSkipped || data.todo !== undefined ? 'skipped' : 'passed',
        milliseconds: details.duration_ms,
        ...(failure ? { error: textOf(failure) } : {}),
      })
    if (isSuite && nesting === 0) tell({ type: 'file', milliseconds: details.duration_ms })
  }
  yield ''
}

/** The reason itself, not the runner's frame around it; for a property, also what failed within it. */
function textOf(error: any): string {
  const texts: string[] = []
  for (let cause = error.cause ?? error; cause; cause = cause.cause) {
    const stack = String(cause.stack ?? '')
    const places = stack.split('\n').filter((line) => /^\s+at /.test(line) && !/node:|node_modules/.test(line))
    texts.push([cut(String(cause.message ?? cause)), ...places.slice(0, 6)].join('\n'))
  }
  return texts.join('\nCaused by: ')
}

/** The first lines: a comparison of long texts would fill pages. */
function cut(text: string, most = 40): string {
  const lines = text.split('\n').map((line) => (line.length > 500 ? `${line.slice(0, 500)} …` : line))
  const rest = lines.length - most
  return rest > 0 ? [...lines.slice(0, most), `… ${rest} more lines`].join('\n') : lines.join('\n')
}
