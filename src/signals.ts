import { constants } from 'node:os'

/** Signals that tell to stop. A terminal that closes says so more than once, and some supervisors after another: no haste. */
const [HASTY, CALM] = [['SIGINT', 'SIGTERM'] as const, ['SIGHUP'] as const]

type Signal = (typeof HASTY | typeof CALM)[number]

/**
 * The system spares the first process of a container all signals that it does not listen to: it would wait for its
 * database, or migrate, until it is killed. Any other they end at once, also while it has no time to listen.
 */
export function hearAsFirst(): void {
  if (process.pid === 1) for (const signal of [...HASTY, ...CALM]) process.on(signal, endBy)
}

/** From now on there is something to finish. The second that is sent in haste ends it all the same, whichever the first was. */
export function finishOnSignals(finish: () => void, { isHurried }: { isHurried: boolean }): void {
  let orders = 0
  for (const signal of HASTY) hear(signal, () => (isHurried && ++orders > 1 ? endBy(signal) : finish()))
  for (const signal of CALM) hear(signal, finish)
}

function hear(signal: Signal, listen: () => void): void {
  process.off(signal, endBy)
  process.on(signal, listen)
}

/** As if nobody had listened; whom that does not end ends with the code that a shell would tell. */
function endBy(signal: Signal): void {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
  process.exit(128 + constants.signals[signal])
}
