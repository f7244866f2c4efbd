import * as crypto from 'node:crypto'
import { foldCase } from '../../engine/format.ts'
import { type FieldProblem, unavailable, wrong } from '../../engine/problem.ts'
import { COMMON, LONGEST_WORD } from './common-passwords.ts'

/** Passwords: what they must be like, and how they are kept. Length counts, rules about signs do not. */

const SHORTEST = 10
export const LONGEST_PASSWORD = 256

/** What a guess costs: 19 MiB and two passes (OWASP), some 50 ms. Hashes of other costs are made anew when used. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 }
const [SALT, TAG] = [16, 32]

/** How many are counted out at a time, and how many may wait for it: memory and processors are for others, too. */
let [atOnce, waiting] = [4, 100]

/** Several processes of one machine share them. */
export function divideDerivations(processes: number): void {
  ;[atOnce, waiting] = [atOnce, waiting].map((all) => Math.max(1, Math.floor(all / processes))) as [number, number]
}

type PasswordOwner = { email: string | null; name: string | null }

/** What is wrong with a new password; nothing is asked of its characters. */
export function weaknesses(password: string, { email, name }: PasswordOwner): FieldProblem[] {
  const text = foldCase(password)
  const fail = (code: string, message: string) => [wrong('password', code, message)]
  if ([...password].length < SHORTEST) return fail('too_short', `must have at least ${SHORTEST} characters`)
  if (isCommon(text)) return fail('too_common', 'is too common. Use several unrelated words')
  const own = [...(email?.split('@') ?? []).flatMap((part) => part.split(/[._+-]/)), ...(name?.split(/\s+/) ?? [])]
  // Short parts are in many words; a longer one may be in a password that is long enough without it.
  const held = [...new Set(own.map(foldCase))].filter((part) => [...part].length >= 4 && text.includes(part))
  const rest = held.reduce((left, part) => left.replaceAll(part, ''), text)
  return held.length > 0 && [...rest].length < SHORTEST
    ? fail('too_personal', 'must not consist of the name or the e-mail address')
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

/** Digits and signs that stand around words; those of other kinds, such as pictures, are as good as letters. */
const BETWEEN = /^[\p{N}\p{P}\p{Z}$+<=>^`|~]$/u

function isCommon(text: string): boolean {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '')
  return new Set(plain).size < 5 || isRow(plain) || isWalk(text) || isMadeOfCommon([...plain])
}

/** Is it nothing but common words, one behind the other, with digits and signs for letters, around them or between them? */
function isMadeOfCommon(signs: readonly string[]): boolean {
  const reached = [true]
  const isWord = (from: number, to: number) => {
    const part = signs.slice(from, to)
    return COMMON.has(part.join('')) || COMMON.has(part.map((sign) => LEET[sign] ?? sign).join(''))
  }
  for (let end = 1; end <= signs.length; end++) {
    reached[end] = reached[end - 1] === true && BETWEEN.test(signs[end - 1] as string)
    for (let start = Math.max(0, end - LONGEST_WORD); start < end && !reached[end]; start++)
      reached[end] = reached[start] === true && isWord(start, end)
  }
  return reached[signs.length] === true
}

/** Neighbours all along: 1234567890, abcdefghij, and back. */
const isRow = (text: string) => {
  const codes = [...text].map((one) => one.codePointAt(0) as number)
  const steps = new Set(codes.slice(1).map((code, place) => code - (codes[place] as number)))
  return [...steps].filter((step) => Math.abs(step) > 1).length <= 1 && steps.size <= 2
}

/** Keys as they lie on a desk, row below row. */
const KEYBOARDS = [
  ['1234567890-=', 'qwertyuiop[]', "asdfghjkl;'", 'zxcvbnm,./'],
  ['1234567890ß', 'qwertzuiopü', 'asdfghjklöä', 'yxcvbnm,.-'],
  ['1234567890', 'azertyuiop', 'qsdfghjklm', 'wxcvbn,;:'],
  ['1234567890-=', 'йцукенгшщзхї', 'фівапролджє', 'ячсмитьбю.'],
].map((rows) => new Map(rows.flatMap((row, y) => [...row].map((key, x) => [key, { x, y }] as const))))

/** Is it the way of a finger over the keys, to the next one nearly always? 1q2w3e4r5t, qazwsxedc. */
const isWalk = (text: string) =>
  KEYBOARDS.some((keys) => {
    const places = [...text.replace(/[!@#$%^&*()]/g, (sign) => '1234567890'['!@#$%^&*()'.indexOf(sign)] as string)].map(
      (sign) => keys.get(sign),
    )
    const near = places.slice(1).filter((to, index) => {
      const from = places[index]
      return from && to && Math.abs(from.x - to.x) <= 1 && Math.abs(from.y - to.y) <= 1
    })
    return near.length >= 0.7 * (places.length - 1)
  })

let running = 0
const queue: (() => void)[] = []

/** Runs one of the few derivations that may run at a time. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) {
    if (queue.length >= waiting)
      throw unavailable('Too many people are signing in at the same time. Try again in a moment.')
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
  if (!parts) throw new Error('A stored password has an unknown format')
  const [memory, passes, parallelism] = parts.slice(1, 4).map(Number) as [number, number, number]
  const [salt, tag] = parts.slice(4).map((text) => Buffer.from(text, 'base64')) as [Buffer, Buffer]
  const found = await derive(password, salt, { memory, passes, parallelism }, tag.length, look)
  return crypto.timingSafeEqual(found, tag) && Boolean(kept)
}
