// The frame of every page of the desk: the links to all of them that the viewer may see, with what waits there.
import { html } from 'hono/html'
import { countWaiting, maxWaiting, type Waiting } from '#domain/maintenance/dashboard/count-waiting.ts'
import { hasAnyPermission } from '#domain/identity/accounts/permissions.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { deskScriptUrl, deskStylesheetUrl, publicStylesheetUrl } from '../../kit/assets.ts'
import { renderFlash } from '../../kit/flash.ts'
import type { Html } from '../../kit/html.ts'
import { renderPage } from '../../kit/layout.ts'
import type { DeskCall } from './admin-page.ts'
import { sectionGroups, sectionPath, sections, type Section } from './sections.ts'

export interface DeskContent {
  title: string
  body: Html
  /** 200 unless given. */
  status?: number
  /** The pages above it, as address and name. */
  trail?: readonly (readonly [path: string, name: string])[]
  /** Beside the title, such as a state. */
  beside?: Html | string
  /** Posts are shown on it. */
  withPosts?: boolean
  /** Known already. */
  waiting?: Waiting
}

/** A page of the desk, whole. */
export async function renderDesk(call: DeskCall, content: DeskContent): Promise<Response> {
  const waiting = content.waiting ?? (await countWaiting(call.ctx, call.viewer))
  const body = html`${renderTrail(call, content)}
    <h1>${content.title} ${content.beside ?? ''}</h1>
    ${renderFlash(call)} ${content.body}`
  return renderPage(call, {
    title: content.title,
    body,
    layout: 'desk',
    aside: renderSections(call, waiting),
    head: html`${content.withPosts ? html`<link rel="stylesheet" href="${publicStylesheetUrl}" />` : ''}
      <link rel="stylesheet" href="${deskStylesheetUrl}" />`,
    script: deskScriptUrl,
    ...(content.status !== undefined && { status: content.status }),
  })
}

function renderTrail(call: DeskCall, { trail = [] }: DeskContent): Html | string {
  if (trail.length === 0) return ''
  const t = textsIn(call.language).pages.admin
  return html`<nav class="trail" aria-label="${t.trail}">
    ${trail.map(([path, name]) => html`<a href="${path}">${name}</a>`)}
  </nav>`
}

/** The sections that the viewer may see. */
export const sectionsFor = (call: DeskCall): Section[] =>
  sections.filter(({ permission }) => hasAnyPermission(call.viewer, permission))

function renderSections(call: DeskCall, waiting: Waiting): Html {
  const t = textsIn(call.language).pages.admin
  const groups = sectionGroups
    .map(([group, list]) => ({
      group,
      list: list.filter(({ permission }) => hasAnyPermission(call.viewer, permission)),
    }))
    .filter(({ list }) => list.length > 0)
  return html`<button type="button" class="quiet desk-menu" popovertarget="desk-sections">${t.menu}</button>
    <nav id="desk-sections" class="desk-sections" aria-label="${t.menu}" popover>
      ${groups.map(
        ({ group, list }) =>
          html`<h2>${t.groups[group]}</h2>
            <ul>
              ${list.map((section) => html`<li>${renderSection(call, section, waiting)}</li>`)}
            </ul>`,
      )}
    </nav>`
}

function renderSection(call: DeskCall, { name, waiting: kind }: Section, waiting: Waiting): Html {
  const t = textsIn(call.language).pages.admin
  const path = sectionPath(name)
  const here = call.url.pathname === path || call.url.pathname.startsWith(`${path}/`)
  const count = kind === undefined ? 0 : (waiting[kind] ?? 0)
  const badge =
    count === 0
      ? ''
      : html` <span class="count" aria-hidden="true">${waitingText(count)}</span
          ><span class="unseen">${t.waiting({ count: waitingText(count) })}</span>`
  return html`<a href="${path}" ${here ? html`aria-current="page"` : ''}>${t.sections[name]}${badge}</a>`
}

/** How many wait, as far as that is counted. */
export const waitingText = (count: number) => (count > maxWaiting ? `${maxWaiting}+` : String(count))
