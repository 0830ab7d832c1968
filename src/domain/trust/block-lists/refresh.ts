// Fetches the lists that staff subscribed to, once a day.
import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { RemoteError } from '#ports/http-client.ts'
import { notFound } from '#lib/errors.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'
import { maxListBytes } from './import.ts'
import { parseList, type ListedHost } from './parse-list.ts'
import { reconcileLists } from './reconcile.ts'
import type { BlockListSubscriptionId } from '#lib/id.ts'

const day = 86_400_000
/** A little less than a day, so that a daily job finds each of them due. */
const freshFor = day - 3_600_000
const types = ['text/csv', 'text/plain', 'application/csv', 'application/json', 'application/octet-stream']
const batch = 1000

interface Due {
  id: BlockListSubscriptionId
  url: string
  etag: string | null
  entries: number
}

/** Fetches those lists that were not asked for since yesterday, and brings the blocks in line. */
export async function refreshDueLists(ctx: Ctx): Promise<void> {
  const { rows } = await sql<{ id: BlockListSubscriptionId }>`
    select id from block_list_subscriptions
    where tried_at is null or tried_at < ${new Date(ctx.clock.now() - freshFor)} order by id`.execute(ctx.db)
  for (const { id } of rows) {
    await refreshList(ctx, id).catch((error: unknown) => {
      // One list must not keep the others from being fetched; this one has its turn in an hour again.
      ctx.log.error({ subscriptionId: id, error: String(error) }, 'a block list could not be refreshed')
    })
  }
}

/**
 * Fetches one list. One that cannot be had, is no list, or has suddenly lost most of its entries leaves everything as it
 * is, and says so where staff see it; `force` believes the last kind. Returns what went wrong, or null.
 */
export async function refreshList(
  ctx: Ctx,
  id: BlockListSubscriptionId,
  { force = false } = {},
): Promise<string | null> {
  const list = await findDue(ctx, id)
  if (!list) return null
  const outcome = await fetchList(ctx, list, force)
  const now = new Date(ctx.clock.now())
  if (typeof outcome === 'string') {
    await sql`
      update block_list_subscriptions set tried_at = ${now}, error = ${outcome} where id = ${id}`.execute(
      ctx.db,
    )
    return outcome
  }
  await store(ctx, list, outcome)
  await reconcileLists(ctx)
  return null
}

/** `refreshList` because staff want it now. Throws `not_found`. */
export async function refreshByStaff(
  ctx: Ctx,
  staff: Staff,
  id: BlockListSubscriptionId,
  force: boolean,
): Promise<string | null> {
  const list = await findDue(ctx, id)
  if (!list) throw notFound()
  await ctx.transaction((tx) =>
    recordAction(tx, staff, {
      action: 'refresh',
      targetType: 'block_list_subscription',
      targetId: id,
      label: list.url,
      details: { force },
    }),
  )
  return refreshList(ctx, id, { force })
}

async function findDue(reader: Reader, id: BlockListSubscriptionId): Promise<Due | undefined> {
  const { rows } = await sql<Due>`
    select s.id, s.url, s.etag, (select count(*)::int from block_list_entries e where e.subscription_id = s.id) as entries
    from block_list_subscriptions s where s.id = ${id}`.execute(reader.db)
  return rows[0]
}

/** `hosts` null: it is what it was. */
interface Fetched {
  hosts: ListedHost[] | null
  etag: string | null
}

async function fetchList(ctx: Ctx, list: Due, force: boolean): Promise<Fetched | string> {
  const headers: Record<string, string> = { accept: types.join(', ') }
  if (list.etag && !force) headers['if-none-match'] = list.etag
  try {
    const answer = await ctx.http.send({
      url: list.url,
      maxBytes: maxListBytes,
      types,
      headers,
      timeout: 30_000,
    })
    if (answer.status === 304) return { hosts: null, etag: list.etag }
    if (answer.status !== 200) return `It answered ${answer.status}`
    return readList(answer.body.toString('utf8'), { ...list, etag: answer.headers.get('etag') }, force)
  } catch (error) {
    if (error instanceof RemoteError) return `It could not be fetched (${error.problem})`
    throw error
  }
}

function readList(text: string, list: Due, force: boolean): Fetched | string {
  const hosts = parseList(text)?.hosts
  if (!hosts || hosts.length === 0) return 'It is not a list of domains'
  if (!force && hosts.length < list.entries / 2)
    return `It has ${hosts.length} domains, and had ${list.entries}: nothing was changed`
  return { hosts, etag: list.etag }
}

/** Nothing when the list was ended or is to be had elsewhere meanwhile: that one is fetched by itself. */
async function store(ctx: Ctx, { id, url }: Due, { hosts, etag }: Fetched): Promise<void> {
  const now = new Date(ctx.clock.now())
  await ctx.transaction(async (tx) => {
    const { rows } = await sql`
      update block_list_subscriptions set tried_at = ${now}, fetched_at = ${now}, error = null, etag = ${etag}
      where id = ${id} and url = ${url} returning id`.execute(tx.db)
    if (!hosts || rows.length === 0) return
    await sql`delete from block_list_entries where subscription_id = ${id}`.execute(tx.db)
    for (let from = 0; from < hosts.length; from += batch) {
      const some = hosts.slice(from, from + batch)
      await sql`
        insert into block_list_entries (subscription_id, domain, severity, reject_media, reject_reports, obfuscate,
          public_comment)
        select ${id}, r.* from jsonb_to_recordset(${JSON.stringify(some.map(toRow))}::jsonb) as r (domain text,
          severity text, reject_media boolean, reject_reports boolean, obfuscate boolean, public_comment text)`.execute(
        tx.db,
      )
    }
  })
}

const toRow = (host: ListedHost) => ({
  domain: host.domain,
  severity: host.severity,
  reject_media: host.rejectMedia,
  reject_reports: host.rejectReports,
  obfuscate: host.obfuscate,
  public_comment: host.publicComment,
})
