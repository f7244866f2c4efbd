import assert from 'node:assert/strict'

/** Reads the traces that a collector receives as protobuf (`ExportTraceServiceRequest`), as far as tests need them. */

type Attributes = Record<string, string | number>

export type Span = {
  traceId: string
  spanId: string
  parentSpanId: string
  name: string
  kind: number
  start: bigint
  end: bigint
  status: number
  attributes: Attributes
  resource: Attributes
}

/** The fields of a message by their numbers: numbers as bigint, all else as bytes. */
type Message = Map<number, (bigint | Buffer)[]>

function messageIn(bytes: Buffer): Message {
  const message: Message = new Map()
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++)
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  const fixed = (length: number) => {
    assert.ok(at + length <= bytes.length, 'a field is cut off')
    at += length
    return bytes.subarray(at - length, at)
  }
  while (at < bytes.length) {
    const tag = Number(varint())
    const read: Record<number, () => bigint | Buffer> = {
      0: varint,
      1: () => fixed(8).readBigUInt64LE(),
      2: () => fixed(Number(varint())),
      5: () => BigInt(fixed(4).readUInt32LE()),
    }
    const value = read[tag & 7]?.()
    assert.ok(value !== undefined, `wire type ${tag & 7} is known`)
    message.set(tag >> 3, [...(message.get(tag >> 3) ?? []), value])
  }
  return message
}

const messages = (of: Message, field: number) => (of.get(field) ?? []).map((one) => messageIn(one as Buffer))
const bytesIn = (of: Message, field: number) => (of.get(field)?.[0] ?? Buffer.alloc(0)) as Buffer
const numberIn = (of: Message, field: number) => (of.get(field)?.[0] ?? 0n) as bigint

const attributesIn = (of: Message, field: number): Attributes =>
  Object.fromEntries(
    messages(of, field).map((one) => {
      const [value = new Map()] = messages(one, 2)
      const [text, whole] = [value.get(1)?.[0], value.get(3)?.[0]]
      return [bytesIn(one, 1).toString(), text === undefined ? Number(whole) : String(text)]
    }),
  )

export const spansIn = (request: Buffer): Span[] =>
  messages(messageIn(request), 1).flatMap((group) => {
    const resource = Object.assign({}, ...messages(group, 1).map((one) => attributesIn(one, 1)))
    return messages(group, 2)
      .flatMap((scope) => messages(scope, 2))
      .map((span) => ({
        traceId: bytesIn(span, 1).toString('hex'),
        spanId: bytesIn(span, 2).toString('hex'),
        parentSpanId: bytesIn(span, 4).toString('hex'),
        name: bytesIn(span, 5).toString(),
        kind: Number(numberIn(span, 6)),
        start: numberIn(span, 7),
        end: numberIn(span, 8),
        status: messages(span, 15).map((status) => Number(numberIn(status, 3)))[0] ?? 0,
        attributes: attributesIn(span, 9),
        resource,
      }))
  })
