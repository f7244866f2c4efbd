import { createHmac } from 'node:crypto'
import type { Account } from '../../records/caller.ts'

/**
 * Numbers by which answers are known in place of their ids. Ids are counted up, so they would tell which answers were
 * written together, and in which order people wrote; these tell nothing to who does not have the account's key. They
 * are the ids, shuffled by a Feistel network: each id has one number and each number one id.
 */

const HALF = 23
const MASK = 2 ** HALF - 1
const ROUNDS = [0, 1, 2, 3, 4, 5]

const mix = (key: string, round: number, half: number) =>
  createHmac('sha256', key).update(`review_answers ${round} ${half}`).digest().readUInt32BE() & MASK

export function numberOf({ signing_key }: Account, id: number): number {
  let [left, right] = [Math.floor(id / 2 ** HALF), id & MASK]
  for (const round of ROUNDS) [left, right] = [right, left ^ mix(signing_key, round, right)]
  return left * 2 ** HALF + right + 1
}

/** The id behind a number; of what is no number of an answer, one that there is not. */
export function idOf({ signing_key }: Account, number: number): number {
  const shuffled = number - 1
  if (shuffled >= 2 ** (2 * HALF)) return 0
  let [left, right] = [Math.floor(shuffled / 2 ** HALF), shuffled % 2 ** HALF]
  for (const round of ROUNDS.toReversed()) [left, right] = [right ^ mix(signing_key, round, left), left]
  return left * 2 ** HALF + right
}
