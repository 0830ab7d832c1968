// Who publishes the pages of preview cards, known by a domain. Staff decide about all of a publisher's pages at once.
import { sql, type Selectable } from 'kysely'
import type { PreviewCardProvidersTable } from '#db/schema/moderation.ts'
import { getDomain } from 'tldts'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { notFound } from '#lib/errors.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import type { PreviewCardProviderId } from '#lib/id.ts'

export interface Publisher extends Pick<
  Selectable<PreviewCardProvidersTable>,
  'id' | 'domain' | 'reviewed_at' | 'requested_review_at'
> {
  trendable: boolean | null
}

const columns = sql`id, domain, trendable, reviewed_at, requested_review_at`

/** All publishers, those heard of last first. */
export async function listPublishers(reader: Reader, page: PageRequest): Promise<Page<Publisher>> {
  const { rows } = await sql<Publisher>`
    select ${columns} from preview_card_providers where ${inPage('id', page)} ${orderAndLimit('id', page)}`.execute(
    reader.db,
  )
  return toPage(rows, page, (row) => row.id)
}

/** Throws `not_found`. */
export async function getPublisher(reader: Reader, id: PreviewCardProviderId): Promise<Publisher> {
  const { rows } =
    await sql<Publisher>`select ${columns} from preview_card_providers where id = ${id}`.execute(reader.db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

/**
 * The domain by which the publisher of a page is known: the one that was registered, also where a host gives names to
 * its customers (`blog.example.com` is `example.com`, `someone.github.io` stays). Names below it cost nothing, so a
 * decision about one of them would decide nothing. Null for what is no address of a page.
 */
export function publisherOf(url: string): string | null {
  if (!URL.canParse(url)) return null
  const host = new URL(url).hostname.toLowerCase().replace(/\.$/, '')
  if (host === '') return null
  return getDomain(host, { allowPrivateDomains: true }) ?? host
}

/** The ids of publishers by domain, made where they are new. */
export async function ensurePublishers(
  tx: Tx,
  domains: Iterable<string>,
): Promise<Map<string, PreviewCardProviderId>> {
  const wanted = [...new Set(domains)].toSorted()
  if (wanted.length === 0) return new Map()
  const now = new Date(tx.clock.now())
  const { rows } = await sql<{ id: PreviewCardProviderId; domain: string }>`
    with wanted as (
      select * from unnest(${wanted.map(() => tx.newId())}::bigint[], ${wanted}::text[]) w (id, domain)),
    made as (
      insert into preview_card_providers (id, domain, created_at, updated_at)
      select w.id, w.domain, ${now}::timestamptz, ${now}::timestamptz from wanted w
      where not exists (select 1 from preview_card_providers p where p.domain = w.domain) order by w.domain
      on conflict (domain) do update set domain = excluded.domain
      returning id, domain)
    select id, domain from made
    union all select p.id, p.domain from wanted w join preview_card_providers p on p.domain = w.domain`.execute(
    tx.db,
  )
  return new Map(rows.map((row) => [row.domain, row.id]))
}

/** Publishers are kept this long after the last card of theirs went, unless staff decided about them, in milliseconds. */
const unusedKept = 30 * 86_400_000
const batch = 500

/** Forgets publishers of whom there is no card any more, and about whom nobody decided anything. Returns how many. */
export async function purgePublishers(ctx: Ctx): Promise<number> {
  const before = new Date(ctx.clock.now() - unusedKept)
  let purged = 0
  // Each batch begins behind the one before: those who stay are looked at once.
  for (let after = '0'; ;) {
    const { rows } = await sql<{ id: PreviewCardProviderId }>`
      with gone as (
        delete from preview_card_providers where id in (
        select p.id from preview_card_providers p
        where p.id > ${after}::bigint and p.reviewed_at is null and p.created_at < ${before}
          and not exists (select 1 from preview_cards c where c.provider_id = p.id offset 0)
        order by p.id limit ${batch})
        returning id)
      select id from gone order by id`.execute(ctx.db)
    purged += rows.length
    if (rows.length < batch) return purged
    after = rows.at(-1)?.id ?? after
  }
}
