import { test } from 'node:test'

/** `npm run proofs` sets this: tests try for longer, and try more, than there is time for in `npm test`. */
export const isThorough = process.env.THOROUGH === '1'

/** How many rounds, runs or requests: a few in `npm test`, many in `npm run proofs`. */
export const rounds = (inGate: number, inProofs: number): number => (isThorough ? inProofs : inGate)

/** Is there time for everything? In `npm run proofs`, and in `npm test -- leave`: who asks for a file by name gets all of it. */
export const isLong = isThorough || process.env.LONG_TESTS === '1'

/**
 * A test that the whole gate leaves out, because a shorter one beside it covers the main path. It runs when
 * there is time for everything.
 */
export const longTest = isLong ? test : test.skip

/** A test of rules that know nothing of the engine, in a file that the gate runs on both: there it runs on SQLite alone. */
export const oneEngineTest = isLong || process.env.TEST_ENGINE !== 'postgres' ? test : test.skip
