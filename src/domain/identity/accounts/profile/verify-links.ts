// Links of a profile whose pages link back to it (rel=me, https://microformats.org/wiki/rel-me).
import { sql, type Selectable } from 'kysely'
import type { AccountsTable } from '#db/schema/accounts.ts'
import type { Ctx } from '#ports/ctx.ts'
import { RemoteError } from '#ports/http-client.ts'
import { actorUri, profileUrl } from '#domain/server/instance/urls.ts'
import { readHtml } from '#lib/html/read-html.ts'
import { readSoleLink } from '#lib/html/sole-link.ts'
import { renderLink } from '#lib/html/render-text.ts'
import type { ProfileField } from '../load.ts'
import type { AccountId } from '#lib/id.ts'

const pageBytes = 1024 * 1024
/** Pages that are fetched for one account. */
const max = 8
const patience = 10_000
/** Pages of one server for the profiles of everybody, in so many seconds: any profile can name any page. */
const perServer = { max: 60, seconds: 300 }

interface Profile extends Pick<Selectable<AccountsTable>, 'username' | 'domain' | 'uri' | 'url'> {
  fields: ProfileField[]
}

/**
 * Looks at the pages to which the fields of a profile link and that are not verified yet, and notes which link back.
 * What was verified stays so as long as the field stays the same. Idempotent.
 */
export async function verifyLinks(ctx: Ctx, accountId: AccountId): Promise<void> {
  const { rows } = await sql<Profile>`
    select username, domain, uri, url, fields from accounts
    where id = ${accountId} and deleted_at is null and suspended_at is null and fields <> '[]'`.execute(
    ctx.db,
  )
  const profile = rows[0]
  if (!profile) return
  const own = addressesOf(ctx, profile)
  const links = profile.fields.filter((field) => field.verified_at === null).map(linkOf)
  const wanted = [...new Set(links.filter((link) => link !== null))].slice(0, max)
  const verified: string[] = []
  for (const link of wanted) {
    if ((await mayAsk(ctx, link)) && (await linksBack(ctx, link, own))) verified.push(link)
  }
  if (verified.length > 0) await recordVerified(ctx, accountId, verified)
}

/** Has the links of a profile looked at again, soon. */
export async function requestLinkCheck(ctx: Ctx, accountId: AccountId): Promise<void> {
  await ctx.transaction((tx) => tx.emit({ type: 'link-check.requested', accountId }))
}

async function mayAsk(ctx: Ctx, link: string): Promise<boolean> {
  const { max: limit, seconds } = perServer
  const count = await ctx.kv.increment(`link-checks:${URL.parse(link)?.host}`, 1, seconds).catch(() => 0)
  return count <= limit
}

function addressesOf(ctx: Ctx, { username, domain, uri, url }: Profile): Set<string> {
  const { config } = ctx
  const addresses = domain === null ? [profileUrl(config, username), actorUri(config, username)] : [uri, url]
  return new Set(addresses.flatMap((address) => (address === null ? [] : comparable(address))))
}

const comparable = (address: string) => URL.parse(address)?.href.toLowerCase().replace(/\/$/, '') ?? []

/** The link that a field is. What is shown is what this server made of it, so that nothing of it is hidden. */
function linkOf({ html }: ProfileField): string | null {
  const link = readSoleLink(html)
  return link !== null && (html === renderLink(link, true) || html === renderLink(link)) ? link : null
}

async function linksBack(ctx: Ctx, url: string, own: ReadonlySet<string>): Promise<boolean> {
  try {
    const answer = await ctx.http.send({
      url,
      headers: { accept: 'text/html' },
      types: ['text/html', 'application/xhtml+xml'],
      maxBytes: pageBytes,
      longer: 'cut',
      timeout: patience,
    })
    return (
      answer.status === 200 &&
      isSamePage(url, answer.url) &&
      hasLinkTo(answer.body.toString('utf8'), answer.url, own)
    )
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    ctx.log.debug({ url, reason: error.message }, 'a page could not be asked whose it is')
    return false
  }
}

/** A redirect may add the last slash or the safe scheme; a page elsewhere says nothing about this one. */
function isSamePage(asked: string, answered: string): boolean {
  const [from, to] = [new URL(asked), new URL(answered)]
  const pathOf = ({ pathname, search }: URL) => pathname.replace(/\/$/, '') + search
  const isSecured = from.protocol === 'http:' && to.protocol === 'https:' && from.hostname === to.hostname
  return (from.origin === to.origin || isSecured) && pathOf(from) === pathOf(to)
}

function hasLinkTo(html: string, base: string, own: ReadonlySet<string>): boolean {
  let found = false
  readHtml(html, {
    open(name, attributes) {
      if (name !== 'a' && name !== 'link') return
      if (!(attributes.get('rel') ?? '').toLowerCase().split(/\s+/).includes('me')) return
      const href = URL.parse(attributes.get('href') ?? '', base)?.href
      if (href !== undefined && own.has(comparable(href) as string)) found = true
    },
    close() {},
    text() {},
    isForeign: () => false,
  })
  return found
}

/** The profile may have changed meanwhile: only fields that still are these links are noted. */
async function recordVerified(ctx: Ctx, accountId: AccountId, links: readonly string[]): Promise<void> {
  const now = new Date(ctx.clock.now())
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ fields: ProfileField[] }>`
      select fields from accounts where id = ${accountId} and deleted_at is null for update`.execute(tx.db)
    const before = rows[0]?.fields ?? []
    const after = before.map((field) => {
      const link = field.verified_at === null ? linkOf(field) : null
      return link !== null && links.includes(link) ? { ...field, verified_at: now.toISOString() } : field
    })
    if (JSON.stringify(before) === JSON.stringify(after)) return
    await sql`
      update accounts set fields = ${JSON.stringify(after)}::jsonb, version = version + 1, updated_at = ${now}
      where id = ${accountId}`.execute(tx.db)
  })
}
