import type { Sql } from '../database/database.ts'
import type { AccountVersion } from './account-version.ts'

export type Account = { id: number; name: string; time_zone: string; currency_code: string; signing_key: string }

/** Who does something. Keys and people are known by their ids. */
export type Actor =
  | { readonly kind: 'key'; readonly id: number }
  | { readonly kind: 'person'; readonly id: number }
  | { readonly kind: 'command_line' | 'anybody' | 'system' }

/** `key:7`, or `system`. */
export const nameOf = (actor: Actor): string => ('id' in actor ? `${actor.kind}:${actor.id}` : actor.kind)

/** Of whom a grant holds: everybody, or those of a scope that areas know; some of them are bound to a record. */
export type Scope = { readonly kind: string; readonly id: number | null }

export const EVERYBODY: Scope = { kind: 'everybody', id: null }

/** What a caller may do, of whom, and what of those may not be shown. */
export type Grant = {
  readonly permissions: readonly string[]
  readonly scope: Scope
  readonly withheld: ReadonlySet<string>
}

/** On whose behalf the service is used, where from, and what may not be shown to them. */
export type Caller = {
  readonly account: Account
  readonly actor: Actor
  /** The person who acts, or to whom the key belongs. */
  readonly personId: number | null
  /** The person who made the key that acts: what nobody does about themselves they do not do by it either. */
  readonly makerId?: number | null
  /** The people of the keys that it was made with: they hold it, whoever else it is for. */
  readonly holderIds?: readonly number[]
  /** All that the caller may do, of whomsoever. */
  readonly permissions: readonly string[]
  /** Field groups that the caller may not see, of anybody. */
  readonly withheld: ReadonlySet<string>
  /** What is held for some only, or seen of some only; without it, everything holds for everybody. */
  readonly grants?: readonly Grant[]
  /** Where the service is reached, for addresses in answers. */
  readonly origin: string
  /** Is that only what the caller says, and neither configured nor where the service was started? */
  readonly isOriginClaimed?: boolean
  /** The network address the call came from. */
  readonly address: string | null
  readonly requestId: string
  /** What ties the requests of one undertaking together; the request's own id when nobody said. */
  readonly correlationId: string
  /** The number of the account's last entry in the ledger when the call was let in; nobody tells just anybody. */
  readonly ledgerNumber?: number
  /** What the caller's side was told to keep, and sends with every call. */
  readonly kept?: Readonly<Record<string, string>>
  /** What the program calls itself that the caller uses. */
  readonly program?: string | null
  /** The version of the account's data when the caller was admitted. */
  readonly version?: AccountVersion
  /** What lets the caller in, which may end before they write. */
  readonly admitted?: {
    /** When that was looked at, and from which tables it follows. */
    readonly at: Date
    /** When it ends in any case. */
    readonly until: string | null
    readonly by: readonly string[]
    /** Looks at it again, in a turn: fails if they may not do the same any more. */
    readonly confirm: (sql: Sql) => Promise<void>
  }
  /** The session in which a person acts, and when they last showed who they are. */
  readonly session?: { readonly id: number; readonly confirmedAt: string }
}

/** Is it they who act, or through whose hands the key came that does? */
export const isOneself = ({ caller }: { readonly caller: Caller }, personId: number): boolean =>
  caller.personId === personId || caller.makerId === personId || (caller.holderIds?.includes(personId) ?? false)

/** Grants as they can be compared. */
export const grantsInWords = (grants: readonly Grant[]) =>
  grants.map(({ permissions, scope, withheld }) => [permissions, scope, [...withheld].sort()])
