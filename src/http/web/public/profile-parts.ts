// Who an account is, as its page shows it.
import type { Account } from '#entities/account.ts'
import { html } from 'hono/html'
import { actorUri, collectionUrl } from '#domain/server/instance/urls.ts'
import type { CollectionRow } from '#domain/reading/collections/queries.ts'
import type { FeaturedTagRow } from '#domain/content/tags/featured-tags.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { renderRichText } from '../kit/emojify.ts'
import { icon } from '../kit/icons.ts'
import type { PageCall } from '../kit/page.ts'
import { renderInteractForm } from './interact-form.ts'
import { nameOf } from './post.ts'
import { numberText, renderName, renderTime } from './post-parts.ts'
import type { Html } from '../kit/html.ts'

/** What people put on their profile for others to find. */
export interface Featured {
  tags: readonly FeaturedTagRow[]
  collections: readonly CollectionRow[]
}

/** The picture across the page. */
export function renderHeader(account: Account): Html {
  return html`<div class="banner">
    <img src="${account.header_static}" alt="${account.header_description ?? ''}" />
  </div>`
}

/** The account without its posts. */
export function renderProfile(call: PageCall, account: Account, featured: Featured): Html {
  const t = textsIn(call.language).pages.public
  const acct = `@${account.username}@${call.ctx.config.localDomain}`
  const badges = [
    ...(account.roles ?? []).map((role) => role.name),
    ...(account.bot ? [t.bot] : []),
    ...(account.locked ? [t.locked] : []),
    ...(account.memorial ? [t.memorial] : []),
  ]
  return html`<section class="profile">
    <img
      class="face"
      src="${account.avatar_static}"
      alt="${account.avatar_description ?? ''}"
      width="112"
      height="112"
    />
    <h1>${renderName(nameOf(account), account.emojis)}</h1>
    <p class="handle">${acct}${badges.map((badge) => html` <span class="badge">${badge}</span>`)}</p>
    ${renderMoved(call, account)}
    <div class="content" dir="auto">${renderRichText(account.note, account.emojis)}</div>
    ${renderFields(call, account)}
    <ul class="counts">
      <li>
        ${t.posts({ count: account.statuses_count, shown: numberText(call.language, account.statuses_count) })}
      </li>
      <li>
        ${t.followers({ count: account.followers_count, shown: numberText(call.language, account.followers_count) })}
      </li>
      <li>${t.following({ shown: numberText(call.language, account.following_count) })}</li>
    </ul>
    ${renderFollow(call, account)} ${renderFeatured(call, account, featured)}
  </section>`
}

/** People of this server follow by their app; strangers from their own server. */
function renderFollow(call: PageCall, account: Account): Html {
  if (!call.viewer)
    return renderInteractForm(call.language, 'follow', actorUri(call.ctx.config, account.username))
  const query = new URLSearchParams({ uri: account.url })
  const { follow } = textsIn(call.language).pages.remote
  return html`<p class="actions"><a class="button" href="/authorize_interaction?${query}">${follow}</a></p>`
}

function renderMoved(call: PageCall, account: Account): Html | string {
  if (!account.moved) return ''
  const { moved } = account
  return html`<p class="notice">
    ${renderName(nameOf(account), account.emojis)} ${textsIn(call.language).pages.public.moved}
    <a href="${moved.url}">@${moved.acct}</a>
  </p>`
}

function renderFields(call: PageCall, account: Account): Html {
  const t = textsIn(call.language).pages.public
  const rows = account.fields.map((field) => {
    const verified =
      field.verified_at === null ? '' : html`<span title="${t.verified}">${icon('check')}</span>`
    return html`<div class="${field.verified_at === null ? 'field' : 'field verified'}">
      <dt dir="auto">${renderName(field.name, account.emojis)}</dt>
      <dd dir="auto">${verified}${renderRichText(field.value, account.emojis)}</dd>
    </div>`
  })
  const joined = renderTime(call.language, account.created_at)
  return html`<dl class="fields">
    ${rows}
    <div class="field">
      <dt>${t.joined}</dt>
      <dd>${joined}</dd>
    </div>
  </dl>`
}

/** Hashtags and collections, each a link. */
function renderFeatured(call: PageCall, account: Account, { tags, collections }: Featured): Html | string {
  if (tags.length + collections.length === 0) return ''
  const { config } = call.ctx
  const tagged = tags.map(
    (tag) =>
      html`<li>
        <a href="/@${account.username}/tagged/${encodeURIComponent(tag.name)}"
          ><span>#<bdi>${tag.display_name}</bdi></span
          ><small>${numberText(call.language, tag.statuses_count)}</small></a
        >
      </li>`,
  )
  const collected = collections.map(
    (collection) =>
      html`<li>
        <a href="${collectionUrl(config, collection.id)}">${icon('people')}<bdi>${collection.name}</bdi></a>
      </li>`,
  )
  return html`<ul class="chips" aria-label="${textsIn(call.language).pages.public.featured}">
    ${tagged} ${collected}
  </ul>`
}
