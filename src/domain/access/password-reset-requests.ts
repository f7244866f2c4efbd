import type { Reader } from '../../records/reader.ts'

/** Who has asked for a new password, and when; not those who got a link, or set one, since. */
export async function openResets(
  db: Reader,
  { since, userIds }: { since?: string; userIds?: readonly number[] },
): Promise<Map<number, string>> {
  const asked = await db
    .from('reset_requests as r')
    .leftJoin('user_credentials as c', (on) =>
      on.onRef('c.account_id', '=', 'r.account_id').onRef('c.user_id', '=', 'r.user_id'),
    )
    .leftJoin('sign_in_links as l', (on) =>
      on
        .onRef('l.account_id', '=', 'r.account_id')
        .onRef('l.user_id', '=', 'r.user_id')
        .onRef('l.created_at', '>', 'r.asked_at'),
    )
    .select(['r.user_id', 'r.asked_at'])
    .$if(since !== undefined, (query) => query.where('r.asked_at', '>=', since as string))
    .where('l.id', 'is', null)
    .where((eb) => eb.or([eb('c.password_set_at', 'is', null), eb('c.password_set_at', '<=', eb.ref('r.asked_at'))]))
    .$if(userIds !== undefined, (query) => query.where('r.user_id', 'in', [...(userIds ?? [])]))
    .execute()
  return new Map(asked.map(({ user_id, asked_at }) => [user_id, asked_at]))
}
