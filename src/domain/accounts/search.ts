import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import { readHandle } from './lookup.ts'
import { presentAccount } from './queries.ts'

export interface AccountSearch {
  /** A part of a user name or display name, from its beginning, or a handle. */
  text: string
  limit: number
  offset: number
  /** Only accounts that the viewer follows. */
  following?: boolean | undefined
}

/** Strangers who are looked at per kind of match: a single letter must not sort half the table. */
const mostCandidates = 400

/**
 * Ids of accounts by the beginning of their names: an exact handle first, then those whom the viewer follows, then
 * by followers. Left out are suspended, moved and absent accounts, those who block the viewer, and, unless they are
 * named by their exact handle, those the viewer hides and limited ones whom the viewer does not follow.
 */
export async function searchAccounts(
  reader: Reader,
  viewerId: Id | null,
  search: AccountSearch,
): Promise<Id[]> {
  const text = search.text.trim().replace(/^@|@$/g, '')
  if (text === '') return []
  const handle = readHandle(reader.config, text)
  const prefix = handle ? handle.username : text
  const { rows } = await sql<{ id: Id }>`
    with candidates as (${candidates(viewerId, { text, prefix, handle, following: search.following ?? false })})
    select c.id from (select id, min(rank) as rank from candidates group by id) c
    left join account_stats t on t.account_id = c.id
    order by c.rank, coalesce(t.followers_count, 0) desc, c.id
    limit ${search.limit} offset ${search.offset}`.execute(reader.db)
  return rows.map((row) => row.id)
}

interface Wanted {
  text: string
  prefix: string
  handle: { username: string; domain: string | null } | null
  following: boolean
}

function candidates(viewerId: Id | null, wanted: Wanted): RawBuilder<unknown> {
  const { handle } = wanted
  const nameMatches = matchName(wanted)
  const shownMatches = startsWith(sql`lower(a.display_name)`, wanted.text.toLowerCase())
  const exact = sql`
    select a.id, 0 as rank from accounts a
    where lower(a.username) = lower(${handle?.username ?? ''}) and coalesce(a.domain, '') = ${handle?.domain ?? ''}
      and ${findable(viewerId)} ${wanted.following ? sql`and ${isFollowed(viewerId)}` : sql``}`
  const followed = sql`
    select a.id, 1 as rank from follows f join accounts a on a.id = f.target_account_id
    where f.account_id = ${viewerId} and ((${nameMatches}) or (${shownMatches})) and ${findable(viewerId)}`
  const others = (matches: RawBuilder<unknown>) => sql`
    (select a.id, 2 as rank from accounts a
    where ${matches} and ${findable(viewerId)} and ${unhidden(viewerId)} limit ${mostCandidates})`
  if (wanted.following) return sql`${exact} union all ${followed}`
  return sql`${exact} union all ${followed} union all ${others(nameMatches)} union all ${others(shownMatches)}`
}

/** `user@exam` is a handle in the making: its name is whole, its domain is not. */
function matchName({ handle, prefix }: Wanted): RawBuilder<unknown> {
  if (!handle || handle.domain === null) return startsWith(sql`lower(a.username)`, prefix.toLowerCase())
  return sql`lower(a.username) = lower(${handle.username}) and ${startsWith(sql`a.domain`, handle.domain)}`
}

/** What `like 'prefix%'` means, in a form whose index is used whatever the parameter turns out to be. */
function startsWith(column: RawBuilder<unknown>, prefix: string): RawBuilder<unknown> {
  return sql`${column} ~>=~ ${prefix} and ${column} ~<~ ${`${prefix}\u{10FFFF}`}`
}

const isFollowed = (viewerId: Id | null) =>
  sql`exists (select 1 from follows vf where vf.account_id = ${viewerId} and vf.target_account_id = a.id)`

function findable(viewerId: Id | null): RawBuilder<unknown> {
  return sql`a.suspended_at is null and a.moved_to_account_id is null and ${presentAccount}
    and not exists (select 1 from blocks b where b.account_id = a.id and b.target_account_id = ${viewerId})`
}

function unhidden(viewerId: Id | null): RawBuilder<unknown> {
  return sql`a.silenced_at is null
    and not exists (select 1 from blocks b where b.account_id = ${viewerId} and b.target_account_id = a.id)
    and not exists (select 1 from account_domain_blocks d where d.account_id = ${viewerId} and d.domain = a.domain)`
}
