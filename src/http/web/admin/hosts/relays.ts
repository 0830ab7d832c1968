// Relays, which pass public posts on between servers.
import { html } from 'hono/html'
import {
  addRelay,
  disableRelay,
  enableRelay,
  getRelay,
  listRelays,
  removeRelay,
  type RelayRow,
} from '#domain/federation/relays/relays.ts'
import { asId, type RelayId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { redirectWith } from '../../kit/flash.ts'
import { adminPage, type DeskCall } from '../kit/admin-page.ts'
import { textOf } from '../kit/fields.ts'
import { renderAct, renderBadge } from '../kit/parts.ts'
import { findRow, resourcePages, type Resource } from '../kit/resource.ts'
import { renderTable } from '../kit/table.ts'

const permission = 'manage_federation'
const path = '/admin/relays'
const textsOf = (call: DeskCall) => textsIn(call.language).pages.desk.relays

const resource: Resource<RelayRow> = {
  path,
  permission,
  words: (call) => ({
    title: textsIn(call.language).pages.admin.sections.relays,
    hint: textsOf(call).hint,
    add: textsOf(call).add,
  }),
  list: showList,
  find: (call, id) => getRelay(call.ctx, asId<RelayId>(id)),
  nameOf: ({ inbox_url: url }) => new URL(url).host,
  fields: (call) => [
    {
      kind: 'text',
      name: 'relay_inbox',
      type: 'url',
      label: textsOf(call).url,
      hint: textsOf(call).urlHint,
      required: true,
    },
  ],
  enteredOf: () => ({ relay_inbox: '' }),
  async create(call, entered) {
    await addRelay(call.ctx, call.viewer, textOf(entered, 'relay_inbox'))
    return { text: textsOf(call).asked }
  },
  remove: {
    run: (call, row) => removeRelay(call.ctx, call.viewer, row.id),
    consequences: (call) => [textsOf(call).removal],
  },
}

const tones = { accepted: 'good', pending: 'main', idle: 'plain', rejected: 'alarm' } as const

async function showList(call: DeskCall) {
  const t = textsOf(call)
  const rows = await listRelays(call.ctx)
  const actOn = ({ id, state }: RelayRow) => {
    const isOn = state === 'accepted' || state === 'pending'
    return html`${renderAct(call, {
        action: `${path}/${id}/${isOn ? 'disable' : 'enable'}`,
        label: isOn ? t.disable : t.enable,
      })}
      <a class="button quiet alarming" href="${path}/${id}/remove"
        >${textsIn(call.language).pages.desk.common.remove}</a
      >`
  }
  return renderTable(call, {
    caption: resource.words(call).title,
    columns: [{ label: t.url }, { label: t.state }, { label: t.actions }],
    rows: rows.map((relay) => ({
      cells: [
        html`<code>${relay.inbox_url}</code>`,
        renderBadge(t.states[relay.state], tones[relay.state]),
        actOn(relay),
      ],
    })),
    none: t.none,
  })
}

const switching =
  (change: typeof enableRelay, say: (call: DeskCall) => string) =>
  async (call: DeskCall): Promise<Response> => {
    const { id } = await findRow(call, resource)
    await change(call.ctx, call.viewer, id)
    return redirectWith(call, path, { text: say(call) })
  }

export const pages = [
  ...resourcePages(resource),
  adminPage({
    method: 'POST',
    path: '/admin/relays/:id/enable',
    permission,
    handle: switching(enableRelay, (call) => textsOf(call).asked),
  }),
  adminPage({
    method: 'POST',
    path: '/admin/relays/:id/disable',
    permission,
    handle: switching(disableRelay, (call) => textsOf(call).left),
  }),
]
