/** `npm run proofs` sets this: tests try for longer, and try more, than there is time for in `npm test`. */
export const isThorough = process.env.THOROUGH === '1'

/** How many rounds, runs or requests: a few in `npm test`, many in `npm run proofs`. */
export const rounds = (inGate: number, inProofs: number): number => (isThorough ? inProofs : inGate)
