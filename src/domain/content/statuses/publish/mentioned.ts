import { sql, type Selectable } from 'kysely'
import type { AccountsTable } from '#db/schema/accounts.ts'
import type { Reader } from '#ports/ctx.ts'
import { isBlocked } from '#domain/identity/accounts/is-blocked.ts'
import { formatAcct } from '#lib/acct.ts'
import type { AccountId } from '#lib/id.ts'

export type MentionedAccount = Pick<Selectable<AccountsTable>, 'id' | 'username' | 'domain' | 'url'>

/**
 * The accounts that handles in a text name. Left out are unknown ones, those who are gone, and those whom the
 * author blocks. `localDomain` and no domain mean the same.
 */
export async function findMentioned(
  reader: Reader,
  authorId: AccountId,
  handles: readonly { username: string; domain: string | null }[],
): Promise<MentionedAccount[]> {
  if (handles.length === 0) return []
  const own = new Set([reader.config.localDomain.toLowerCase(), reader.config.webDomain.toLowerCase()])
  const wanted = handles.map(({ username, domain }) => ({
    username: username.toLowerCase(),
    domain: domain === null || own.has(domain.toLowerCase()) ? '' : domain.toLowerCase(),
  }))
  const { rows } = await sql<MentionedAccount>`
    select distinct a.id, a.username, a.domain, a.url
    from unnest(${wanted.map((w) => w.username)}::text[], ${wanted.map((w) => w.domain)}::text[]) w (username, domain)
    join accounts a on lower(a.username) = w.username and coalesce(a.domain, '') = w.domain
    left join users u on u.account_id = a.id
    where a.suspended_at is null and a.deleted_at is null
      and (a.domain is not null or (u.confirmed_at is not null and u.approved))
      and not ${isBlocked({ blocker: authorId, blocked: sql`a.id` })}
      and not exists (select 1 from account_domain_blocks d where d.account_id = ${authorId} and d.domain = a.domain)`.execute(
    reader.db,
  )
  return rows
}

/** `user` or `user@domain`, lower case: the key to find a handle's account by. */
export function handleKey(username: string, domain: string | null): string {
  return formatAcct(username, domain).toLowerCase()
}
