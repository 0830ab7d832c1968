import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely'
import { isBlocked } from './is-blocked.ts'
import { keepStatement } from '#db/keep-statement.ts'
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
  /** False where it is known that the viewer hides nobody, and nobody hides from them. */
  avoids: boolean
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
  const { username = null, domain = null } = readHandle(reader.config, text) ?? {}
  const words = text.split(/[^\p{L}\p{M}\p{N}_]+/u).filter((word) => word !== '')
  if (words.length === 0) return []
  const find = async (ask: Ask, limit: number, offset: number) => {
    const { rows } = await ask(
      reader.db,
      viewerId,
      search.avoids ? viewerId : null,
      text.toLowerCase(),
      /[.:]/.test(text) ? text.toLowerCase() : null,
      username,
      domain,
      limit,
      offset,
      ...words.slice(0, maxWords),
    )
    return rows.map((row) => row.id)
  }
  const isTooShort = viewerId === null && [...text].length < minForAll
  const isSpelledOut = domain !== null || text.length < minTypo
  const ask = isTooShort ? askExact : search.following ? askFollowed : askNamed
  const found = await find(ask, search.limit, search.offset)
  if (found.length > 0 || ask !== askNamed || isSpelledOut) return found
  // Behind the last page of those who are named so there is nobody else.
  if (search.offset > 0 && (await find(askNamed, 1, 0)).length > 0) return found
  return find(askAlike, search.limit, search.offset)
}

type Ask = ReturnType<typeof keepSearch>

type SearchArguments = [
  viewerId: AccountId | null,
  /** The viewer, unless there is nobody whom they hide or who hides from them. */
  avoiderId: AccountId | null,
  text: string,
  /** The text, if a server can be called so. */
  host: string | null,
  username: string | null,
  domain: string | null,
  limit: number,
  offset: number,
  ...words: string[],
]

interface Wanted {
  viewerId: AccountId | null
  /** In lower case. */
  text: string
  host: string | null
  username: string | null
  domain: string | null
  words: string[]
}

const askExact = keepSearch((wanted) => sql`candidates as (${exact(wanted)})`)
const askFollowed = keepSearch(
  (wanted) =>
    sql`candidates as (${exact(wanted)} and ${isFollowed(wanted.viewerId)} union all ${followed(wanted)})`,
)
const askNamed = keepSearch(
  (wanted) => sql`named as materialized (${named(wanted)}), candidates as (${amongNamed(wanted)})`,
)
const askAlike = keepSearch((wanted) => sql`candidates as (${alike(wanted)})`)

/**
 * Finds among the table `candidates`. Who hides from whom is asked from the first one on until there are enough:
 * `offset 0` keeps the database from asking it of all.
 */
function keepSearch(candidates: (wanted: Wanted) => RawBuilder<unknown>) {
  return keepStatement((db: QueryExecutorProvider, ...args: SearchArguments) => {
    const [viewerId, avoiderId, text, host, username, domain, limit, offset, ...words] = args
    return sql<{ id: AccountId }>`
    with sought as materialized (select array[${sql.join(words.map(beginsWord))}] as words),
      ${candidates({ viewerId, text, host, username, domain, words })}
    select c.id from (
      select c.id, c.domain, c.deleted_at, min(c.rank) as rank from candidates c
      left join account_stats t on t.account_id = c.id
      group by c.id, c.domain, c.deleted_at, t.followers_count, t.last_status_at
      order by min(c.rank), coalesce(t.followers_count, 0) desc, t.last_status_at desc nulls last, c.id offset 0) c
    where ${isFound(avoiderId)} limit ${limit} offset ${offset}`.execute(db)
  })
}

/** What `like` is to match for names with a word that begins so: as `search_name` has them, each after a space. */
function beginsWord(word: string): RawBuilder<unknown> {
  return sql`'%' || replace(search_name(${word}), '_', '\\_') || '%'`
}

/** A candidate and how near it is to what is sought, 0 the nearest; from 2 on whoever the viewer hides is left out. */
const candidate = (rank: number) => sql`a.id, a.domain, a.deleted_at, ${sql.lit(rank)} as rank`

function exact({ username, domain }: Wanted): RawBuilder<unknown> {
  return sql`
    select ${candidate(0)} from accounts a
    where lower(a.username) = lower(${username}) and coalesce(a.domain, '') = ${domain ?? sql.lit('')} and ${isActive}`
}

function followed(wanted: Wanted): RawBuilder<unknown> {
  return sql`
    select ${candidate(1)} from follows f join accounts a on a.id = f.target_account_id
    where f.account_id = ${wanted.viewerId} and ${matchNames(wanted)} and ${isActive}`
}

/** The first whose names match, whoever they are. */
function named(wanted: Wanted): RawBuilder<unknown> {
  return sql`
    select a.id, a.domain, a.deleted_at, a.silenced_at from accounts a
    where ${matchNames(wanted)} and ${isActive} limit ${sql.lit(maxCandidates)}`
}

/** Names are looked through once: for those whom the viewer follows once more only where there are too many to look at all. */
function amongNamed(wanted: Wanted): RawBuilder<unknown> {
  return sql`
    ${exact(wanted)}
    union all select ${candidate(1)} from named a where ${isFollowed(wanted.viewerId)}
    union all (${followed(wanted)} and (select count(*) from named) >= ${sql.lit(maxCandidates)})
    union all select ${candidate(2)} from named a where a.silenced_at is null
    ${wanted.host === null ? sql`` : sql`union all (${onHost(wanted.host)})`}`
}

function onHost(host: string): RawBuilder<unknown> {
  return sql`
    select ${candidate(3)} from accounts a
    where a.domain = ${host} and ${isActive} and a.silenced_at is null limit ${sql.lit(maxCandidates)}`
}

function alike({ text }: Wanted): RawBuilder<unknown> {
  return sql`(
    select a.id, a.domain, a.deleted_at, 4 + l.place as rank
    from similar_accounts(${text}, ${sql.lit(maxCandidates)}) with ordinality l (id, place) join accounts a on a.id = l.id
    where ${isActive} and a.silenced_at is null)`
}

/** `user@exam` is a handle in the making: its name is whole, its domain is not. */
function matchNames({ username, domain, words }: Wanted): RawBuilder<unknown> {
  if (domain !== null) {
    return sql`(lower(a.username) = lower(${username}) and ${startsWith(sql`a.domain`, domain)})`
  }
  // A subquery is worked out once, not for every name.
  const begins = words.map(
    (_, index) => sql`a.search_names like (select words[${sql.lit(index + 1)}] from sought)`,
  )
  return sql`(${sql.join(begins, sql` and `)})`
}

/** What `like 'prefix%'` means, in a form whose index is used whatever the parameter turns out to be. */
function startsWith(column: RawBuilder<unknown>, prefix: string): RawBuilder<unknown> {
  return sql`${column} ~>=~ ${prefix} and ${column} ~<~ (${prefix} || chr(1114111))`
}

/** Those of the ids that the viewer may find by an address: not suspended, absent, or of somebody who blocks them. */
export async function listFindable(
  reader: Reader,
  viewerId: AccountId | null,
  ids: readonly AccountId[],
): Promise<AccountId[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: AccountId }>`
    select a.id from accounts a where a.id = any(${ids}::bigint[]) and a.suspended_at is null and ${isOpen(viewerId, 'a')}`.execute(
    reader.db,
  )
  return rows.map((row) => row.id)
}

const isFollowed = (viewerId: AccountId | null) =>
  sql`exists (select 1 from follows vf where vf.account_id = ${viewerId} and vf.target_account_id = a.id)`

const isActive = sql`a.deleted_at is null and a.suspended_at is null and a.moved_to_account_id is null`

/** Of a candidate: they are there, and neither side hides from the other. */
function isFound(avoiderId: AccountId | null): RawBuilder<unknown> {
  if (avoiderId === null) return isOpen(null, 'c')
  return sql`${isOpen(avoiderId, 'c')} and (c.rank < 2 or (
    not ${isBlocked({ blocker: avoiderId, blocked: sql`c.id` })}
    and not exists (select 1 from account_domain_blocks d where d.account_id = ${avoiderId} and d.domain = c.domain)))`
}

/** They are there and do not block the viewer. */
function isOpen(viewerId: AccountId | null, account: string): RawBuilder<unknown> {
  if (viewerId === null) return presentAccount(account)
  return sql`${presentAccount(account)} and not ${isBlocked({ blocker: sql.ref(`${account}.id`), blocked: viewerId })}`
}
