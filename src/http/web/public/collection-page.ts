// `/collections/id`: accounts that somebody recommends.
import type { Account } from '#entities/account.ts'
import { html } from 'hono/html'
import { getCollection } from '#domain/reading/collections/queries.ts'
import { collectionUrl } from '#domain/server/instance/urls.ts'
import { getSettings } from '#domain/server/instance/settings.ts'
import { notFound } from '#lib/errors.ts'
import { stripHtml } from '#lib/html/html.ts'
import { isId } from '#lib/ids.ts'
import { viewCollectionWithAccounts } from '#views/content/collections.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { textParam } from '../kit/form.ts'
import { icon } from '../kit/icons.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { nameOf, renderAuthor, shorten, titleOf } from './post.ts'
import { numberText, renderName } from './post-parts.ts'
import { readerOf, refuseStranger, renderPublicPage } from './public-page.ts'
import type { Html } from '../kit/html.ts'
import { asId, type CollectionId } from '#lib/id.ts'

type Collection = Awaited<ReturnType<typeof viewCollectionWithAccounts>>['collection']

async function showCollection(call: PageCall): Promise<Response> {
  const refused = refuseStranger(call)
  if (refused) return refused
  const id = textParam(call.params, 'id')
  if (!isId(id)) throw notFound()
  const viewerId = readerOf(call)?.accountId ?? null
  const row = await getCollection(call.ctx, viewerId, asId<CollectionId>(id))
  // Those of other servers have a page there.
  if (!row.local) throw notFound()
  const [{ collection, accounts }, settings] = await Promise.all([
    viewCollectionWithAccounts(call.ctx, viewerId, row),
    getSettings(call.ctx),
  ])
  const shown = accounts
  const owner = shown.find((account) => account.id === row.account_id)
  if (!owner) throw notFound()
  const listed = new Set(collection.items.map((item) => item.account_id))
  const members = shown.filter((account) => listed.has(account.id))
  return renderPublicPage(call, {
    title: `${row.name} · ${titleOf(owner)}`,
    body: html`${renderHead(call, collection, owner)} ${renderMembers(call, collection, members)}`,
    preview: {
      url: collectionUrl(call.ctx.config, row.id),
      type: 'website',
      description: row.description || `${textsIn(call.language).pages.public.collectionBy} ${titleOf(owner)}`,
      image: owner.avatar_static,
      noindex:
        settings.noindex ||
        owner.noindex === true ||
        owner.limited === true ||
        !row.discoverable ||
        row.sensitive,
    },
  })
}

function renderHead(call: PageCall, collection: Collection, owner: Account): Html {
  const t = textsIn(call.language).pages.public
  const { tag, description, language, item_count: count } = collection
  const lang = language === null ? '' : html`lang="${language}"`
  const tagLink = tag === null ? '' : html` · <a href="${tag.url}">#<bdi>${tag.name}</bdi></a>`
  return html`<section class="collection">
    <p class="note">${icon('people')}${t.collection}</p>
    <h1 dir="auto" ${lang}>${renderName(collection.name, [])}</h1>
    ${description === '' ? '' : html`<p class="lead" dir="auto" ${lang}>${description}</p>`}
    <p class="soft">
      ${t.collectionBy} <a href="${owner.url}">${renderName(nameOf(owner), owner.emojis)}</a> ·
      ${t.accounts({ count, shown: numberText(call.language, count) })}${tagLink}
    </p>
  </section>`
}

function renderMembers(call: PageCall, collection: Collection, members: readonly Account[]): Html {
  const t = textsIn(call.language).pages.public
  if (members.length === 0) return html`<p class="empty">${t.collectionEmpty}</p>`
  const list = html`<ul class="people">
    ${members.map((account) => html`<li>${renderAuthor(account)} ${renderNote(account)}</li>`)}
  </ul>`
  if (!collection.sensitive) return list
  return html`<details class="veil">
    <summary>${t.collectionSensitive}</summary>
    ${list}
  </details>`
}

function renderNote(account: Account): Html | string {
  const note = shorten(stripHtml(account.note).replaceAll(/\s+/g, ' '), 160)
  return note === '' ? '' : html`<p dir="auto">${renderName(note, account.emojis)}</p>`
}

export const pages: readonly Page[] = [
  {
    method: 'GET',
    path: '/collections/:id{[0-9]+}',
    replicated: true,
    handle: showCollection,
    app: (call) => [`/api/v1/collections/${encodeURIComponent(textParam(call.params, 'id'))}`],
  },
]
