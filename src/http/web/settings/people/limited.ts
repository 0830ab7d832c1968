// Whom somebody blocks or mutes, and whole servers that they do not want to hear of: without scripts, as in the app.
import { html } from 'hono/html'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { findOrFetchAccount } from '#domain/reading/search/resolve-named.ts'
import { blockAccount, unblockAccount } from '#domain/social/relationships/block.ts'
import { hideDomain, listHiddenDomains, showDomain } from '#domain/social/relationships/domain-blocks.ts'
import { listRelated } from '#domain/social/relationships/lists.ts'
import { muteAccount, unmuteAccount } from '#domain/social/relationships/mute.ts'
import type { Account, MutedAccount } from '#entities/account.ts'
import { oneOf } from '#http/web/kit/controls.ts'
import { forViewerAt } from '#http/web/kit/for-viewer.ts'
import { renderField, renderForm, renderSelect, textParam } from '#http/web/kit/form.ts'
import type { Html } from '#http/web/kit/html.ts'
import { redirectTo } from '#http/web/kit/layout.ts'
import type { Page, PageCall } from '#http/web/kit/page.ts'
import { renderPerson } from './person.ts'
import { renderTime } from '#http/web/public/post-parts.ts'
import { isAppError, notFound } from '#lib/errors.ts'
import { asId, type AccountId, type IdCursor } from '#lib/id.ts'
import { isId } from '#lib/ids.ts'
import type { Page as ListPage } from '#lib/page.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { viewAccounts } from '#views/identity/accounts.ts'
import { viewMutedAccounts } from '#views/social/relationships.ts'
import { renderSettings, saveAndReturn } from '../settings-page.ts'

const perPage = 40
const durations = ['0', '3600', '86400', '604800', '2592000'] as const

type ListPath = '/settings/blocks' | '/settings/mutes' | '/settings/domain_blocks'

const cursorOf = ({ params }: PageCall): { limit: number; maxId?: IdCursor } => {
  const asked = textParam(params, 'max_id')
  return { limit: perPage, ...(isId(asked) && { maxId: asked as IdCursor }) }
}

interface Listing {
  path: ListPath
  /** The form that adds one. */
  form: Html
  rows: readonly Html[]
  page: ListPage<unknown>
  problem?: string | undefined
}

function renderListing(call: PageCall, { path, form, rows, page, problem }: Listing): Promise<Response> {
  const t = textsIn(call.language).pages.settings
  const older =
    page.full && page.oldest !== null
      ? html`<p><a href="${path}?max_id=${page.oldest}">${t.relations.older}</a></p>`
      : ''
  const body = html`<p>${t.limited[path].hint}</p>
    ${form}
    ${
      rows.length === 0
        ? html`<p class="soft">${t.limited[path].none}</p>`
        : html`<ul class="rows">
            ${rows}
          </ul>`
    }
    ${older}`
  return renderSettings(call, { title: t.places[path].name, body, pictures: true, problem })
}

const renderName = (call: PageCall, name: string, label: string, problem?: string) =>
  renderField({
    name,
    label,
    value: problem === undefined ? '' : textParam(call.params, name),
    problem,
  })

function renderRow(call: PageCall, path: ListPath, account: Account, more: Html | string = ''): Html {
  const t = textsIn(call.language).pages.settings.limited[path]
  const action = `${path}/${account.id}/remove`
  return html`<li>
    ${renderPerson(account, more)}
    ${renderForm(call, { action, fields: [], submit: t.end, about: `@${account.acct}`, quiet: true })}
  </li>`
}

async function showBlocks(call: PageCall, viewer: Viewer, problem?: string): Promise<Response> {
  const path = '/settings/blocks'
  const t = textsIn(call.language).pages.settings.limited
  const page = await listRelated(call.ctx, 'blocks', viewer.accountId, cursorOf(call))
  const accounts = await viewAccounts(call.ctx, page.items)
  const form = renderForm(call, {
    action: path,
    fields: [renderName(call, 'acct', t.handle, problem)],
    submit: t[path].add,
  })
  const rows = accounts.map((account) => renderRow(call, path, account))
  return renderListing(call, { path, form, rows, page, problem })
}

async function showMutes(call: PageCall, viewer: Viewer, problem?: string): Promise<Response> {
  const path = '/settings/mutes'
  const t = textsIn(call.language).pages.settings.limited
  const page = await listRelated(call.ctx, 'mutes', viewer.accountId, cursorOf(call))
  const accounts = await viewMutedAccounts(call.ctx, viewer, page.items)
  const form = renderForm(call, {
    action: path,
    fields: [
      renderName(call, 'acct', t.handle, problem),
      renderSelect({
        name: 'duration',
        label: t.until,
        value: '0',
        choices: durations.map((value) => ({ value, label: t.durations[value] })),
      }),
    ],
    submit: t[path].add,
  })
  const endOf = ({ mute_expires_at: end }: MutedAccount) =>
    html`<br /><small
        >${end === null ? t.durations['0'] : html`${t.until} ${renderTime(call.language, end, 'exact')}`}</small
      >`
  const rows = accounts.map((account) => renderRow(call, path, account, endOf(account)))
  return renderListing(call, { path, form, rows, page, problem })
}

async function showDomains(call: PageCall, viewer: Viewer, problem?: string): Promise<Response> {
  const path = '/settings/domain_blocks'
  const t = textsIn(call.language).pages.settings.limited
  const page = await listHiddenDomains(call.ctx, viewer.accountId, cursorOf(call))
  const form = renderForm(call, {
    action: path,
    fields: [renderName(call, 'domain', t.domain, problem)],
    submit: t[path].add,
  })
  const rows = page.items.map(
    (domain) =>
      html`<li>
        <strong><bdi>${domain}</bdi></strong>
        ${renderForm(call, {
          action: `${path}/remove`,
          fields: [],
          hidden: { domain },
          submit: t[path].end,
          about: domain,
          quiet: true,
        })}
      </li>`,
  )
  return renderListing(call, { path, form, rows, page, problem })
}

/** Who is not known is asked for at their server. */
async function add(
  call: PageCall,
  viewer: Viewer,
  [path, command, again]: readonly [
    ListPath,
    (id: AccountId) => Promise<unknown>,
    (problem: string) => Promise<Response>,
  ],
): Promise<Response> {
  try {
    const id = await findOrFetchAccount(call.ctx, viewer.accountId, textParam(call.params, 'acct').trim())
    return await saveAndReturn(call, path, () => command(id), again)
  } catch (error) {
    if (!isAppError(error, 'not_found')) throw error
    return again(textsIn(call.language).pages.settings.limited.unknown)
  }
}

const block = (call: PageCall, viewer: Viewer) =>
  add(call, viewer, [
    '/settings/blocks',
    (id) => blockAccount(call.ctx, viewer, id),
    (problem) => showBlocks(call, viewer, problem),
  ])

const mute = (call: PageCall, viewer: Viewer) =>
  add(call, viewer, [
    '/settings/mutes',
    (id) => {
      const duration = Number(oneOf(call.params, ['duration'], durations))
      return muteAccount(call.ctx, viewer, id, { duration })
    },
    (problem) => showMutes(call, viewer, problem),
  ])

const hide = (call: PageCall, viewer: Viewer) =>
  saveAndReturn(
    call,
    '/settings/domain_blocks',
    () => hideDomain(call.ctx, viewer, textParam(call.params, 'domain')),
    (problem) => showDomains(call, viewer, problem),
  )

async function unhide(call: PageCall, viewer: Viewer): Promise<Response> {
  await showDomain(call.ctx, viewer, textParam(call.params, 'domain'))
  return redirectTo('/settings/domain_blocks')
}

const ending =
  (path: ListPath, command: typeof unmuteAccount) =>
  async (call: PageCall, viewer: Viewer): Promise<Response> => {
    const id = textParam(call.params, 'id')
    if (!isId(id)) throw notFound()
    await command(call.ctx, viewer, asId<AccountId>(id))
    return redirectTo(path)
  }

const [forBlocks, forMutes, forDomains] = [
  forViewerAt('/settings/blocks'),
  forViewerAt('/settings/mutes'),
  forViewerAt('/settings/domain_blocks'),
]

export const pages: readonly Page[] = [
  { method: 'GET', path: '/settings/blocks', handle: forBlocks((call, viewer) => showBlocks(call, viewer)) },
  { method: 'POST', path: '/settings/blocks', handle: forBlocks(block) },
  {
    method: 'POST',
    path: '/settings/blocks/:id{[0-9]+}/remove',
    handle: forBlocks(ending('/settings/blocks', unblockAccount)),
  },
  { method: 'GET', path: '/settings/mutes', handle: forMutes((call, viewer) => showMutes(call, viewer)) },
  { method: 'POST', path: '/settings/mutes', handle: forMutes(mute) },
  {
    method: 'POST',
    path: '/settings/mutes/:id{[0-9]+}/remove',
    handle: forMutes(ending('/settings/mutes', unmuteAccount)),
  },
  {
    method: 'GET',
    path: '/settings/domain_blocks',
    handle: forDomains((call, viewer) => showDomains(call, viewer)),
  },
  { method: 'POST', path: '/settings/domain_blocks', handle: forDomains(hide) },
  { method: 'POST', path: '/settings/domain_blocks/remove', handle: forDomains(unhide) },
]
