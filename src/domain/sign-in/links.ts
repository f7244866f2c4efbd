import type { Row } from '../../engine/declaration.ts'
import { choice, readOnly, reference, secret, timestamp } from '../../engine/field.ts'
import { Problem } from '../../engine/problem.ts'
import { amend, eraseAll, insertAll, rowsOf } from '../../engine/records.ts'
import { resource } from '../../engine/resource.ts'
import { alters, type Consequence } from '../../records/consequences.ts'
import type { Reader } from '../../records/reader.ts'
import type { Writer } from '../../records/write.ts'
import { mayStillInvite } from './link-creators.ts'
import { hasOwner } from './owners.ts'
import { hashOf, random } from './tickets.ts'

/** Links that let somebody in once: to begin, or to begin again. Whoever makes one hands it on: we send no mail. */

const PURPOSES = ['invitation', 'reset', 'set_up'] as const
export type LinkPurpose = (typeof PURPOSES)[number]

/** How long each is good for. */
const HOURS: Record<LinkPurpose, number> = { invitation: 7 * 24, reset: 24, set_up: 7 * 24 }

export const signInLinks = resource(
  { table: 'sign_in_links', one: 'sign-in link', title: 'SignInLink', area: 'users' },
  {
    user_id: reference('users', { owner: true, fate: 'goes', note: 'Null for the set-up of the first owner' }),
    hash: secret(),
    purpose: readOnly(choice(PURPOSES, { required: true })),
    expires_at: readOnly(timestamp({ required: true })),
    used_at: readOnly(timestamp()),
  },
)

export type SignInLink = Row<typeof signInLinks>

const of = (db: Reader, userId: number | null) =>
  rowsOf(signInLinks, db.from('sign_in_links').where('user_id', userId === null ? 'is' : '=', userId))

/** Takes back what is open; what was used, or is over, goes too. */
export const dropLinks = async (db: Writer, userId: number | null): Promise<void> =>
  eraseAll(db, signInLinks, await of(db, userId))

/** A new link in the place of earlier ones, and its token, which is shown now and never again. */
export async function makeLink(db: Writer, userId: number | null, purpose: LinkPurpose) {
  await dropLinks(db, userId)
  const token = random()
  const expires_at = new Date(Date.parse(db.now) + HOURS[purpose] * 3_600_000).toISOString()
  const [id] = await insertAll(db, signInLinks, [{ user_id: userId, hash: hashOf(token), purpose, expires_at }])
  return { id: id as number, purpose, expires_at, token }
}

/** Where the page is that a link opens. Behind the # it is sent to no server, and is in no log. */
export const linkAddress = (origin: string, token: string, accountId: number) =>
  `${origin}/sign-in/link${accountId === 1 ? '' : `?account=${accountId}`}#${token}`

export const linkEnded = () =>
  new Problem(
    404,
    'link_ended',
    'This link is no longer valid: it was used, has expired, was replaced by a newer one, or its creator lost the right to create it. Ask for a new link.',
  )

/** The link that a token is of, if it still works. */
export async function findLink(db: Reader, token: string): Promise<SignInLink> {
  const [link] = await rowsOf(signInLinks, db.from('sign_in_links').where('hash', '=', hashOf(token)))
  if (!link || link.used_at !== null || link.expires_at <= db.now) throw linkEnded()
  // The set-up is for an account that has no owner.
  if (link.purpose === 'set_up' && (await hasOwner(db))) throw linkEnded()
  if (link.user_id !== null && !(await mayStillInvite(db, link.id, link.user_id))) throw linkEnded()
  return link
}

export const spendLink = (db: Writer, link: SignInLink): Promise<void> =>
  amend(db, signInLinks, link, { used_at: db.now })

/** The link that somebody has and has not used yet. */
export const openLink = async (db: Reader, userId: number): Promise<SignInLink | null> =>
  (await of(db, userId)).find(({ used_at, expires_at }) => used_at === null && expires_at > db.now) ?? null

/** A link was handed to an address: whoever has another one by now gets another one. */
export const linksEndWithTheAddress: Consequence = {
  of: ['users'],
  async follow(db, changes) {
    for (const change of changes)
      if (change.action === 'update' && alters(change, ['email'])) await dropLinks(db, change.record_id)
  },
}
