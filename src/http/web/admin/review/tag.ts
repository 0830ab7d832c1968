// One hashtag: its spelling, and where it may appear.
import { html } from 'hono/html'
import { getManagedTag, updateTag } from '#domain/content/tags/manage.ts'
import type { TagId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { viewAdminTag } from '#views/reading/admin-trends.ts'
import { isTicked } from '../../kit/controls.ts'
import { redirectWith } from '../../kit/flash.ts'
import { renderCheckbox, renderField, renderForm, textParam } from '../../kit/form.ts'
import type { Page } from '../../kit/page.ts'
import { adminPage, tryForm, type DeskCall } from '../kit/admin-page.ts'
import { renderDesk } from '../kit/desk.ts'
import { idParam } from '../kit/params.ts'
import { renderMoment } from '../kit/parts.ts'
import { renderFacts } from '../kit/table.ts'

const permission = 'manage_taxonomies'
const path = '/admin/trends/tags'

async function show(call: DeskCall, problem: string | null = null): Promise<Response> {
  const t = textsIn(call.language).pages.admin
  const id = idParam<TagId>(call)
  const tag = await viewAdminTag(call.ctx, call.viewer, id)
  const { reviewed_at: reviewed } = await getManagedTag(call.ctx, id)
  const form = renderForm(call, {
    action: `${path}/${id}`,
    problem,
    fields: [
      renderField({
        name: 'display_name',
        label: t.tag.spelling,
        hint: t.tag.spellingHint,
        value: problem === null ? tag.name : textParam(call.params, 'display_name'),
      }),
      renderCheckbox({ name: 'usable', label: t.tag.usable, checked: tag.usable }),
      renderCheckbox({ name: 'listable', label: t.tag.listable, checked: tag.listable }),
      renderCheckbox({ name: 'trendable', label: t.tag.trendable, checked: tag.trendable }),
    ],
    submit: t.save,
  })
  const [today] = tag.history
  const facts = renderFacts([
    [t.tag.today, today ? t.tag.uses({ uses: today.uses, people: today.accounts }) : null],
    [t.trends.reviewed, reviewed ? renderMoment(call, reviewed) : t.trends.waits],
  ])
  const body = html`<section class="panel">${facts} ${form}</section>
    <p><a href="${tag.url}">${t.tag.open}</a></p>`
  return renderDesk(call, {
    title: `#${tag.name}`,
    trail: [['/admin/trends', t.sections.trends]],
    body,
    status: problem === null ? 200 : 422,
  })
}

async function save(call: DeskCall): Promise<Response> {
  const id = idParam<TagId>(call)
  const changes = {
    displayName: textParam(call.params, 'display_name') || undefined,
    usable: isTicked(call.params, 'usable'),
    listable: isTicked(call.params, 'listable'),
    trendable: isTicked(call.params, 'trendable'),
  }
  const problem = await tryForm(call, () => updateTag(call.ctx, call.viewer, id, changes))
  if (problem !== null) return show(call, problem)
  return redirectWith(call, `${path}/${id}`, { text: textsIn(call.language).pages.admin.did.saved })
}

export const pages: readonly Page[] = [
  adminPage({ path: '/admin/trends/tags/:id{[0-9]+}', permission, handle: (call) => show(call) }),
  adminPage({ method: 'POST', path: '/admin/trends/tags/:id{[0-9]+}', permission, handle: save }),
]
