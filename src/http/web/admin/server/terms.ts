// The terms of service in their versions: drafts, one that holds, and those that held.
import { html, raw } from 'hono/html'
import {
  announceTerms,
  createTerms,
  deleteTerms,
  getTerms,
  listTerms,
  publishTerms,
  updateTerms,
  type TermsRow,
} from '#domain/server/instance/terms.ts'
import { asId, type TermsOfServiceId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { renderTermsText } from '#views/server/instance-texts.ts'
import { isTicked } from '../../kit/controls.ts'
import { renderCheckbox, renderForm } from '../../kit/form.ts'
import { redirectWith } from '../../kit/flash.ts'
import type { Html } from '../../kit/html.ts'
import { adminPage, type DeskCall } from '../kit/admin-page.ts'
import { renderConfirm } from '../kit/confirm.ts'
import { attempt, textOf } from '../kit/fields.ts'
import { renderBadge, renderMoment, renderPanel } from '../kit/parts.ts'
import { findRow, resourcePages, type Resource } from '../kit/resource.ts'
import { renderFacts, renderTable } from '../kit/table.ts'

const permission = 'manage_settings'
const path = '/admin/terms'
const textsOf = (call: DeskCall) => textsIn(call.language).pages.desk.terms

const resource: Resource<TermsRow> = {
  path,
  permission,
  words: (call) => ({
    title: textsIn(call.language).pages.admin.sections.terms,
    hint: textsOf(call).hint,
    add: textsOf(call).add,
  }),
  list: showList,
  find: (call, id) => getTerms(call.ctx, asId<TermsOfServiceId>(id)),
  nameOf: ({ day }, call) => textsOf(call).version({ day }),
  fields: (call, row) => {
    const t = textsOf(call)
    return row?.published_at
      ? []
      : [
          { kind: 'area', name: 'text', label: t.text, hint: t.textHint, rows: 18, required: true },
          { kind: 'area', name: 'changelog', label: t.changelog, hint: t.changelogHint, rows: 4 },
          { kind: 'text', name: 'effective_date', type: 'date', label: t.day },
        ]
  },
  enteredOf: (row) => ({
    text: row?.text ?? '',
    changelog: row?.changelog ?? '',
    effective_date: row?.day ?? '',
  }),
  async create(call, entered) {
    const id = await createTerms(call.ctx, call.viewer, {
      text: textOf(entered, 'text'),
      changelog: textOf(entered, 'changelog'),
      effectiveDate: textOf(entered, 'effective_date') || undefined,
    })
    return { to: `${path}/${id}` }
  },
  async update(call, row, entered) {
    await updateTerms(call.ctx, call.viewer, row.id, {
      text: textOf(entered, 'text'),
      changelog: textOf(entered, 'changelog'),
      effectiveDate: textOf(entered, 'effective_date') || undefined,
    })
    return { to: `${path}/${row.id}` }
  },
  remove: {
    run: (call, row) => deleteTerms(call.ctx, call.viewer, row.id),
    consequences: (call) => [textsOf(call).removal],
    mayBe: ({ published_at: published }) => published === null,
  },
  isFixed: ({ published_at: published }) => published !== null,
  below: (call, row) => (row === null ? Promise.resolve('') : showVersion(call, row)),
}

async function showVersion(call: DeskCall, row: TermsRow): Promise<Html> {
  const t = textsOf(call)
  const publish =
    row.published_at === null
      ? renderPanel(
          t.publish,
          html`<p>${t.publishHint}</p>
            <p><a class="button main" href="${path}/${row.id}/publish">${t.publish}</a></p>`,
        )
      : renderPanel(
          t.state,
          html`${renderFacts([
            [t.published, renderMoment(call, row.published_at)],
            [t.day, row.day],
            [t.notified, row.notified_at && renderMoment(call, row.notified_at)],
            [t.changelog, row.changelog],
          ])}
          ${
            row.notified_at === null
              ? renderForm(call, {
                  action: `${path}/${row.id}/notify`,
                  fields: [html`<p>${t.notifyHint}</p>`],
                  submit: t.notify,
                  quiet: true,
                })
              : ''
          }`,
        )
  return html`${publish}
  ${renderPanel(t.preview, html`<article class="text">${raw(renderTermsText(call.ctx.config, row.text))}</article>`)}`
}

async function showList(call: DeskCall) {
  const t = textsOf(call)
  const rows = await listTerms(call.ctx)
  return renderTable(call, {
    caption: resource.words(call).title,
    columns: [{ label: t.day }, { label: t.state }, { label: t.notified }],
    rows: rows.map((row) => ({
      cells: [
        html`<a href="${path}/${row.id}">${t.version({ day: row.day })}</a>`,
        row.published_at === null ? renderBadge(t.draft) : renderMoment(call, row.published_at),
        row.notified_at === null ? '' : renderMoment(call, row.notified_at),
      ],
    })),
    none: t.none,
  })
}

async function askToPublish(call: DeskCall, problems: readonly string[] = []): Promise<Response> {
  const row = await findRow(call, resource)
  const t = textsOf(call)
  return renderConfirm(call, {
    title: t.publishTitle({ day: row.day }),
    consequences: [
      ...problems.map((text) => html`<strong class="problem">${text}</strong>`),
      t.publishing({ day: row.day }),
      t.final,
    ],
    action: `${path}/${row.id}/publish`,
    fields: renderCheckbox({ name: 'notify', label: t.notifyAll }),
    submit: t.publish,
    back: `${path}/${row.id}`,
    ...(problems.length > 0 && { status: 422 }),
  })
}

async function publish(call: DeskCall): Promise<Response> {
  const { id } = await findRow(call, resource)
  const notify = isTicked(call.params, 'notify')
  const result = await attempt(call, () => publishTerms(call.ctx, call.viewer, id, { notify }))
  if ('problems' in result) return askToPublish(call, Object.values(result.problems))
  return redirectWith(call, `${path}/${id}`, { text: textsOf(call).isPublished })
}

async function notify(call: DeskCall): Promise<Response> {
  const { id } = await findRow(call, resource)
  await announceTerms(call.ctx, call.viewer, id)
  return redirectWith(call, `${path}/${id}`, { text: textsOf(call).notifying })
}

export const pages = [
  ...resourcePages(resource),
  adminPage({ path: '/admin/terms/:id/publish', permission, handle: (call) => askToPublish(call) }),
  adminPage({ method: 'POST', path: '/admin/terms/:id/publish', permission, handle: publish }),
  adminPage({ method: 'POST', path: '/admin/terms/:id/notify', permission, handle: notify }),
]
