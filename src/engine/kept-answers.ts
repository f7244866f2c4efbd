import type { Database } from '../database/database.ts'
import { type Caller, grantsInWords, nameOf } from '../ledger/caller.ts'
import { Footing, lettersOf, type TableVersions } from '../ledger/footing.ts'
import { dateIn, hourAfter } from '../ledger/reader.ts'
import type { Operation } from './operation.ts'
import { type Asker, type Kept, type Outcome, tagOf } from './outcome.ts'

/**
 * Answers that are given again, byte by byte, while the tables that they were made from stand. Whoever is let in is told
 * when each table of their account last changed, so an answer that was made before that is made anew: in every process,
 * whichever of them wrote. What else an answer may follow from is a part of its name: who asks and what they may, the
 * question, the day and the hour.
 */
export class KeptAnswers {
  readonly #known: ReadonlySet<string>
  readonly #most: number
  /** The one that was given longest ago comes first. */
  readonly #answers = new Map<string, Answer>()
  #bytes = 0
  /** How often an answer was given again, by whichever way, and how often one had to be made. */
  readonly counted = { found: 0, made: 0 }

  readonly #database: Pick<Database, 'onStatement'>

  /** So many bytes are kept at most, of answers that were made from these tables. Whoever watches statements sees all. */
  constructor(tables: readonly string[], most: number, database: Pick<Database, 'onStatement'>) {
    this.#database = database
    this.#known = new Set([...tables, 'ledger', 'search_words'])
    this.#most = most
  }

  /** What is kept at this moment. */
  get held(): { answers: number; bytes: number } {
    return { answers: this.#answers.size, bytes: this.#bytes }
  }

  async again(
    caller: Caller,
    operation: Operation,
    asked: Asked,
    now: Date,
    make: (footing?: Footing) => Promise<Outcome>,
  ): Promise<Outcome> {
    const { versions } = caller
    if (!versions || operation.isFeed) return make()
    if (asked.problems.length > 0 || this.#most === 0 || this.#database.onStatement)
      return make(new Footing(this.#known))
    const name = nameOfAnswer(caller, operation, asked, now)
    const known = this.#find(name, versions)
    if (known) {
      this.counted.found++
      return { ...known.outcome, ledgerNumber: caller.ledgerNumber ?? null }
    }
    this.counted.made++
    const footing = new Footing(this.#known)
    const outcome = await make(footing)
    // Only the question is kept with the answer: behind the rest of it stand the request and its connection.
    const { params, query } = asked
    return this.#keep(name, versions, footing, outcome, this.#isFor(operation, { params, query }))
  }

  #isFor(operation: Operation, asked: Question): Kept['isFor'] {
    const isFor: Kept['isFor'] = (by, at) =>
      by.versions !== undefined &&
      !this.#database.onStatement &&
      this.#find(nameOfAnswer(by, operation, asked, at), by.versions)?.outcome.kept?.isFor === isFor
    return isFor
  }

  /** What is kept under a name, if it stands. */
  #find(name: string, versions: TableVersions): Answer | undefined {
    const known = this.#answers.get(name)
    if (!known || !stands(known, versions)) return undefined
    this.#answers.delete(name)
    this.#answers.set(name, known)
    return known
  }

  #keep(name: string, { version }: TableVersions, footing: Footing, outcome: Outcome, isFor: Kept['isFor']): Outcome {
    const { payload, file, location, keep } = outcome
    this.#drop(name)
    if (footing.isPassing || payload === null || file || location || Object.keys(keep).length > 0) return outcome
    const bytes = bytesOf(payload)
    // One that fills the store by itself would only drive out the others.
    if (bytes.length > this.#most / 8) return outcome
    const kept = { bytes, tag: tagOf(bytes), isFor }
    const given = { ...outcome, payload: null, kept }
    // Its compressed forms are kept beside it.
    const size = bytes.length * 1.5 + name.length * 2 + OVERHEAD
    // Who looks at the same again within the hour is noted once: and this is of one hour, and of one caller.
    const noted = { ...given, shown: [] }
    // What an account is called, and where it is, goes into every answer.
    const tables = [...footing.tables, 'companies'].map(lettersOf)
    this.#answers.set(name, { version, tables, outcome: noted, size })
    this.#bytes += size
    for (const oldest of this.#answers.keys()) {
      if (this.#bytes <= this.#most) break
      this.#drop(oldest)
    }
    return given
  }

  #drop(name: string): void {
    this.#bytes -= this.#answers.get(name)?.size ?? 0
    this.#answers.delete(name)
  }
}

type Question = { readonly params: unknown; readonly query: unknown }
type Asked = Question & { readonly problems: readonly unknown[] }

type Answer = { version: number; tables: readonly string[]; outcome: Outcome; size: number }

/** In a place of their own: a small part of a larger place keeps all of it. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

/** What an answer takes besides its bytes, roughly. */
const OVERHEAD = 1000

const stands = ({ version, tables }: Answer, versions: TableVersions) =>
  tables.every((table) => (versions.changed.get(table) ?? 0) <= version)

function nameOfAnswer(
  { account, actor, personId, makerId, holderIds, permissions, withheld, grants, origin, session, versions }: Asker,
  { id }: Operation,
  { params, query }: Question,
  now: Date,
): string {
  const who = [
    account.id,
    nameOf(actor),
    personId,
    makerId,
    holderIds,
    permissions,
    [...withheld],
    session?.id,
    session?.confirmedAt,
  ]
  const when = [dateIn(account.time_zone, now), hourAfter(now)]
  return JSON.stringify([
    id,
    versions?.generation,
    params,
    query,
    ...who,
    grants ? grantsInWords(grants) : null,
    origin,
    ...when,
  ])
}
