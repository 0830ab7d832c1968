// Ranges of addresses from which nobody signs up, or nobody comes at all.
import { html } from 'hono/html'
import {
  createIpBlock,
  deleteIpBlock,
  getIpBlock,
  ipSeverities,
  listIpBlocks,
  updateIpBlock,
  type IpBlock,
} from '#domain/identity/sign-up-restrictions/ip-blocks.ts'
import { asId, type IpBlockId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import type { DeskCall } from '../kit/admin-page.ts'
import { removeTicked } from '../kit/many.ts'
import { textOf, type Entered, type Field } from '../kit/fields.ts'
import { pageOf, renderPager } from '../kit/links.ts'
import { renderBadge, renderMoment } from '../kit/parts.ts'
import { resourcePages, type Resource } from '../kit/resource.ts'
import { renderBulk } from '../kit/table.ts'

const day = 86_400
/** Seconds. */
const lengths = [day, 14 * day, 30 * day, 182 * day, 365 * day, 3 * 365 * day]

const textsOf = (call: DeskCall) => textsIn(call.language).pages.desk.ipBlocks

const resource: Resource<IpBlock> = {
  path: '/admin/ip_blocks',
  permission: 'manage_blocks',
  words: (call) => ({
    title: textsIn(call.language).pages.admin.sections.ip_blocks,
    hint: textsOf(call).hint,
    add: textsOf(call).add,
  }),
  list: showList,
  find: (call, id) => getIpBlock(call.ctx, asId<IpBlockId>(id)),
  nameOf: ({ ip }) => ip,
  fields: (call, row) => fieldsOf(call, row),
  enteredOf: (row) => ({
    ip: row?.ip ?? '',
    severity: row?.severity ?? 'sign_up_requires_approval',
    comment: row?.comment ?? '',
    expires_in: row === null ? String(lengths[2]) : row.expires_at === null ? '' : 'same',
  }),
  async create(call, entered) {
    await createIpBlock(call.ctx, call.viewer, termsOf(call, entered))
  },
  async update(call, row, entered) {
    await updateIpBlock(call.ctx, call.viewer, row.id, termsOf(call, entered))
  },
  remove: {
    run: (call, row) => deleteIpBlock(call.ctx, call.viewer, row.id),
    consequences: (call) => [textsOf(call).removal],
  },
}

function fieldsOf(call: DeskCall, row: IpBlock | null): Field[] {
  const t = textsOf(call)
  const days = (seconds: number) => ({ value: String(seconds), label: t.days({ count: seconds / day }) })
  const ends = [
    ...(row?.expires_at ? [{ value: 'same', label: t.asItIs }] : []),
    ...lengths.map(days),
    { value: '', label: t.forGood },
  ]
  return [
    { kind: 'text', name: 'ip', label: t.ip, hint: t.ipHint, required: true },
    {
      kind: 'choice',
      name: 'severity',
      label: t.severity,
      choices: ipSeverities.map((value) => ({ value, label: t.severities[value] })),
    },
    { kind: 'choice', name: 'expires_in', label: t.lasts, choices: ends },
    { kind: 'text', name: 'comment', label: t.comment },
  ]
}

function termsOf(call: DeskCall, entered: Entered) {
  const end = textOf(entered, 'expires_in')
  const severity = ipSeverities.find((one) => one === textOf(entered, 'severity'))
  return {
    ip: textOf(entered, 'ip'),
    severity,
    comment: textOf(entered, 'comment'),
    from: call.address,
    ...(end !== 'same' && { expiresIn: end === '' ? null : Number(end) }),
  }
}

async function showList(call: DeskCall) {
  const t = textsOf(call)
  const page = await listIpBlocks(call.ctx, pageOf(call))
  const now = call.ctx.clock.now()
  const table = {
    caption: resource.words(call).title,
    columns: [{ label: t.ip }, { label: t.severity }, { label: t.comment }, { label: t.until }],
    rows: page.items.map((row) => ({
      id: row.id,
      label: row.ip,
      cells: [
        html`<a href="${resource.path}/${row.id}"><code>${row.ip}</code></a>`,
        t.severities[row.severity],
        row.comment,
        row.expires_at === null
          ? t.forGood
          : row.expires_at.getTime() <= now
            ? renderBadge(t.over)
            : renderMoment(call, row.expires_at),
      ],
    })),
    none: t.none,
  }
  return html`${renderBulk(call, table, removal.form(call))} ${renderPager(call, page)}`
}

const removal = removeTicked({
  path: '/admin/ip_blocks',
  permission: 'manage_blocks',
  nameOf: async (call, id) => (await getIpBlock(call.ctx, asId<IpBlockId>(id))).ip,
  remove: (call, id) => deleteIpBlock(call.ctx, call.viewer, asId<IpBlockId>(id)),
  consequence: (call) => textsOf(call).removal,
})

export const pages = [...resourcePages(resource), ...removal.pages]
