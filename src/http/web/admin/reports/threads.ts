// The posts that a report names, each in its thread as far as the viewer may read it.
import { html } from 'hono/html'
import type { AdminReport } from '#entities/admin/report.ts'
import type { Status } from '#entities/status.ts'
import { listContext } from '#domain/content/statuses/context.ts'
import { pick } from '#lib/collections.ts'
import { isAppError } from '#lib/errors.ts'
import { asId, type StatusId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { loadThreadViews } from '#views/content/statuses.ts'
import { textParam } from '../../kit/form.ts'
import type { Html } from '../../kit/html.ts'
import { renderPost } from '../../public/post.ts'
import type { DeskCall } from '../kit/admin-page.ts'
import { hrefWith } from '../kit/links.ts'
import { renderBadge, renderPanel } from '../kit/parts.ts'

/** Posts before and after it that are shown. */
const maxAround = 5

/** All of them, with what stands around one: the one that the address names, else the first. */
export async function renderThreads(call: DeskCall, { statuses }: AdminReport): Promise<Html> {
  const t = textsIn(call.language).pages.admin.report
  if (statuses.length === 0) return renderPanel(t.posts, html`<p class="soft">${t.noPosts}</p>`)
  const named = textParam(call.params, 'thread')
  const opened = statuses.find(({ id }) => id === named) ?? statuses[0]
  const parts: Html[] = []
  for (const status of statuses)
    parts.push(status === opened ? await renderThread(call, status) : renderAlone(call, status))
  return renderPanel(t.posts, html`${parts}`)
}

const renderReported = (call: DeskCall, status: Status): Html =>
  html`<div class="reported">
    ${renderBadge(textsIn(call.language).pages.admin.report.reported, 'alarm')}
    ${renderPost(call.language, status)}
  </div>`

const renderAlone = (call: DeskCall, status: Status): Html =>
  html`${renderReported(call, status)}
    <p>
      <a href="${hrefWith(call, { thread: status.id })}"
        >${textsIn(call.language).pages.admin.report.thread}</a
      >
    </p>`

async function renderThread(call: DeskCall, status: Status): Promise<Html> {
  const { before, after } = await loadAround(call, asId<StatusId>(status.id))
  return html`<div class="thread">
    ${before.map((one) => renderPost(call.language, one))} ${renderReported(call, status)}
    ${after.map((one) => renderPost(call.language, one))}
  </div>`
}

async function loadAround(call: DeskCall, id: StatusId): Promise<{ before: Status[]; after: Status[] }> {
  try {
    const thread = await listContext(call.ctx, call.viewer.accountId, id, { withAll: true })
    const [ancestors, descendants] = [
      thread.ancestors.slice(-maxAround),
      thread.descendants.slice(0, maxAround),
    ]
    const views = await loadThreadViews(call.ctx, call.viewer, { ...thread, ancestors, descendants })
    return { before: pick(ancestors, views), after: pick(descendants, views) }
  } catch (error) {
    // Reported to staff, and not else for their eyes.
    if (isAppError(error, 'not_found')) return { before: [], after: [] }
    throw error
  }
}
