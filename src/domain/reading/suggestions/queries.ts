import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { readHandle } from '#domain/identity/accounts/lookup.ts'
import { presentAccount } from '#domain/identity/accounts/presence.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { getSettings } from '#domain/server/instance/settings.ts'
import { findableAccount, newTo, notSuppressed } from './eligible.ts'
import type { AccountId } from '#lib/id.ts'

/** Why an account is suggested, in the words of the Mastodon API. */
export type SuggestionSource =
  | 'featured'
  | 'friends_of_friends'
  | 'similar_to_recently_followed'
  | 'most_followed'
  | 'most_interactions'

export interface Suggestion {
  id: AccountId
  /** The strongest one first. */
  sources: SuggestionSource[]
}

/** The viewer's latest follows that are looked at, and the latest follows of each of them. */
const friends = 80
const perFriend = 40
/** For likeness: the viewer's latest follows, the latest followers of each, and whom each of those follows. */
const recent = 5
const perRecent = 20
const perFan = 20
/** Strangers who are looked at closely. */
const candidates = 300
/** Days after which what an account last wrote or changed counts half. */
const freshDays = 30

/**
 * Accounts that the viewer may want to follow, by one query: those the server features first, then by how many reasons
 * there are and how strong, and by how lately they wrote or changed their profile. Networks that are hidden are not
 * looked at.
 */
export async function listSuggestions(
  reader: Reader,
  viewer: Viewer,
  page: { limit: number; offset: number },
): Promise<Suggestion[]> {
  const featured = await readFeatured(reader)
  const now = new Date(reader.clock.now())
  const fresh = sql`power(0.5::float8, greatest(0, extract(epoch from
    ${now}::timestamptz - greatest(a.updated_at, t.last_status_at))::float8) / ${freshDays * 86_400}::float8)`
  const { rows } = await sql<Suggestion>`
    with found as (
      ${featuredAccounts(featured)}
      union all ${friendsOfFriends(viewer.accountId)}
      union all ${similar(viewer.accountId)}
      union all select account_id, 'most_followed', ln(1 + followers)::float8 from popular_accounts where followers > 0
      union all select account_id, 'most_interactions', ln(1 + fans)::float8 from popular_accounts where fans > 0),
    strangers as (
      select id, array_agg(source order by weight desc, source) as sources, sum(weight) as weight
      from found
      where id <> ${viewer.accountId} and not exists (
        select 1 from follows mf where mf.account_id = ${viewer.accountId} and mf.target_account_id = found.id offset 0)
      group by id order by sum(weight) desc, id desc limit ${candidates})
    select c.id, c.sources from strangers c
    join accounts a on a.id = c.id
    left join account_stats t on t.account_id = c.id
    where ${findableAccount('a')} and ${presentAccount('a')} and ${newTo(viewer.accountId, 'a', now)} and ${notSuppressed('a')}
    order by 'featured' = any(c.sources) desc, c.weight * ${fresh} desc, c.id desc
    limit ${page.limit} offset ${page.offset}`.execute(reader.db)
  return rows
}

/** The handles that the operator wants suggested; what is none is passed over. */
async function readFeatured(reader: Reader): Promise<{ username: string; domain: string | null }[]> {
  const { bootstrap_timeline_accounts: text } = await getSettings(reader)
  return text
    .split(/[\s,]+/)
    .flatMap((handle) => readHandle(reader.config, handle) ?? [])
    .slice(0, candidates)
}

/** Heavier than all else there can be. */
const featuredWeight = 1e6

function featuredAccounts(
  handles: readonly { username: string; domain: string | null }[],
): RawBuilder<unknown> {
  const names = handles.map((handle) => handle.username.toLowerCase())
  const domains = handles.map((handle) => handle.domain ?? '')
  return sql`
    select f.id, 'featured' as source, ${featuredWeight}::float8 as weight
    from unnest(${names}::text[], ${domains}::text[]) w (username, domain)
    join accounts f on lower(f.username) = w.username and coalesce(f.domain, '') = w.domain`
}

/** Whom several of those follow whom the viewer follows. */
function friendsOfFriends(viewerId: AccountId): RawBuilder<unknown> {
  return sql`
    select l.target_account_id, 'friends_of_friends', 3 * count(*)::float8
    from (select target_account_id as id from follows where account_id = ${viewerId} order by follows.id desc limit ${friends}) m
    join accounts f on f.id = m.id and ${openNetwork('f')}
    cross join lateral (
      select target_account_id from follows where account_id = f.id order by follows.id desc limit ${perFriend}) l
    group by 1`
}

/** Whom those follow who also follow the viewer's latest finds. */
function similar(viewerId: AccountId): RawBuilder<unknown> {
  return sql`
    select l.target_account_id, 'similar_to_recently_followed', count(*)::float8
    from (select target_account_id as id from follows where account_id = ${viewerId} order by follows.id desc limit ${recent}) m
    join accounts r on r.id = m.id and ${openNetwork('r')}
    cross join lateral (
      select account_id as id from follows where target_account_id = r.id order by follows.id desc limit ${perRecent}) n
    join accounts f on f.id = n.id and f.id <> ${viewerId} and ${openNetwork('f')}
    cross join lateral (
      select target_account_id from follows where account_id = f.id order by follows.id desc limit ${perFan}) l
    where l.target_account_id <> r.id
    group by 1`
}

/** An account that shows whom it follows and who follows it. */
function openNetwork(alias: string): RawBuilder<boolean> {
  const a = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`(${a('hide_collections')} is not true and ${a('suspended_at')} is null and ${a('deleted_at')} is null)`
}
