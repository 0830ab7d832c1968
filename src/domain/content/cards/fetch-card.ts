import path from 'node:path'
import { sql, type RawBuilder } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { RemoteError } from '#ports/http-client.ts'
import type { MediaPreview } from '#ports/media-processor.ts'
import { findAccountByHandle } from '#domain/identity/accounts/queries.ts'
import { abandonFiles, storeFiles } from '#domain/content/media/files.ts'
import { inWorkspace } from '#domain/content/media/workspace.ts'
import { parseAcct } from '#lib/acct.ts'
import { isAppError } from '#lib/errors.ts'
import { newSecret } from '#lib/secrets.ts'
import { cardFresh } from './attach-card.ts'
import { ensurePublishers, publisherOf } from './providers.ts'
import { readCard, type CardFacts } from './read-card.ts'
import type { AccountId, PreviewCardId } from '#lib/id.ts'

const imageBytes = 8 * 1024 * 1024
/** A page that could not be fetched may be tried again by the next post this much later, in milliseconds. */
const retryAfter = 3_600_000

interface Stored {
  url: string
  image_key: string | null
  fresh: boolean
}

/**
 * Fetches a card that is not known or old, and shows it on all statuses that wait for it. What cannot be fetched stays
 * as it was. Idempotent.
 */
export async function fetchCard(ctx: Ctx, id: PreviewCardId): Promise<void> {
  const { rows } = await sql<Stored>`
    select url, image_key, coalesce(fetched_at > ${new Date(ctx.clock.now() - cardFresh)}, false) as fresh
    from preview_cards where id = ${id}`.execute(ctx.db)
  const stored = rows[0]
  if (!stored || stored.fresh) return
  try {
    const facts = await readCard(ctx, stored.url)
    if (facts) await inWorkspace(ctx, (folder) => saveCard(ctx, { id, facts, folder }))
    else await recordFetched(ctx, id, ctx.clock.now())
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    ctx.log.info({ url: stored.url, error: error.message }, 'a linked page could not be fetched')
    await recordFetched(ctx, id, ctx.clock.now() - cardFresh + retryAfter)
  }
}

async function recordFetched(ctx: Ctx, id: PreviewCardId, at: number): Promise<void> {
  await sql`update preview_cards set fetched_at = ${new Date(at)} where id = ${id}`.execute(ctx.db)
}

interface Found {
  id: PreviewCardId
  facts: CardFacts
  folder: string
}

async function saveCard(ctx: Ctx, { id, facts, folder }: Found): Promise<void> {
  const image = facts.image && (await fetchImage(ctx, facts.image.url, folder))
  const authorId = await findAuthor(ctx, facts)
  const key = image ? `preview_cards/${id}/${newSecret()}.${image.file.extension}` : null
  const files = image && key ? [{ key, path: image.file.path, contentType: image.file.contentType }] : []
  await storeFiles(ctx, files, (tx) => updateCard(tx, { id, facts, image, key, authorId }))
}

interface Saved {
  id: PreviewCardId
  facts: CardFacts
  image: MediaPreview | null
  key: string | null
  authorId: AccountId | null
}

async function updateCard(tx: Tx, { id, facts, image, key, authorId }: Saved): Promise<void> {
  const now = new Date(tx.clock.now())
  const domain = publisherOf(facts.url)
  const providerId = domain && (await ensurePublishers(tx, [domain])).get(domain)
  const { rows } = await sql<{ old_key: string | null }>`
    with shown as (update statuses set version = version + 1 where card_id = ${id})
    update preview_cards c set canonical_url = ${facts.url}, type = ${facts.type}, title = ${facts.title},
      description = ${facts.description}, language = ${facts.language}, author_name = ${facts.authorName},
      author_url = ${facts.authorUrl}, author_account_id = ${authorId}, provider_name = ${facts.providerName},
      provider_url = ${facts.providerUrl}, html = ${facts.html}, embed_url = ${facts.embedUrl},
      width = ${facts.width || (image?.width ?? 0)}, height = ${facts.height || (image?.height ?? 0)},
      image_key = ${key}, image_bytes = ${image?.file.bytes ?? 0}, image_description = ${facts.image?.alt ?? ''},
      blurhash = ${image?.blurhash ?? null}, published_at = ${facts.publishedAt}, fetched_at = ${now},
      provider_id = ${providerId}, trendable = coalesce(c.trendable, ${decisionAbout(facts.url)})
    from (select id, image_key from preview_cards where id = ${id} for update) old
    where c.id = old.id returning old.image_key as old_key`.execute(tx.db)
  // Removed meanwhile: then nobody names the new picture.
  await abandonFiles(tx, [rows[0] ? rows[0].old_key : key])
}

/** What staff decided about a page holds for every address it gets. */
function decisionAbout(url: string): RawBuilder<boolean | null> {
  return sql`(
    select d.trendable from preview_cards d
    where md5(coalesce(d.canonical_url, d.url)) = md5(${url}) and coalesce(d.canonical_url, d.url) = ${url}
      and d.trendable is not null
    limit 1)`
}

/** A card without its picture is still one. */
async function fetchImage(ctx: Ctx, url: string, folder: string): Promise<MediaPreview | null> {
  const source = path.join(folder, 'image')
  try {
    const answer = await ctx.http.download({
      url,
      path: source,
      headers: { accept: 'image/*' },
      types: ['image/*', 'application/octet-stream'],
      maxBytes: imageBytes,
    })
    return answer.status === 200 ? await ctx.media.preview(source, folder) : null
  } catch (error) {
    if (!(error instanceof RemoteError) && !isAppError(error, 'invalid')) throw error
    ctx.log.debug({ url, error: error.message }, 'the picture of a linked page could not be used')
    return null
  }
}

/** The account a page names as its author, when that account says that it writes for this site. */
async function findAuthor(ctx: Ctx, facts: CardFacts): Promise<AccountId | null> {
  const named = facts.creator === null ? null : parseAcct(facts.creator)
  if (!named) return null
  const local = named.domain === null || named.domain === ctx.config.localDomain
  const account = await findAccountByHandle(ctx, named.username, local ? null : named.domain)
  if (!account || account.suspended_at) return null
  const { rows } = await sql<{ attribution_domains: string[] }>`
    select attribution_domains from accounts where id = ${account.id}`.execute(ctx.db)
  const host = new URL(facts.url).hostname
  const vouched = rows[0]?.attribution_domains.some(
    (domain) => host === domain || host.endsWith(`.${domain}`),
  )
  return vouched ? account.id : null
}
