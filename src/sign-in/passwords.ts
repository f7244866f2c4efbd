import * as crypto from 'node:crypto'
import { fold } from '../engine/format.ts'
import { type FieldProblem, unavailable, wrong } from '../engine/problem.ts'
import { COMMON } from './common-passwords.ts'

/** Passwords: what they must be like, and how they are kept. Length counts, rules about signs do not. */

const SHORTEST = 10
export const LONGEST_PASSWORD = 256

/** What a guess costs: 19 MiB and two passes (OWASP), some 50 ms. Hashes of other costs are made anew when used. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 }
const [SALT, TAG] = [16, 32]

/** How many are counted out at a time, and how many may wait for it: memory and processors are for others, too. */
const [AT_ONCE, WAITING] = [4, 100]

type Whose = { email: string | null; name: string | null }

/** What is wrong with a new password; nothing is asked of its characters. */
export function weaknesses(password: string, { email, name }: Whose): FieldProblem[] {
  const text = fold(password)
  const fail = (code: string, message: string) => [wrong('password', code, message)]
  if ([...password].length < SHORTEST) return fail('too_short', `needs ${SHORTEST} characters at least`)
  if (isCommon(text)) return fail('too_common', 'is one of those that are tried first: take several unrelated words')
  const own = [...(email?.split('@') ?? []).flatMap((part) => part.split(/[._+-]/)), ...(name?.split(/\s+/) ?? [])]
  // Short parts are in many words; a longer one may be in a password that is long enough without it.
  const held = [...new Set(own.map(fold))].filter((part) => [...part].length >= 4 && text.includes(part))
  const rest = held.reduce((left, part) => left.replaceAll(part, ''), text)
  return held.length > 0 && [...rest].length < SHORTEST
    ? fail('too_personal', 'must not be made of the name or the e-mail address')
    : []
}

const LEET: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

function isCommon(text: string): boolean {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '')
  if (new Set(plain).size < 5 || isRow(plain)) return true
  const unleeted = plain.replace(/[013457@$!]/g, (sign) => LEET[sign] as string)
  // As it stands, and read as letters: with the digits and signs around it, and between its words, taken away.
  return [plain, unleeted].some((one) => {
    const words = one.match(/[a-z]+/g)
    return words === null ? /^[\d\W_]+$/.test(one) : words.every(isMadeOfCommon)
  })
}

/** Is it nothing but common words, one behind the other? */
function isMadeOfCommon(word: string): boolean {
  const reached = [true]
  for (let end = 1; end <= word.length; end++)
    reached[end] = reached.some((known, start) => known && start < end && COMMON.has(word.slice(start, end)))
  return reached[word.length] === true
}

/** Neighbours all along: 1234567890, abcdefghij, and back. */
const isRow = (text: string) => {
  const codes = [...text].map((one) => one.codePointAt(0) as number)
  const steps = new Set(codes.slice(1).map((code, place) => code - (codes[place] as number)))
  return [...steps].filter((step) => Math.abs(step) > 1).length <= 1 && steps.size <= 2
}

let running = 0
const queue: (() => void)[] = []

/** Runs one of the few derivations that may run at a time. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (queue.length >= WAITING) throw unavailable('Too many people sign in at the same time; try again in a moment')
    await new Promise<void>((go) => queue.push(go))
  } else running++
  try {
    return await work()
  } finally {
    const next = queue.shift()
    if (next) next()
    else running--
  }
}

type Cost = typeof COST

const derive = (password: string, nonce: Buffer, cost: Cost, tagLength: number, look = () => {}) =>
  inTurn(
    () =>
      new Promise<Buffer>((done, fail) => {
        look()
        if (!crypto.argon2) return fail(new Error('Passwords need Node 24.7 or newer'))
        const message = password.normalize('NFKC')
        crypto.argon2('argon2id', { message, nonce, tagLength, ...cost }, (error, tag) =>
          error ? fail(error) : done(tag),
        )
      }),
  )

const plain64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
const parametersOf = ({ memory, passes, parallelism }: Cost) => `m=${memory},t=${passes},p=${parallelism}`

/** A password as it is kept: the PHC string of argon2id. */
export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.randomBytes(SALT)
  const tag = await derive(password, salt, COST, TAG)
  return `$argon2id$v=19$${parametersOf(COST)}$${plain64(salt)}$${plain64(tag)}`
}

/** Compared with where there is nothing to compare with: that somebody is unknown must not be told by the time. */
const NOBODYS = `$argon2id$v=19$${parametersOf(COST)}$${plain64(crypto.randomBytes(SALT))}$${plain64(crypto.randomBytes(TAG))}`

const KEPT = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]+)$/

/** Is it the password? Costs the same whether there is one to compare with or not. `look` may refuse when its turn has come. */
export async function isPassword(password: string, kept: string | null, look?: () => void): Promise<boolean> {
  const parts = KEPT.exec(kept || NOBODYS)
  if (!parts) throw new Error('A password is kept in a way that is not known')
  const [memory, passes, parallelism] = parts.slice(1, 4).map(Number) as [number, number, number]
  const [salt, tag] = parts.slice(4).map((text) => Buffer.from(text, 'base64')) as [Buffer, Buffer]
  const found = await derive(password, salt, { memory, passes, parallelism }, tag.length, look)
  return crypto.timingSafeEqual(found, tag) && Boolean(kept)
}
