// All settings on one page, and the search among them.
import { html } from 'hono/html'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { forViewerAt } from '../kit/for-viewer.ts'
import { textParam } from '../kit/form.ts'
import type { Html } from '../kit/html.ts'
import { renderPage } from '../kit/layout.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { renderSettingsSearch } from '../kit/settings-nav.ts'
import { listPlaces, searchPlaces, settingsPath, type Place } from '../kit/settings-places.ts'

const maxAsked = 200

function show(call: PageCall, viewer: Viewer): Promise<Response> {
  const t = textsIn(call.language).pages.settings
  const asked = textParam(call.params, 'q').trim().slice(0, maxAsked)
  const body = html`${renderSettingsSearch(call.language, asked)}
  ${asked === '' ? renderAll(call, viewer) : renderFound(call, searchPlaces({ viewer, config: call.ctx.config }, call.language, asked))}`
  return renderPage(call, { title: t.label, body, wide: true })
}

const renderAll = (call: PageCall, viewer: Viewer) =>
  listPlaces({ viewer, config: call.ctx.config }, call.language).map(
    (group) =>
      html`<h2>${group.name}</h2>
        ${renderPlaces(group.places)}`,
  )

function renderFound(call: PageCall, places: readonly Place[]): Html {
  const t = textsIn(call.language).pages.settings
  return html`<p role="status">${t.found({ count: places.length })}</p>
    ${places.length === 0 ? html`<p><a href="${settingsPath}">${t.all}</a></p>` : renderPlaces(places)}`
}

const renderPlaces = (places: readonly Place[]) =>
  html`<ul class="places">
    ${places.map(
      ({ path, name, about }) =>
        html`<li>
          <a href="${path}"><strong>${name}</strong><span>${about}</span></a>
        </li>`,
    )}
  </ul>`

const forViewer = forViewerAt(settingsPath)

export const pages: readonly Page[] = [{ method: 'GET', path: '/settings', handle: forViewer(show) }]
