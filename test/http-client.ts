import { connect, type Socket } from 'node:net'

/**
 * A small HTTP client for tests: one request at a time on each connection, and connections are kept. Tests send tens of
 * thousands of requests, and the client of Node.js computes as much for each as the service does for most answers.
 */
export type RawAnswer = { status: number; headers: Headers; bytes: Buffer }

/** Connections that wait for a request, by the host and port that they lead to. */
const idle = new Map<string, Socket[]>()

export function exchangeBytes(
  address: URL,
  method: string,
  headers: Record<string, string>,
  body: Buffer | undefined,
): Promise<RawAnswer> {
  const lines = [`${method} ${address.pathname}${address.search} HTTP/1.1`]
  if (!Object.keys(headers).some((name) => name.toLowerCase() === 'host')) lines.push(`host: ${address.host}`)
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value))
      throw new TypeError(`${name}: ${JSON.stringify(value)} cannot be sent as a header`)
    lines.push(`${name}: ${value}`)
  }
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  return new Promise((resolve, reject) => {
    const socket = takeConnection(address)
    const answer = new Reading(method)
    const end = () => {
      for (const [event, listener] of Object.entries(listeners)) socket.off(event, listener)
    }
    const fail = (cause: Error) => {
      end()
      socket.destroy()
      reject(new Error(`${method} ${address.pathname}: ${cause.message}`, { cause }))
    }
    const finish = () => {
      end()
      // Who answers before everything was sent need not read the rest.
      if (answer.isLast || socket.writableLength > 0) socket.destroy()
      else keepConnection(address, socket)
      resolve(answer.whole())
    }
    const listeners: Record<string, (...given: any[]) => void> = {
      data(chunk: Buffer) {
        try {
          if (answer.add(chunk)) finish()
        } catch (error) {
          fail(error as Error)
        }
      },
      error: fail,
      close() {
        if (answer.endsWithConnection) finish()
        else fail(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }))
      },
    }
    for (const [event, listener] of Object.entries(listeners)) socket.on(event, listener)
    socket.write(body ? Buffer.concat([head, body]) : head)
  })
}

function takeConnection({ host, hostname, port }: URL): Socket {
  const waiting = idle.get(host)?.pop()
  if (waiting) {
    waiting.ref()
    return waiting
  }
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80), noDelay: true })
  // Between requests nobody else listens.
  socket.on('error', () => {})
  socket.on('close', () => {
    const others = idle.get(host)?.filter((one) => one !== socket) ?? []
    if (others.length > 0) idle.set(host, others)
    else idle.delete(host)
  })
  return socket
}

function keepConnection({ host }: URL, socket: Socket): void {
  if (socket.destroyed || !socket.writable || !socket.readable) return
  // A connection that nobody uses keeps no process.
  socket.unref()
  const others = idle.get(host)
  if (others) others.push(socket)
  else idle.set(host, [socket])
}

/** An answer as its bytes come in. */
class Reading {
  readonly #method: string
  #bytes: Buffer = Buffer.alloc(0)
  #status = 0
  #headers: Headers | undefined
  /** How many bytes the body has, when that is said. */
  #length: number | undefined
  #isChunked = false
  /** The body as far as it has come. */
  readonly #parts: Buffer[] = []
  #taken = 0
  /** No other answer comes on this connection. */
  isLast = false

  constructor(method: string) {
    this.#method = method
  }

  /** The body is whatever comes until the connection is closed. */
  get endsWithConnection(): boolean {
    return this.#headers !== undefined && this.#length === undefined && !this.#isChunked
  }

  /** Takes what has come, and says whether that is all. */
  add(chunk: Buffer): boolean {
    if (this.#headers && !this.#isChunked) return this.#take(chunk)
    this.#bytes = this.#bytes.length > 0 ? Buffer.concat([this.#bytes, chunk]) : chunk
    while (!this.#headers) if (!this.#readHead()) return false
    return this.#isChunked ? this.#readChunks() : this.#take(this.#bytes)
  }

  whole(): RawAnswer {
    return { status: this.#status, headers: this.#headers as Headers, bytes: Buffer.concat(this.#parts) }
  }

  /** Takes a part of a body that is not in chunks. */
  #take(part: Buffer): boolean {
    this.#parts.push(part)
    this.#taken += part.length
    if (this.#length === undefined) return false
    if (this.#taken > this.#length) throw new Error('the answer is longer than it says')
    return this.#taken === this.#length
  }

  /** Reads the head when all of it is there. */
  #readHead(): boolean {
    const end = this.#bytes.indexOf('\r\n\r\n')
    if (end < 0) return false
    const [first = '', ...lines] = this.#bytes.toString('latin1', 0, end).split('\r\n')
    this.#bytes = this.#bytes.subarray(end + 4)
    const [, status] = /^HTTP\/1\.1 (\d{3})(?: |$)/.exec(first) ?? []
    if (!status) throw new Error(`this is no answer: ${first}`)
    this.#status = Number(status)
    // What comes before the answer itself, as "100 Continue" does.
    if (this.#status < 200) return true
    const headers = new Headers()
    for (const line of lines) {
      const colon = line.indexOf(':')
      if (colon < 1) throw new Error(`this is no header: ${line}`)
      headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
    }
    this.#headers = headers
    this.isLast = headers.get('connection')?.toLowerCase() === 'close'
    const length = headers.get('content-length')
    if (this.#method === 'HEAD' || this.#status === 204 || this.#status === 304) this.#length = 0
    else if (headers.get('transfer-encoding') === 'chunked') this.#isChunked = true
    else if (length !== null) this.#length = Number(length)
    return true
  }

  #readChunks(): boolean {
    for (;;) {
      const end = this.#bytes.indexOf('\r\n')
      if (end < 0) return false
      const size = Number.parseInt(this.#bytes.toString('latin1', 0, end), 16)
      if (Number.isNaN(size)) throw new Error('a chunk has no size')
      if (this.#bytes.length < end + 2 + size + 2) return false
      if (size === 0) return true
      this.#parts.push(this.#bytes.subarray(end + 2, end + 2 + size))
      this.#bytes = this.#bytes.subarray(end + 2 + size + 2)
    }
  }
}
