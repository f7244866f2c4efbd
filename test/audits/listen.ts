import { type ClientRequest, get, type IncomingMessage } from 'node:http'

export type Event = { id: string | undefined; event: string; data: any }

/** A stream of events, read as slowly as its reader asks for them. */
export type Listening = {
  status: number
  headers: IncomingMessage['headers']
  /** The next event, or comment; undefined when the stream is over. */
  next: () => Promise<Event | undefined>
  /** Reads on until this comes, which it must. */
  until: (isIt: (event: Event) => boolean) => Promise<Event>
  /** All that was sent. */
  text: () => string
  hangUp: () => void
}

/** Listens to an address for events. */
export async function listen(url: string, headers: Record<string, string>): Promise<Listening> {
  let asked!: ClientRequest
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    asked = get(url, { headers: { accept: 'text/event-stream', ...headers }, agent: false }, resolve).on(
      'error',
      reject,
    )
  })
  answer.setEncoding('utf8')
  const chunks = answer[Symbol.asyncIterator]()
  let [text, rest] = ['', '']
  const listening: Listening = {
    status: answer.statusCode as number,
    headers: answer.headers,
    text: () => text,
    hangUp: () => asked.destroy(),
    async next() {
      for (;;) {
        const end = rest.indexOf('\n\n')
        if (end >= 0) {
          const block = rest.slice(0, end)
          rest = rest.slice(end + 2)
          return eventIn(block)
        }
        // A connection that breaks off ends the stream as well.
        const { done, value } = await chunks.next().catch(() => ({ done: true, value: '' }))
        if (done) return undefined
        text += value
        rest += value
      }
    },
    async until(isIt) {
      for (;;) {
        const event = await listening.next()
        if (!event) throw new Error(`The stream has ended: ${text.slice(-500)}`)
        if (isIt(event)) return event
      }
    },
  }
  return listening
}

function eventIn(block: string): Event {
  const fields = new Map(block.split('\n').map((line) => /^(\w*): ?(.*)$/s.exec(line)?.slice(1) as [string, string]))
  const data = fields.get('data')
  return {
    id: fields.get('id'),
    event: fields.get('event') ?? [...fields.keys()].join(),
    data: data === undefined ? undefined : JSON.parse(data),
  }
}
