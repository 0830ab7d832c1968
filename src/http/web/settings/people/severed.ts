// Follows that ended because a server was blocked or an account suspended, with the names to take along.
import { html } from 'hono/html'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { listSeverances, type OwnSeverance } from '#domain/social/relationships/severances.ts'
import { exportSevered } from '#domain/transfer/portability/export-severed.ts'
import { forViewerAt } from '#http/web/kit/for-viewer.ts'
import { textParam } from '#http/web/kit/form.ts'
import type { Html } from '#http/web/kit/html.ts'
import type { Page, PageCall } from '#http/web/kit/page.ts'
import { renderTime } from '#http/web/public/post-parts.ts'
import { notFound } from '#lib/errors.ts'
import { asId, type AccountSeveranceId } from '#lib/id.ts'
import { isId } from '#lib/ids.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { csvResponse, streamOf } from '#http/kit/csv-response.ts'
import { renderSettings } from '../settings-page.ts'

const path = '/severed_relationships'

async function show(call: PageCall, viewer: Viewer): Promise<Response> {
  const t = textsIn(call.language).pages.settings
  const severances = await listSeverances(call.ctx, viewer.accountId)
  const body = html`<p>${t.severed.hint}</p>
    ${
      severances.length === 0
        ? html`<p class="soft">${t.severed.none}</p>`
        : html`<ul class="rows">
            ${severances.map((one) => renderSeverance(call, one))}
          </ul>`
    }
    <p><a href="/settings/imports">${textsIn(call.language).pages.portability.toImport}</a></p>`
  return renderSettings(call, { title: t.places[path].name, body })
}

function renderSeverance(call: PageCall, row: OwnSeverance): Html {
  const t = textsIn(call.language).pages.settings.severed
  const link = (file: 'following' | 'followers', known: number, words: string) =>
    known === 0 ? '' : html`<a class="button" href="${path}/${row.id}/${file}.csv">${words}</a>`
  const known = row.followers_known + row.following_known
  const isWhole = known === row.followers_count + row.following_count
  return html`<li>
    <div>
      <strong>${t.types[row.type]({ name: row.target_name })}</strong>
      <span class="soft">${renderTime(call.language, row.created_at.toISOString())}</span><br />
      <small>${t.lost({ followers: row.followers_count, following: row.following_count })}</small>
      ${isWhole ? '' : html`<br /><small>${known === 0 ? t.unknown : t.fewer}</small>`}
    </div>
    ${link('following', row.following_known, t.following)}
    ${link('followers', row.followers_known, t.followers)}
  </li>`
}

const download = (direction: 'follower' | 'following', name: string) =>
  forViewer(async (call, viewer) => {
    const id = textParam(call.params, 'id')
    if (!isId(id)) throw notFound()
    const severance = { id: asId<AccountSeveranceId>(id), accountId: viewer.accountId, direction }
    return csvResponse(`${name}-${id}.csv`, streamOf(await exportSevered(call.ctx, severance)))
  })

const forViewer = forViewerAt(path)

export const pages: readonly Page[] = [
  { method: 'GET', path: '/severed_relationships', personal: true, handle: forViewer(show) },
  {
    method: 'GET',
    path: '/severed_relationships/:id/following.csv',
    personal: true,
    handle: download('following', 'severed_following'),
  },
  {
    method: 'GET',
    path: '/severed_relationships/:id/followers.csv',
    personal: true,
    handle: download('follower', 'severed_followers'),
  },
]
