// Follows and followers as a table, and what is done to many of them at once.
import { html } from 'hono/html'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { hideDomain } from '#domain/social/relationships/domain-blocks.ts'
import { followAccount, removeFollower, unfollowAccount } from '#domain/social/relationships/follow.ts'
import {
  listFiltered,
  relationKinds,
  type RelationFilter,
} from '#domain/social/relationships/list-filtered.ts'
import type { Account } from '#entities/account.ts'
import { oneOf } from '#http/web/kit/controls.ts'
import { forViewerAt } from '#http/web/kit/for-viewer.ts'
import { hiddenFields, renderSelect, textParam } from '#http/web/kit/form.ts'
import type { Html } from '#http/web/kit/html.ts'
import type { Page, PageCall } from '#http/web/kit/page.ts'
import { renderPerson } from './person.ts'
import { redirectWith, renderFlash } from '#http/web/kit/flash.ts'
import { renderTime } from '#http/web/public/post-parts.ts'
import { isAppError, unprocessable } from '#lib/errors.ts'
import { asId, type AccountId } from '#lib/id.ts'
import { isId } from '#lib/ids.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { viewAccounts } from '#views/identity/accounts.ts'
import { renderSettings } from '../settings-page.ts'

const path = '/relationships'
const perPage = 40
const maxPage = 2_000

const choices = {
  relationship: relationKinds,
  status: ['all', 'moved', 'primary'],
  activity: ['all', 'dormant'],
  order: ['recent', 'active'],
} as const

type ChoiceName = keyof typeof choices
const names = Object.keys(choices) as ChoiceName[]

const acts = ['follow', 'unfollow', 'remove_follower', 'block_domain'] as const
type Act = (typeof acts)[number]

const chosenOf = ({ params }: PageCall) => ({
  relationship: oneOf(params, ['relationship'], choices.relationship),
  status: oneOf(params, ['status'], choices.status),
  activity: oneOf(params, ['activity'], choices.activity),
  order: oneOf(params, ['order'], choices.order),
})
type Chosen = ReturnType<typeof chosenOf>

const pageOf = ({ params }: PageCall) =>
  Math.min(Math.max(Number.parseInt(textParam(params, 'page'), 10) || 1, 1), maxPage)

const addressOf = (chosen: Chosen, page = 1) =>
  `${path}?${new URLSearchParams({ ...chosen, ...(page > 1 && { page: String(page) }) })}`

async function show(call: PageCall, viewer: Viewer): Promise<Response> {
  const t = textsIn(call.language).pages.settings
  const chosen = chosenOf(call)
  const page = pageOf(call)
  const filter: RelationFilter = { ...chosen, relation: chosen.relationship }
  const part = { limit: perPage, offset: (page - 1) * perPage }
  const { ids, isMore } = await listFiltered(call.ctx, viewer.accountId, filter, part)
  const accounts = await viewAccounts(call.ctx, ids)
  const pager = html`<p class="actions">
    ${page > 1 ? html`<a href="${addressOf(chosen, page - 1)}">${t.relations.newer}</a>` : ''}
    ${isMore ? html`<a href="${addressOf(chosen, page + 1)}">${t.relations.older}</a>` : ''}
  </p>`
  const body = html`${renderFlash(call)} ${renderFilter(call, chosen)}
    ${accounts.length === 0 ? html`<p>${t.relations.none}</p>` : renderList(call, chosen, accounts)} ${pager}
    <p><a href="/settings/followers">${t.places['/settings/followers'].name}</a></p>`
  return renderSettings(call, { title: t.places[path].name, body, pictures: true })
}

function renderFilter(call: PageCall, chosen: Chosen): Html {
  const t = textsIn(call.language).pages.settings.relations
  const select = (name: ChoiceName) => {
    const { label, ...words } = t.choices[name]
    const values: readonly string[] = choices[name]
    return html`<div>
      ${renderSelect({
        name,
        label,
        value: chosen[name],
        choices: values.map((value) => ({ value, label: (words as Record<string, string>)[value] ?? value })),
      })}
    </div>`
  }
  return html`<form method="get" action="${path}" class="filter" aria-label="${t.filter}">
    ${names.map(select)}
    <button type="submit" class="quiet">${t.show}</button>
  </form>`
}

function renderList(call: PageCall, chosen: Chosen, accounts: readonly Account[]): Html {
  const t = textsIn(call.language).pages.settings.relations
  const row = (account: Account) => {
    const since = account.last_status_at
      ? html`${t.lastPost} ${renderTime(call.language, account.last_status_at)}`
      : t.noPost
    const moved = account.moved ? html` · ${t.movedTo} @${account.moved.acct}` : ''
    return html`<li>
      <label class="check"
        ><input type="checkbox" name="ids[]" value="${account.id}" aria-label="@${account.acct}"
      /></label>
      ${renderPerson(account, html`<br /><small>${since}${moved}</small>`)}
    </li>`
  }
  return html`<form method="post" action="${path}">
    ${hiddenFields(call.ctx, call.browser, chosen)}
    <ul class="rows people">
      ${accounts.map(row)}
    </ul>
    <fieldset class="actions">
      <legend>${t.withTicked}</legend>
      ${actsFor(chosen).map(
        (act) => html`<button type="submit" name="act" value="${act}" class="quiet">${t.acts[act]}</button>`,
      )}
    </fieldset>
  </form>`
}

/** What makes a difference for those who are listed. */
function actsFor({ relationship }: Chosen): readonly Act[] {
  if (relationship === 'following') return ['unfollow']
  if (relationship === 'followed_by') return ['follow', 'remove_follower', 'block_domain']
  if (relationship === 'mutual') return ['unfollow', 'remove_follower', 'block_domain']
  return ['follow', 'unfollow']
}

async function change(call: PageCall, viewer: Viewer): Promise<Response> {
  const t = textsIn(call.language).pages.settings.relations
  const sent = call.params['ids']
  const ids = (Array.isArray(sent) ? sent : []).filter((id) => typeof id === 'string' && isId(id)) as string[]
  const asked = textParam(call.params, 'act')
  const act = acts.find((one) => one === asked)
  if (act === undefined) throw unprocessable('form_incomplete')
  const wanted = ids.slice(0, perPage).map((id) => asId<AccountId>(id))
  const done = await actOn(call, viewer, act, wanted)
  return redirectWith(call, addressOf(chosenOf(call)), { text: t.done[act]({ count: done }) })
}

/** Returns for how many it could be done: who is gone meanwhile is left out. */
async function actOn(call: PageCall, viewer: Viewer, act: Act, ids: readonly AccountId[]): Promise<number> {
  const { ctx, limits } = call
  if (act === 'block_domain') {
    const accounts = await viewAccounts(ctx, ids)
    const domains = new Set(accounts.flatMap(({ acct }) => acct.split('@').slice(1)))
    for (const domain of domains) await hideDomain(ctx, viewer, domain)
    return domains.size
  }
  const commands = {
    follow: (id: AccountId) => limits.spend('follows', () => followAccount(ctx, viewer, id)),
    unfollow: (id: AccountId) => unfollowAccount(ctx, viewer, id),
    remove_follower: (id: AccountId) => removeFollower(ctx, viewer, id),
  }
  let done = 0
  for (const id of ids) {
    try {
      await commands[act](id)
      done++
    } catch (error) {
      if (!isAppError(error, 'not_found') && !isAppError(error, 'forbidden')) throw error
    }
  }
  return done
}

const forViewer = forViewerAt(path)

export const pages: readonly Page[] = [
  { method: 'GET', path: '/relationships', personal: true, handle: forViewer(show) },
  { method: 'POST', path: '/relationships', personal: true, handle: forViewer(change) },
]
