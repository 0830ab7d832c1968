// Posts that wait until staff have looked at them.
import { html } from 'hono/html'
import type { AdminHeldPost } from '#entities/admin/spam.ts'
import { listHeldPosts, rejectHeldPost } from '#domain/content/spam/held-posts.ts'
import { releaseHeldPost } from '#domain/content/statuses/publish/release-held-post.ts'
import { isAppError } from '#lib/errors.ts'
import { asId, type HeldPostId, type SpamRuleId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { viewHeldPosts } from '#views/trust/admin-spam.ts'
import { redirectWith } from '../../kit/flash.ts'
import type { Page } from '../../kit/page.ts'
import { adminPage, type DeskCall } from '../kit/admin-page.ts'
import { renderConfirm, requireTicked } from '../kit/confirm.ts'
import { renderDesk } from '../kit/desk.ts'
import { pageOf, renderPager } from '../kit/links.ts'
import { optionalId, wordParam } from '../kit/params.ts'
import { renderMoment, renderPerson } from '../kit/parts.ts'
import { renderBulk } from '../kit/table.ts'

const path = '/admin/held_posts'
const permission = 'manage_reports'
const actions = ['release', 'reject'] as const

async function show(call: DeskCall): Promise<Response> {
  const t = textsIn(call.language).pages.admin
  const page = await listHeldPosts(call.ctx, pageOf(call), optionalId<SpamRuleId>(call, 'rule_id'))
  const posts = await viewHeldPosts(call.ctx, page.items)
  const table = renderBulk(
    call,
    {
      caption: t.sections.held_posts,
      columns: [
        { label: t.heldPosts.by },
        { label: t.heldPosts.text },
        { label: t.heldPosts.rule },
        { label: t.reports.at },
      ],
      rows: posts.map((post) => renderRow(call, post)),
      none: t.heldPosts.none,
    },
    {
      action: `${path}/decide`,
      actions: [
        { value: 'release', label: t.heldPosts.actions.release },
        { value: 'reject', label: t.heldPosts.actions.reject, alarming: true },
      ],
    },
  )
  const body = html`<p>${t.heldPosts.hint}</p>
    ${table} ${renderPager(call, page)}`
  return renderDesk(call, { title: t.sections.held_posts, body })
}

function renderRow(call: DeskCall, post: AdminHeldPost) {
  const t = textsIn(call.language).pages.admin.heldPosts
  const name = post.account ? `@${post.account.acct}` : t.gone
  return {
    id: post.id,
    label: t.name({ name }),
    cells: [
      post.account ? renderPerson(call, post.account) : t.gone,
      html`<div class="said" dir="auto">${post.content}</div>
        ${post.uri === null ? '' : html`<a href="${post.uri}" rel="nofollow noopener">${t.original}</a>`}`,
      post.rule
        ? html`<a href="/admin/spam_rules/${post.rule.id}">${post.rule.name ?? t.noRule}</a>`
        : t.noRule,
      renderMoment(call, post.created_at),
    ],
  }
}

/** Letting through is done at once; refusing deletes, so it is asked about once more. */
async function decide(call: DeskCall): Promise<Response> {
  const t = textsIn(call.language).pages.admin.heldPosts
  const action = wordParam(call, 'action', actions) ?? 'release'
  const ids = requireTicked(call)
  if (action === 'release') return carryOut(call)
  return renderConfirm(call, {
    title: t.actions.reject,
    consequences: [t.rejectMeans, t.count({ count: ids.length })],
    action: `${path}/do`,
    hidden: { action },
    ids,
    submit: t.actions.reject,
    back: path,
  })
}

async function carryOut(call: DeskCall): Promise<Response> {
  const t = textsIn(call.language).pages.admin.heldPosts
  const action = wordParam(call, 'action', actions) ?? 'release'
  let [done, refused] = [0, 0]
  for (const id of requireTicked(call)) {
    if (await doOne(call, action, asId<HeldPostId>(id))) done++
    else refused++
  }
  const text =
    `${t.did[action]({ count: done })} ${refused === 0 ? '' : t.refused({ count: refused })}`.trim()
  return redirectWith(call, path, { text })
}

/** False where somebody else decided meanwhile, or its author could not publish it now. */
async function doOne(call: DeskCall, action: (typeof actions)[number], id: HeldPostId): Promise<boolean> {
  try {
    await (action === 'release' ? releaseHeldPost : rejectHeldPost)(call.ctx, call.viewer, id)
    return true
  } catch (error) {
    if ((['not_found', 'forbidden', 'invalid'] as const).some((code) => isAppError(error, code))) return false
    throw error
  }
}

export const pages: readonly Page[] = [
  adminPage({ path: '/admin/held_posts', permission, handle: show }),
  adminPage({ method: 'POST', path: '/admin/held_posts/decide', permission, handle: decide }),
  adminPage({ method: 'POST', path: '/admin/held_posts/do', permission, handle: carryOut }),
]
