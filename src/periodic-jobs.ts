import { setTimeout as pause } from 'node:timers/promises'
import type { FileStore } from './domain/files/store.ts'
import { recountAnnounced } from './domain/leave/recount.ts'
import { fillNextYear } from './domain/organisation/holiday-years.ts'
import { beginVersions } from './domain/organisation/working-patterns.ts'
import { type Ledger, writtenAhead } from './records/ledger.ts'

/** What the service does by itself: in one of its processes, at start and from time to time. */

/** How often what failed after a commit is tried again. */
const RUN_PENDING_EVERY = 60_000

/** How often it is looked whether a new day or year has come. */
const LOOK_AT_YEAR_EVERY = 3_600_000

/** How often it is looked for what unfinished writes have left, and how old it is then. */
const LOOK_FOR_DRAFTS_EVERY = 900_000
const HOUR = 3_600_000

/** So long a start waits for what was left to be done: with a store that is slow it may take minutes. */
const AT_START = 3_000

type ErrorLog = { error: (what: unknown, words: string) => void }

/** Runs all jobs once, then starts their timers. Returns a function that stops them. */
export async function startPeriodicJobs(
  { ledger, files }: { ledger: Ledger; files: FileStore },
  log: ErrorLog,
): Promise<() => void> {
  const runPendingJobs = () =>
    ledger.afterCommit
      .runPending()
      .catch((error) => log.error(error, 'cannot run pending background jobs, trying again in a minute'))
  const greet = async () => {
    await fillNextYear(ledger).catch((error) =>
      log.error(error, 'cannot add the public holidays of the next year, trying again in an hour'),
    )
    await beginVersions(ledger).catch((error) => log.error(error, 'cannot apply new hours of working patterns'))
    await recountAnnounced(ledger).catch((error) =>
      log.error(error, 'cannot recalculate leave after planned changes became visible'),
    )
  }
  const tidy = () =>
    files
      .clearDrafts(new Date(Date.now() - HOUR))
      .catch((error) => log.error(error, 'cannot remove unfinished uploads'))
  const timers = [
    setInterval(runPendingJobs, RUN_PENDING_EVERY),
    setInterval(greet, LOOK_AT_YEAR_EVERY),
    setInterval(tidy, LOOK_FOR_DRAFTS_EVERY),
  ]
  for (const timer of timers) timer.unref()
  const done = Promise.all([tidy(), runPendingJobs(), greet()])
  await Promise.race([done, pause(AT_START, undefined, { ref: false })])
  const ahead = await writtenAhead(ledger)
  if (ahead > 0)
    log.error(
      { seconds: ahead / 1000 },
      'THE SYSTEM CLOCK IS BEHIND the last change in the database by the given seconds. Either the clock is wrong now, or it was wrong when that change was stored. Check the clock of this machine',
    )
  return () => {
    for (const timer of timers) clearInterval(timer)
  }
}
