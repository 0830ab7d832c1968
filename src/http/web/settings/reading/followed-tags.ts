// Hashtags whose posts come home.
import { html } from 'hono/html'
import { followTag, unfollowTag } from '#domain/content/tags/follow-tag.ts'
import { isTagName, listFollowedTags } from '#domain/content/tags/queries.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { forViewerAt } from '#http/web/kit/for-viewer.ts'
import { renderField, renderForm, textParam } from '#http/web/kit/form.ts'
import { redirectTo } from '#http/web/kit/layout.ts'
import type { Page, PageCall } from '#http/web/kit/page.ts'
import type { IdCursor } from '#lib/id.ts'
import { isId } from '#lib/ids.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { renderSettings, saveAndReturn } from '../settings-page.ts'

const path = '/settings/followed_tags'
const perPage = 100

async function show(call: PageCall, viewer: Viewer, problem?: string): Promise<Response> {
  const t = textsIn(call.language).pages.settings
  const asked = textParam(call.params, 'max_id')
  const before = isId(asked) ? { maxId: asked as IdCursor } : {}
  const page = await listFollowedTags(call.ctx, viewer.accountId, { limit: perPage, ...before })
  const rows = page.items.map(
    ({ display_name: name }) =>
      html`<li>
        <a href="/tags/${name}"><bdi>#${name}</bdi></a>
        ${renderForm(call, {
          action: `${path}/remove`,
          fields: [],
          hidden: { name },
          submit: t.followedTags.unfollow,
          about: `#${name}`,
          quiet: true,
        })}
      </li>`,
  )
  const name = renderField({
    name: 'name',
    label: t.featuredTags.name,
    value: problem === undefined ? '' : textParam(call.params, 'name'),
    problem,
  })
  const older =
    page.full && page.oldest !== null
      ? html`<p><a href="${path}?max_id=${page.oldest}">${t.relations.older}</a></p>`
      : ''
  const body = html`<p>${t.followedTags.hint}</p>
    ${renderForm(call, { action: path, fields: [name], submit: t.followedTags.follow })}
    ${
      rows.length === 0
        ? ''
        : html`<ul class="rows">
            ${rows}
          </ul>`
    }
    ${older}`
  return renderSettings(call, { title: t.places[path].name, body, problem })
}

async function follow(call: PageCall, viewer: Viewer): Promise<Response> {
  const name = textParam(call.params, 'name').trim()
  if (!isTagName(name)) return show(call, viewer, textsIn(call.language).pages.settings.noTag)
  return saveAndReturn(
    call,
    path,
    () => followTag(call.ctx, viewer, name),
    (problem) => show(call, viewer, problem),
  )
}

async function unfollow(call: PageCall, viewer: Viewer): Promise<Response> {
  await unfollowTag(call.ctx, viewer, textParam(call.params, 'name'))
  return redirectTo(path)
}

const forViewer = forViewerAt(path)

export const pages: readonly Page[] = [
  { method: 'GET', path: '/settings/followed_tags', handle: forViewer((call, viewer) => show(call, viewer)) },
  { method: 'POST', path: '/settings/followed_tags', handle: forViewer(follow) },
  { method: 'POST', path: '/settings/followed_tags/remove', handle: forViewer(unfollow) },
]
