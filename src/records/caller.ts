import type { Sql } from '../database/database.ts'
import type { AccountVersion } from './account-version.ts'

export type Account = {
  id: number
  name: string
  time_zone: string
  currency_code: string
  full_time_hours: number
  signing_key: string
}

/** Who acts. */
export type Actor =
  | { readonly kind: 'key'; readonly id: number }
  | { readonly kind: 'person'; readonly id: number }
  | { readonly kind: 'command_line' | 'anybody' | 'system' }

/** `key:7`, or `system`. */
export const actorRef = (actor: Actor): string => ('id' in actor ? `${actor.kind}:${actor.id}` : actor.kind)

/** The people that a grant covers. Areas define the kinds of scopes; some have the id of a record. */
export type Scope = { readonly kind: string; readonly id: number | null }

export const EVERYBODY: Scope = { kind: 'everybody', id: null }

/** What a caller may do, for which people, and which field groups stay hidden. */
export type Grant = {
  readonly permissions: readonly string[]
  readonly scope: Scope
  readonly withheld: ReadonlySet<string>
}

/** Who sends a request, from where, and with which rights. */
export type Caller = {
  readonly account: Account
  readonly actor: Actor
  /** The person who acts, or who owns the key. */
  readonly personId: number | null
  /** The person who created the key. They cannot use it for what they may not do about themselves. */
  readonly keyCreatorId?: number | null
  /** The owners of the keys with which the key was created: they know it too. */
  readonly keyHolderIds?: readonly number[]
  /** All permissions, whatever their scope. */
  readonly permissions: readonly string[]
  /** Field groups that the caller may not see for anybody. */
  readonly withheld: ReadonlySet<string>
  /** Permissions by scope. Without grants, all permissions cover everybody. */
  readonly grants?: readonly Grant[]
  /** The address of the service, for links in responses. */
  readonly origin: string
  /** The address comes from the request, and is neither configured nor the one the service listens on. */
  readonly isOriginClaimed?: boolean
  /** The network address of the client. */
  readonly address: string | null
  readonly requestId: string
  /** The same for requests that belong together; by default the id of the request. */
  readonly correlationId: string
  /** The last change number of the account when the request was admitted; not for anonymous callers. */
  readonly ledgerNumber?: number
  readonly cookies?: Readonly<Record<string, string>>
  /** The `User-Agent` of the request. */
  readonly program?: string | null
  /** The version of the account's data when the caller was admitted. */
  readonly version?: AccountVersion
  /** What lets the caller in, which may end before they write. */
  readonly admitted?: {
    readonly checkedAt: Date
    /** When the key or session expires. */
    readonly expiresAt: string | null
    /** The tables that decide about the caller's rights. */
    readonly tables: readonly string[]
    /** Repeats the check in a write transaction. Fails if the caller has other rights now. */
    readonly confirm: (sql: Sql) => Promise<void>
  }
  /** The session of a person, and when they last entered their password or another factor. */
  readonly session?: { readonly id: number; readonly confirmedAt: string }
}

/** Does this person act, in person or by a key that they created or know? */
export const isSelf = ({ caller }: { readonly caller: Caller }, personId: number): boolean =>
  caller.personId === personId || caller.keyCreatorId === personId || (caller.keyHolderIds?.includes(personId) ?? false)

/** Grants in a form that can be compared. */
export const comparableGrants = (grants: readonly Grant[]) =>
  grants.map(({ permissions, scope, withheld }) => [permissions, scope, [...withheld].sort()])
