import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { readHandle } from './lookup.ts'
import { presentAccount } from './presence.ts'
import type { AccountId } from '#lib/id.ts'

export interface AccountSearch {
  /** The beginnings of words of a user name or display name, a handle or the beginning of one, or a domain. */
  text: string
  limit: number
  offset: number
  /** Only accounts that the viewer follows. */
  following?: boolean | undefined
}

/** Strangers who are looked at per kind of match: a single letter must not sort half the table. */
const maxCandidates = 400
/** Shorter texts are like too many names. */
const minTypo = 4
const maxWords = 6
/** Strangers who are no users here find by so few characters only whom these name exactly. */
const minForAll = 3

/**
 * Ids of accounts by the beginnings of the words of their names: an exact handle first, then those whom the viewer
 * follows, then by followers; when there is nobody, those whose names are spelled alike. Left out are suspended, moved
 * and absent accounts, those who block the viewer, and, unless they are named by their exact handle, those the viewer
 * hides and limited ones whom the viewer does not follow.
 */
export async function searchAccounts(
  reader: Reader,
  viewerId: AccountId | null,
  search: AccountSearch,
): Promise<AccountId[]> {
  const text = search.text.trim().replace(/^@|@$/g, '')
  const handle = readHandle(reader.config, text)
  const words = text.split(/[^\p{L}\p{M}\p{N}_]+/u).filter((word) => word !== '')
  if (words.length === 0) return []
  const wanted: Wanted = {
    text,
    handle,
    words: words.slice(0, maxWords),
    following: search.following ?? false,
    onlyExact: viewerId === null && [...text].length < minForAll,
  }
  const { rows } = await sql<{ id: AccountId }>`
    with ${candidates(viewerId, wanted)}
    select c.id from (select id, min(rank) as rank from candidates group by id) c
    left join account_stats t on t.account_id = c.id
    order by c.rank, coalesce(t.followers_count, 0) desc, t.last_status_at desc nulls last, c.id
    limit ${search.limit} offset ${search.offset}`.execute(reader.db)
  return rows.map((row) => row.id)
}

interface Wanted {
  text: string
  handle: { username: string; domain: string | null } | null
  words: string[]
  following: boolean
  onlyExact: boolean
}

/** The tables `sure`, of those whose names begin so, and `candidates`, of all. */
function candidates(viewerId: AccountId | null, wanted: Wanted): RawBuilder<unknown> {
  const { handle } = wanted
  const exact = sql`
    select a.id, 0 as rank from accounts a
    where lower(a.username) = lower(${handle?.username ?? ''}) and coalesce(a.domain, '') = ${handle?.domain ?? ''}
      and ${findable(viewerId)} ${wanted.following ? sql`and ${isFollowed(viewerId)}` : sql``}`
  if (wanted.onlyExact) return sql`candidates as (${exact})`
  const matches = matchNames(wanted)
  const followed = sql`
    select a.id, 1 as rank from follows f join accounts a on a.id = f.target_account_id
    where f.account_id = ${viewerId} and ${matches} and ${findable(viewerId)}`
  if (wanted.following) return sql`candidates as (${exact} union all ${followed})`
  const others = (rank: number, condition: RawBuilder<unknown>) => sql`
    (select a.id, ${sql.lit(rank)} as rank from accounts a
    where ${condition} and ${findable(viewerId)} and ${unhidden(viewerId)} limit ${maxCandidates})`
  const ofDomain = sql`a.domain = ${wanted.text.toLowerCase()}`
  const sure = sql`${exact} union all ${followed} union all ${others(2, matches)} union all ${others(3, ofDomain)}`
  if (handle?.domain != null || wanted.text.length < minTypo) return sql`candidates as (${sure})`
  return sql`sure as materialized (${sure}), candidates as (select id, rank from sure union all ${alike(viewerId, wanted)})`
}

function alike(viewerId: AccountId | null, { text }: Wanted): RawBuilder<unknown> {
  return sql`(
    select a.id, 4 + l.place as rank
    from similar_accounts(${text}, ${maxCandidates}) with ordinality l (id, place) join accounts a on a.id = l.id
    where not exists (select 1 from sure) and ${findable(viewerId)} and ${unhidden(viewerId)})`
}

/** `user@exam` is a handle in the making: its name is whole, its domain is not. */
function matchNames({ handle, words }: Wanted): RawBuilder<unknown> {
  if (handle && handle.domain !== null) {
    return sql`(lower(a.username) = lower(${handle.username}) and ${startsWith(sql`a.domain`, handle.domain)})`
  }
  const begins = words.map((word) => sql`a.search_names like ${beginsWord(word)}`)
  return sql`(${sql.join(begins, sql` and `)})`
}

/** What `like` is to match for names with a word that begins so: as `search_name` has them, each after a space. */
function beginsWord(word: string): RawBuilder<unknown> {
  return sql`'%' || replace(search_name(${word}), '_', '\\_') || '%'`
}

/** Those of the ids that the viewer may find by an address: not suspended, absent, or of somebody who blocks them. */
export async function listFindable(
  reader: Reader,
  viewerId: AccountId | null,
  ids: readonly AccountId[],
): Promise<AccountId[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: AccountId }>`
    select a.id from accounts a where a.id = any(${ids}::bigint[]) and ${reachable(viewerId)}`.execute(
    reader.db,
  )
  return rows.map((row) => row.id)
}

/** What `like 'prefix%'` means, in a form whose index is used whatever the parameter turns out to be. */
function startsWith(column: RawBuilder<unknown>, prefix: string): RawBuilder<unknown> {
  return sql`${column} ~>=~ ${prefix} and ${column} ~<~ ${`${prefix}\u{10FFFF}`}`
}

const isFollowed = (viewerId: AccountId | null) =>
  sql`exists (select 1 from follows vf where vf.account_id = ${viewerId} and vf.target_account_id = a.id)`

function findable(viewerId: AccountId | null): RawBuilder<unknown> {
  return sql`a.moved_to_account_id is null and ${reachable(viewerId)}`
}

function reachable(viewerId: AccountId | null): RawBuilder<unknown> {
  return sql`a.suspended_at is null and ${presentAccount('a')}
    and not exists (select 1 from blocks b where b.account_id = a.id and b.target_account_id = ${viewerId} offset 0)`
}

function unhidden(viewerId: AccountId | null): RawBuilder<unknown> {
  return sql`a.silenced_at is null
    and not exists (select 1 from blocks b where b.account_id = ${viewerId} and b.target_account_id = a.id)
    and not exists (select 1 from account_domain_blocks d where d.account_id = ${viewerId} and d.domain = a.domain)`
}
