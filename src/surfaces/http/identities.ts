import type { IncomingMessage } from 'node:http'
import type { QueryRunner } from '../../database/database.ts'
import {
  CREDENTIAL_BYTES,
  CREDENTIALS_MAX_AGE,
  findCachedKey,
  findKeyById,
  KEY_TABLES,
  LastUseTracker,
} from '../../domain/access/keys.ts'
import { rightsOfUser } from '../../domain/access/users.ts'
import { findCachedSession, findSession, SESSION_TABLES } from '../../domain/sign-in/sessions.ts'
import type { AccountVersion } from '../../records/account-version.ts'
import type { Caller } from '../../records/caller.ts'
import type { Ledger } from '../../records/ledger.ts'

/** What a caller may do, and as whom. */
export type CallerRights = Pick<
  Caller,
  'permissions' | 'withheld' | 'grants' | 'personId' | 'keyCreatorId' | 'keyHolderIds'
>

/** A caller whose API key or session is valid now. */
export type Identity = CallerRights &
  Pick<Caller, 'account' | 'actor' | 'session'> & {
    readonly version: AccountVersion
    /** When the key or session ends in any case. */
    readonly expiresAt: string | null
    /** The tables that decide whether it is valid and what it allows. */
    readonly tables: readonly string[]
    /** Reads the rights again, in a transaction. Undefined if the key or session has ended. */
    readonly reread: (on: QueryRunner) => Promise<(CallerRights & Pick<Caller, 'session'>) | undefined>
    readonly noteUse: (now: Date) => void
  }

/** Identities that the fast path has found for requests that go on to the routes. */
const found = new WeakMap<IncomingMessage, Identity>()

export const noteIdentity = (request: IncomingMessage, identity: Identity): void => void found.set(request, identity)

/** Only once: a request that waits for changes is admitted again. */
export function takeIdentity(request: IncomingMessage): Identity | undefined {
  const identity = found.get(request)
  found.delete(request)
  return identity
}

/** Finds identities by API keys and sessions, with cached rights. */
export class Identities {
  readonly #ledger: Ledger
  readonly #keyUses: LastUseTracker
  readonly #sessionUses: LastUseTracker
  /** By the key as it was read: requests at the same version share the identity. */
  readonly #last = new WeakMap<object, Identity>()

  constructor(ledger: Ledger) {
    this.#ledger = ledger
    this.#keyUses = new LastUseTracker(ledger.database, 'api_key_uses', 'key_id')
    this.#sessionUses = new LastUseTracker(ledger.database, 'session_uses', 'session_id')
  }

  async byKey(hash: string, now: Date): Promise<Identity | undefined> {
    const { clock } = this.#ledger
    const found = await findCachedKey(this.#ledger, hash, now)
    if (!found) return undefined
    const { key, version } = found
    const last = this.#last.get(key)
    if (last?.version === version) return last
    const { id, account, expiresAt, personId, keyCreatorId, keyHolderIds, permissions, withheld, grants } = key
    const identity: Identity = {
      account,
      actor: { kind: 'key', id },
      personId,
      keyCreatorId,
      keyHolderIds,
      permissions,
      withheld,
      ...(grants ? { grants } : {}),
      version,
      expiresAt,
      tables: KEY_TABLES,
      reread: (on) => findKeyById(on, account.id, id, clock()),
      noteUse: (at) => this.#keyUses.note(account.id, id, at),
    }
    this.#last.set(key, identity)
    return identity
  }

  async bySession(token: string, now: Date): Promise<Identity | undefined> {
    const { clock } = this.#ledger
    const found = await findCachedSession(this.#ledger, token, now)
    if (!found) return undefined
    const { id, account, version, userId, personId, confirmedAt, expiresAt } = found
    return {
      account,
      actor: { kind: 'person', id: userId },
      personId,
      ...asPerson(await this.#rightsOf(version, userId)),
      session: { id, confirmedAt },
      version,
      expiresAt,
      tables: SESSION_TABLES,
      async reread(on) {
        const again = await findSession(on, token, clock())
        if (!again) return undefined
        const { id, confirmedAt, personId } = again
        return { ...asPerson(await rightsOfUser(on, account.id, userId)), personId, session: { id, confirmedAt } }
      },
      noteUse: (at) => this.#sessionUses.note(account.id, id, at),
    }
  }

  #rightsOf(version: AccountVersion, userId: number) {
    const { cache, database } = this.#ledger
    const storing = { tables: SESSION_TABLES, bytes: CREDENTIAL_BYTES, maxAge: CREDENTIALS_MAX_AGE }
    return cache.get('credentials', `rights of user ${userId}`, version, storing, () =>
      rightsOfUser(database, version.accountId, userId),
    )
  }
}

/** People may always do what concerns themselves. */
const asPerson = <R extends Pick<Caller, 'permissions'>>(held: R) => {
  const permissions = personPermissions.get(held.permissions) ?? [...held.permissions, 'me:*']
  personPermissions.set(held.permissions, permissions)
  return { ...held, permissions }
}

/** The same list for the same rights, so that the fast path recognises it. */
const personPermissions = new WeakMap<readonly string[], readonly string[]>()
