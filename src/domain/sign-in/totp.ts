import { createHmac, randomBytes } from 'node:crypto'

/** One-time codes by the clock (RFC 6238), as every authenticator app makes them: SHA-1, six digits, thirty seconds. */

const STEP = 30_000
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** 160 bits, as long as the hash. */
export const newSecret = () => toBase32(randomBytes(20))

/** What an app reads from the QR code. */
export function addressOf(secret: string, issuer: string, email: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`
  return `otpauth://totp/${label}?${new URLSearchParams({ secret, issuer }).toString().replaceAll('+', '%20')}`
}

/** The step of time that a code is of, one before and one after the present included; null when it is of none. */
export function stepOf(secret: string, code: string, now: Date): number | null {
  const present = Math.floor(now.getTime() / STEP)
  return [present, present - 1, present + 1].find((step) => codeAt(secret, step) === code) ?? null
}

/** The code of a step. */
export function codeAt(secret: string, step: number): string {
  const moment = Buffer.alloc(8)
  moment.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', fromBase32(secret)).update(moment).digest()
  const offset = (digest.at(-1) as number) & 15
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** RFC 4648, without padding. */
export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => LETTERS[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
