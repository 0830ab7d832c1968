// What somebody wrote, and with whom they are connected, as pages of their own.
import { html } from 'hono/html'
import { readAccountStatuses } from '#domain/reading/timelines/account.ts'
import { listRelated } from '#domain/social/relationships/lists.ts'
import type { AccountId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { viewSeen } from '#views/content/statuses.ts'
import { viewAdminAccount, viewAdminAccounts } from '#views/identity/admin-accounts.ts'
import { hiddenFields, textParam } from '../../kit/form.ts'
import type { Page } from '../../kit/page.ts'
import { renderPost } from '../../public/post.ts'
import { adminPage, type DeskCall } from '../kit/admin-page.ts'
import { renderDesk } from '../kit/desk.ts'
import { pageOf, renderPager } from '../kit/links.ts'
import { idParam, wordParam } from '../kit/params.ts'
import { renderMoment, renderPerson, renderTabs } from '../kit/parts.ts'
import { renderTable } from '../kit/table.ts'
import { renderStates } from './accounts.ts'

const postsPerPage = 20

/** Their posts, to be ticked for a decision. */
async function showStatuses(call: DeskCall): Promise<Response> {
  const t = textsIn(call.language).pages.admin
  const id = idParam<AccountId>(call)
  const { account } = await viewAdminAccount(call.ctx, id)
  const options = { onlyMedia: textParam(call.params, 'media') === '1', excludeReblogs: true }
  const query = { accountId: id, options }
  const page = await readAccountStatuses(call.ctx, call.viewer.accountId, query, pageOf(call, postsPerPage))
  const statuses = await viewSeen(call.ctx, call.viewer, page)
  const tabs = renderTabs(call, [
    { label: t.account.allPosts, changes: { media: null } },
    { label: t.account.media, changes: { media: '1' } },
  ])
  const list = html`<form method="post" action="/admin/accounts/${id}/decide" class="bulk">
    ${hiddenFields(call.ctx, call.browser, { step: 'preview', send_email_notification: '1' })}
    <fieldset class="bar">
      <legend>${t.withTicked}</legend>
      ${(['mark_statuses_as_sensitive', 'delete_statuses'] as const).map(
        (type) =>
          html`<button type="submit" name="type" value="${type}" class="quiet">
            ${t.decisions[type].name}
          </button>`,
      )}
    </fieldset>
    ${statuses.map(
      (status) =>
        html`<div class="choice">
          <input type="checkbox" name="ids[]" value="${status.id}" aria-labelledby="post-${status.id}" />
          ${renderPost(call.language, status)}
        </div>`,
    )}
  </form>`
  const body = html`${tabs} ${statuses.length === 0 ? html`<p class="none">${t.account.noPosts}</p>` : list}
  ${renderPager(call, page)}`
  return renderDesk(call, {
    title: `${t.account.posts}: @${account.acct}`,
    trail: trailOf(call, id, account.acct),
    body,
    withPosts: true,
  })
}

const relations = ['followers', 'following'] as const

async function showRelationships(call: DeskCall): Promise<Response> {
  const t = textsIn(call.language).pages.admin
  const id = idParam<AccountId>(call)
  const { account } = await viewAdminAccount(call.ctx, id)
  const kind = wordParam(call, 'kind', relations) ?? 'followers'
  const page = await listRelated(call.ctx, kind, id, pageOf(call))
  const people = await viewAdminAccounts(call.ctx, page.items)
  const tabs = renderTabs(
    call,
    relations.map((one) => ({ label: t.account[one], changes: { kind: one } })),
  )
  const table = renderTable(call, {
    caption: t.account[kind],
    columns: [{ label: t.accounts.name }, { label: t.accounts.state }, { label: t.account.joined }],
    rows: people.map((one) => ({
      cells: [renderPerson(call, one.account), renderStates(call, one), renderMoment(call, one.created_at)],
    })),
    none: t.accounts.none,
  })
  return renderDesk(call, {
    title: `${t.account[kind]}: @${account.acct}`,
    trail: trailOf(call, id, account.acct),
    body: html`${tabs} ${table} ${renderPager(call, page)}`,
  })
}

const trailOf = (call: DeskCall, id: AccountId, acct: string) =>
  [
    ['/admin/accounts', textsIn(call.language).pages.admin.sections.accounts],
    [`/admin/accounts/${id}`, `@${acct}`],
  ] as const

export const pages: readonly Page[] = [
  adminPage({
    path: '/admin/accounts/:id{[0-9]+}/statuses',
    permission: 'manage_users',
    handle: showStatuses,
  }),
  adminPage({
    path: '/admin/accounts/:id{[0-9]+}/relationships',
    permission: 'manage_users',
    handle: showRelationships,
  }),
]
