import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { keepStatement, type Flag } from '#db/keep-statement.ts'
import { inPage, orderAndLimit, pageArguments, pageFrom } from '#db/paging.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { isUnblocked } from '#domain/identity/accounts/is-blocked.ts'
import { isMuted } from '#domain/social/relationships/mute-policy.ts'
import { listUnusable } from '#domain/content/tags/queries.ts'
import { notFound } from '#lib/errors.ts'
import { normaliseHashtag } from '#lib/text/hashtag.ts'
import { findFeedAccess, narrow } from './feed-access.ts'
import { readSeenPage, type SeenList, type SeenPage } from './seen-page.ts'
import { countOf } from './tag-rules.ts'
import type { AccountId, PreviewCardId, StatusId } from '#lib/id.ts'

export interface PublicOptions {
  local?: boolean | undefined
  remote?: boolean | undefined
  onlyMedia?: boolean | undefined
}

export interface TagOptions extends PublicOptions {
  any?: readonly string[] | undefined
  all?: readonly string[] | undefined
  none?: readonly string[] | undefined
}

/**
 * The public timeline: no boosts, no replies to others, nobody limited, nobody the viewer will not meet. What settings
 * keep from the viewer is left out here and below.
 */
export async function readPublic(
  ctx: Ctx,
  viewer: Viewer | null,
  asked: PublicOptions,
  page: PageRequest,
): Promise<SeenPage> {
  const options = narrow(asked, await findFeedAccess(ctx, viewer, 'live'))
  if (!options) return nothing(page)
  const look = async (decided: Flag, one: PageRequest) => {
    const { rows } = await askPublic(ctx.db, decided, ...sightArguments(ctx, viewer, options, one))
    return rows.map(({ id }) => id)
  }
  return readSeenPage(ctx, viewer?.accountId ?? null, page, {
    walk: (longer) => look(null, longer),
    has: hasPublic(options),
    exact: (one) => look('decided', one),
  })
}

const nothing = (page: PageRequest): SeenPage => ({ ...idsOf([], page), states: new Map() })

/** What of a public post's author decides whether a list has it: as `publicAuthor`, `statusNotFilteredFor` and `origin`. */
const hasPublic =
  ({ local, remote }: PublicOptions): SeenList['has'] =>
  ({ line, author }, { meets }) =>
    line.visibility === 'public' &&
    line.reblog_of_id === null &&
    !author.silenced &&
    meets(author) &&
    (local !== true || author.domain === null) &&
    (remote !== true || author.domain !== null)

/** `decided`: the database decides whom the viewer meets, and not what is kept of the authors. */
const askPublic = keepStatement((db: QueryExecutorProvider, decided: Flag, ...args: SightArguments) => {
  const { viewer, options, now, page } = sightFrom(args)
  const [authors, met] =
    decided === null
      ? [sql``, understoodBy(viewer)]
      : [
          sql`join accounts a on a.id = s.account_id`,
          sql`${publicAuthor} and ${statusNotFilteredFor(viewer, now)}`,
        ]
  return sql<{ id: StatusId }>`
    select s.id from statuses s ${authors}
    where s.visibility = 'public' and s.reblog_of_id is null and s.deleted_at is null
      and (not s.reply or s.in_reply_to_account_id = s.account_id)
      and ${origin(options, viewer)} and ${met} and ${inPage('s.id', page)}
    ${orderAndLimit('s.id', page)}`.execute(db)
})

/** Who looks at which statuses when, as the arguments of a kept statement. */
type SightArguments = [
  viewerId: AccountId | null,
  languages: readonly string[] | null,
  now: Date,
  local: Flag,
  remote: Flag,
  onlyMedia: Flag,
  ...page: ReturnType<typeof pageArguments>,
]

interface Sight {
  viewer: Onlooker | null
  options: PublicOptions
  now: Date
  page: PageRequest
}

type Onlooker = Pick<Viewer, 'accountId' | 'chosenLanguages'>

const sightArguments = (
  reader: Reader,
  viewer: Viewer | null,
  { local, remote, onlyMedia }: PublicOptions,
  page: PageRequest,
): SightArguments => [
  viewer?.accountId ?? null,
  viewer?.chosenLanguages ?? null,
  new Date(reader.clock.now()),
  local ? 'local' : null,
  remote ? 'remote' : null,
  onlyMedia ? 'media' : null,
  ...pageArguments(page),
]

const sightFrom = ([viewerId, languages, now, local, remote, media, ...page]: SightArguments): Sight => ({
  viewer: viewerId === null ? null : { accountId: viewerId, chosenLanguages: languages },
  options: { local: local !== null, remote: remote !== null, onlyMedia: media !== null },
  now,
  page: pageFrom(...page),
})

/** At most this many tags of each kind are read from a request. */
const maxTags = 4

/**
 * Public statuses with a hashtag, or any of the further ones; replies are in. Unknown tags are empty. Throws `not_found`
 * for one that staff let nobody use.
 */
export async function readTag(
  ctx: Ctx,
  viewer: Viewer | null,
  query: { name: string; options: TagOptions },
  page: PageRequest,
): Promise<SeenPage> {
  const options = narrow(query.options, await findFeedAccess(ctx, viewer, 'topic'))
  if (!options) return nothing(page)
  const any = names([query.name, ...(options.any ?? [])], maxTags + 1)
  const found = await readSeenPage(ctx, viewer?.accountId ?? null, page, {
    ...(isOfAuthors(viewer, options) && { walk: (longer) => walkTags(ctx, any, longer) }),
    has: hasPublic(options),
    exact: (one) => listTagged(ctx, viewer, { any, options }, one),
  })
  if (found.items.length === 0 && (await listUnusable(ctx, any.slice(0, 1))).length > 0) throw notFound()
  return found
}

/** Nothing is asked of the posts themselves: what is kept of them and their authors decides. */
const isOfAuthors = (viewer: Onlooker | null, { onlyMedia, all, none }: TagOptions): boolean =>
  !onlyMedia && (viewer?.chosenLanguages ?? null) === null && !all?.length && !none?.length

async function walkTags({ db }: Reader, any: readonly string[], page: PageRequest): Promise<StatusId[]> {
  const { rows } = await askWalk(db, any, ...pageArguments(page))
  return rows.map(({ id }) => id)
}

const askWalk = keepStatement(
  (db: QueryExecutorProvider, any: readonly string[], ...cut: ReturnType<typeof pageArguments>) => {
    const page = pageFrom(...cut)
    return sql<{ id: StatusId }>`
      select distinct f.id from tags g
      cross join lateral (
        select st.status_id as id from status_tags st where st.tag_id = g.id and ${inPage('st.status_id', page)}
        ${orderAndLimit('st.status_id', page)}) f
      where g.name = any(${any}::text[]) and g.usable
      ${orderAndLimit('f.id', page)}`.execute(db)
  },
)

const askTag = keepStatement((db: QueryExecutorProvider, any: readonly string[], ...sight: SightArguments) =>
  selectTagged(sql`g.name = any(${any}::text[]) and g.usable`, [], sightFrom(sight)).execute(db),
)

async function listTagged(
  reader: Reader,
  viewer: Viewer | null,
  { any, options }: { any: readonly string[]; options: TagOptions },
  page: PageRequest,
): Promise<StatusId[]> {
  const all = names(options.all ?? [], maxTags)
  const none = names(options.none ?? [], maxTags)
  const sight = sightArguments(reader, viewer, options, page)
  const { rows } =
    all.length === 0 && none.length === 0
      ? await askTag(reader.db, any, ...sight)
      : await selectByAll(reader, { any, all, none }, sight)
  return rows.map(({ id }) => id)
}

async function selectByAll(
  reader: Reader,
  { any, all, none }: Record<'any' | 'all' | 'none', readonly string[]>,
  sight: SightArguments,
) {
  const rarest = await findRarest(reader, any, all)
  const conditions = [
    ...(rarest === null ? [] : [sql`and ${hasTag(sql`g2.name = any(${any}::text[]) and g2.usable`)}`]),
    ...all.filter((name) => name !== rarest).map((name) => sql`and ${hasTag(sql`g2.name = ${name}`)}`),
    ...none.map((name) => sql`and not ${hasTag(sql`g2.name = ${name}`)}`),
  ]
  const looked = rarest === null ? sql`g.name = any(${any}::text[]) and g.usable` : sql`g.name = ${rarest}`
  return selectTagged(looked, conditions, sightFrom(sight)).execute(reader.db)
}

/** A page of each tag, which its index has in this order: a tag of few posts is not looked for among those of all others. */
function selectTagged(
  looked: RawBuilder<unknown>,
  conditions: readonly RawBuilder<unknown>[],
  { viewer, options, now, page }: Sight,
) {
  return sql<{ id: StatusId }>`
    select distinct f.id from tags g
    cross join lateral (
      select s.id from status_tags st
      join statuses s on s.id = st.status_id join accounts a on a.id = s.account_id
      where st.tag_id = g.id and s.visibility = 'public' and s.reblog_of_id is null and s.deleted_at is null
        ${sql.join(conditions, sql` `)}
        and ${origin(options, viewer)} and ${publicAuthor} and ${statusNotFilteredFor(viewer, now)}
        and ${inPage('st.status_id', page)}
      ${orderAndLimit('st.status_id', page)}) f
    where ${looked}
    ${orderAndLimit('f.id', page)}`
}

/** Of the status `s`: it has a tag `g2` of which this holds. `offset 0`: it is asked of each, and not all of a tag read. */
const hasTag = (which: RawBuilder<unknown>) => sql`exists (
  select 1 from status_tags t2 join tags g2 on g2.id = t2.tag_id where t2.status_id = s.id and ${which} offset 0)`

/** Of the tags that a post must have all, the one with fewest posts, where these are fewer than those with one of `any`. */
async function findRarest(
  reader: Reader,
  any: readonly string[],
  all: readonly string[],
): Promise<string | null> {
  if (all.length === 0) return null
  const { rows } = await sql<{ name: string; posts: number }>`
    select g.name, ${countOf(sql`g.id`)} as posts from tags g
    where g.name = any(${[...any, ...all]}::text[])`.execute(reader.db)
  const posts = new Map(rows.map((row) => [row.name, row.posts]))
  const of = (name: string) => posts.get(name) ?? 0
  const rarest = all.reduce((one, other) => (of(other) < of(one) ? other : one))
  return of(rarest) < any.reduce((sum, name) => sum + of(name), 0) ? rarest : null
}

/** Ids of public statuses with one of these link previews, by people who want to be found; replies are in. */
export async function listWithCards(
  reader: Reader,
  viewer: Viewer | null,
  cardIds: readonly PreviewCardId[],
  page: PageRequest,
): Promise<Page<StatusId>> {
  const options = narrow({}, await findFeedAccess(reader, viewer, 'topic'))
  if (!options) return idsOf([], page)
  const { rows } = await sql<{ id: StatusId }>`
    select f.id from unnest(${cardIds}::bigint[]) c (id)
    cross join lateral (
      select s.id from statuses s join accounts a on a.id = s.account_id
      where s.card_id = c.id and s.visibility = 'public' and s.reblog_of_id is null and s.deleted_at is null
        and a.discoverable and ${origin(options, viewer)} and ${publicAuthor} and ${statusNotFilteredFor(viewer, new Date(reader.clock.now()))}
        and ${inPage('s.id', page)}
      ${orderAndLimit('s.id', page)}) f
    ${orderAndLimit('f.id', page)}`.execute(reader.db)
  return idsOf(rows, page)
}

function names(list: readonly string[], max: number): string[] {
  return [...new Set(list.map(normaliseHashtag))].slice(0, max)
}

function idsOf(rows: readonly { id: StatusId }[], page: PageRequest): Page<StatusId> {
  const found = toPage(rows, page, (row) => row.id)
  return { ...found, items: found.items.map((row) => row.id) }
}

/** `media_ids <> '{}'` is spelled as the index of statuses with media has it. */
function origin(options: PublicOptions, viewer: Onlooker | null): RawBuilder<boolean> {
  const conditions = [viewer === null ? sql`not s.local_only` : sql`true`]
  if (options.local) conditions.push(sql`s.local`)
  else if (options.remote) conditions.push(sql`not s.local`)
  if (options.onlyMedia) conditions.push(sql`s.media_ids <> '{}'`)
  return sql`(${sql.join(conditions, sql` and `)})`
}

const publicAuthor: RawBuilder<boolean> = sql`(a.silenced_at is null and a.suspended_at is null and a.deleted_at is null)`

function understoodBy(viewer: Onlooker | null): RawBuilder<boolean> {
  const languages = viewer?.chosenLanguages ?? null
  return languages === null ? sql`true` : sql`(s.language is null or s.language = any(${languages}::text[]))`
}

/** The viewer's blocks, mutes, domain blocks and languages, and the blocks against them. */
function statusNotFilteredFor(viewer: Onlooker | null, now: Date): RawBuilder<boolean> {
  if (viewer === null) return sql`true`
  const me = viewer.accountId
  return sql`(${understoodBy(viewer)}
    and ${isUnblocked(me, sql`s.account_id`)}
    and not ${isMuted({ muter: me, muted: sql`s.account_id` }, now)}
    and (a.domain is null or not exists (
      select 1 from account_domain_blocks wd where wd.account_id = ${me} and wd.domain = a.domain)))`
}
