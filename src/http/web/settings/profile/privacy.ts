// Who reaches somebody: who may follow, who finds them, and what others see of it.
import { html } from 'hono/html'
import { getOwnProfile } from '#domain/identity/accounts/queries.ts'
import { updateProfile } from '#domain/identity/accounts/profile/update-profile.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { isTicked, renderPart } from '#http/web/kit/controls.ts'
import { forViewerAt } from '#http/web/kit/for-viewer.ts'
import { renderCheckbox, renderForm } from '#http/web/kit/form.ts'
import type { Page, PageCall } from '#http/web/kit/page.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { leadToSaved, renderSettings } from '../settings-page.ts'

const path = '/settings/privacy'

/** Each with whether it is ticked for who never chose. */
const parts = {
  reach: ['unlocked'],
  found: ['discoverable', 'indexable', 'search_engines'],
  shown: ['show_collections', 'show_application'],
} as const

type Switch = (typeof parts)[keyof typeof parts][number]

async function show(call: PageCall, viewer: Viewer): Promise<Response> {
  const t = textsIn(call.language).pages.settings
  const own = await getOwnProfile(call.ctx, viewer.accountId)
  const ticked: Record<Switch, boolean> = {
    unlocked: !own.locked,
    discoverable: own.discoverable ?? false,
    indexable: own.indexable,
    search_engines: !(own.settings.noindex ?? false),
    show_collections: !(own.hide_collections ?? false),
    show_application: own.settings.show_application ?? true,
  }
  const names = Object.keys(parts) as (keyof typeof parts)[]
  const fields = names.map((part) =>
    renderPart({
      id: part,
      title: t.privacy.parts[part],
      fields: parts[part].map((name: Switch) =>
        renderCheckbox({ name, ...t.privacy.switches[name], checked: ticked[name] }),
      ),
    }),
  )
  const body = html`<p>${t.privacy.hint}</p>
    ${renderForm(call, { action: path, fields, submit: t.save })}`
  return renderSettings(call, { title: t.places[path].name, body })
}

async function save(call: PageCall, viewer: Viewer): Promise<Response> {
  const is = (name: Switch) => isTicked(call.params, name)
  await updateProfile(call.ctx, viewer, {
    locked: !is('unlocked'),
    discoverable: is('discoverable'),
    indexable: is('indexable'),
    hideCollections: !is('show_collections'),
    settings: { noindex: !is('search_engines'), show_application: is('show_application') },
  })
  return leadToSaved(path)
}

const forViewer = forViewerAt(path)

export const pages: readonly Page[] = [
  { method: 'GET', path: '/settings/privacy', handle: forViewer(show) },
  { method: 'POST', path: '/settings/privacy', handle: forViewer(save) },
]
