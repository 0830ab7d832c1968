// The hashtags that stand on somebody's profile.
import { html } from 'hono/html'
import {
  featureTag,
  listFeaturedTags,
  suggestFeaturedTags,
  unfeatureTag,
  type FeaturedTagRow,
} from '#domain/content/tags/featured-tags.ts'
import { isTagName, type TagFacts } from '#domain/content/tags/queries.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { forViewerAt } from '#http/web/kit/for-viewer.ts'
import { renderField, renderForm, textParam } from '#http/web/kit/form.ts'
import type { Html } from '#http/web/kit/html.ts'
import { redirectTo } from '#http/web/kit/layout.ts'
import type { Page, PageCall } from '#http/web/kit/page.ts'
import { renderTime } from '#http/web/public/post-parts.ts'
import { isId } from '#lib/ids.ts'
import { notFound } from '#lib/errors.ts'
import { asId, type FeaturedTagId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { renderSettings, saveAndReturn } from '../settings-page.ts'

const path = '/settings/featured_tags'

async function show(call: PageCall, viewer: Viewer, problem?: string): Promise<Response> {
  const t = textsIn(call.language).pages.settings
  const [tags, suggested] = await Promise.all([
    listFeaturedTags(call.ctx, viewer.accountId),
    suggestFeaturedTags(call.ctx, viewer.accountId),
  ])
  const name = renderField({
    name: 'name',
    label: t.featuredTags.name,
    value: problem === undefined ? '' : textParam(call.params, 'name'),
    problem,
  })
  const body = html`<p>${t.featuredTags.hint}</p>
    ${renderForm(call, { action: path, fields: [name], submit: t.featuredTags.add })}
    ${renderSuggested(call, suggested)} ${renderFeatured(call, tags)}`
  return renderSettings(call, { title: t.places[path].name, body, problem })
}

function renderSuggested(call: PageCall, tags: readonly TagFacts[]): Html | string {
  if (tags.length === 0) return ''
  const t = textsIn(call.language).pages.settings.featuredTags
  const button = ({ display_name: name }: TagFacts) =>
    renderForm(call, { action: path, fields: [], hidden: { name }, submit: `#${name}`, quiet: true })
  return html`<p class="soft">${t.suggested}</p>
    <div class="actions">${tags.map(button)}</div>`
}

function renderFeatured(call: PageCall, tags: readonly FeaturedTagRow[]): Html | string {
  if (tags.length === 0) return ''
  const t = textsIn(call.language).pages.settings
  const rows = tags.map((tag) => {
    const since = tag.last_status_at && renderTime(call.language, tag.last_status_at.toISOString())
    const about = `#${tag.display_name}`
    const action = `${path}/${tag.id}/remove`
    return html`<li>
      <div>
        <strong><bdi>${about}</bdi></strong>
        <span class="soft"
          >${t.featuredTags.posts({ count: tag.statuses_count })}${since ? html` · ${since}` : ''}</span
        >
      </div>
      ${renderForm(call, { action, fields: [], submit: t.remove, about, quiet: true })}
    </li>`
  })
  return html`<h2>${t.featuredTags.yours}</h2>
    <ul class="rows">
      ${rows}
    </ul>`
}

async function add(call: PageCall, viewer: Viewer): Promise<Response> {
  const name = textParam(call.params, 'name').trim()
  if (!isTagName(name)) return show(call, viewer, textsIn(call.language).pages.settings.noTag)
  return saveAndReturn(
    call,
    path,
    () => featureTag(call.ctx, viewer, name),
    (problem) => show(call, viewer, problem),
  )
}

async function remove(call: PageCall, viewer: Viewer): Promise<Response> {
  const id = textParam(call.params, 'id')
  if (!isId(id)) throw notFound()
  await unfeatureTag(call.ctx, viewer, { id: asId<FeaturedTagId>(id) })
  return redirectTo(path)
}

const forViewer = forViewerAt(path)

export const pages: readonly Page[] = [
  { method: 'GET', path: '/settings/featured_tags', handle: forViewer((call, viewer) => show(call, viewer)) },
  { method: 'POST', path: '/settings/featured_tags', handle: forViewer(add) },
  { method: 'POST', path: '/settings/featured_tags/:id{[0-9]+}/remove', handle: forViewer(remove) },
]
