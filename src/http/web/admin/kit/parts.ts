// Small parts of pages of the desk.
import { html } from 'hono/html'
import type { Account } from '#entities/account.ts'
import { hasPermission } from '#domain/identity/accounts/permissions.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { renderForm } from '../../kit/form.ts'
import type { Html } from '../../kit/html.ts'
import { renderName, renderTime } from '../../public/post-parts.ts'
import type { DeskCall } from './admin-page.ts'
import { hrefWith } from './links.ts'

type Shown = Pick<Account, 'id' | 'acct' | 'avatar_static' | 'display_name' | 'username' | 'emojis' | 'url'>

/** Somebody with picture, name and handle: a link to what staff know of them, or to what everybody sees. */
export function renderPerson(call: DeskCall, account: Shown): Html {
  const href = hasPermission(call.viewer, 'manage_users') ? `/admin/accounts/${account.id}` : account.url
  return html`<a class="person" href="${href}"
    ><img src="${account.avatar_static}" alt="" width="40" height="40" loading="lazy" /><span
      >${renderName(account.display_name || account.username, account.emojis)}
      <span class="soft"><bdi>@${account.acct}</bdi></span></span
    ></a
  >`
}

/** A point in time, to the minute. */
export const renderMoment = (call: DeskCall, time: string | Date): Html =>
  renderTime(call.language, typeof time === 'string' ? time : time.toISOString(), 'time')

/** A word about a state. `tone` colours it; the word alone says it. */
export const renderBadge = (text: string, tone: 'plain' | 'good' | 'alarm' | 'main' = 'plain'): Html =>
  html`<span class="badge ${tone}">${text}</span>`

/** One button that posts. `key`: what presses it where scripts run. */
export function renderAct(
  call: DeskCall,
  act: { action: string; label: string; hidden?: Record<string, string>; key?: string },
): Html {
  const form = renderForm(call, {
    action: act.action,
    fields: [],
    submit: act.label,
    quiet: true,
    ...(act.hidden && { hidden: act.hidden }),
  })
  return act.key === undefined
    ? form
    : html`<div class="act" data-key="${act.key}">${form}<kbd aria-hidden="true">${act.key}</kbd></div>`
}

/** A part of a page with its heading. */
export const renderPanel = (title: string, body: Html | string): Html =>
  html`<section class="panel">
    <h2>${title}</h2>
    ${body}
  </section>`

/** Links that show another part of the same list, the current one marked. */
export function renderTabs(
  call: DeskCall,
  tabs: readonly { label: string; changes: Readonly<Record<string, string | null>> }[],
): Html {
  const isHere = (changes: Readonly<Record<string, string | null>>) =>
    Object.entries(changes).every(([name, value]) => (call.url.searchParams.get(name) ?? null) === value)
  return html`<nav class="tabs" aria-label="${textsIn(call.language).pages.admin.parts}">
    ${tabs.map(
      ({ label, changes }) =>
        html`<a href="${hrefWith(call, changes)}" ${isHere(changes) ? html`aria-current="page"` : ''}
          >${label}</a
        >`,
    )}
  </nav>`
}
