// With whom this server speaks in limited federation.
import { html } from 'hono/html'
import {
  allowHost,
  disallowHost,
  getHostAllow,
  listHostAllows,
  type HostAllow,
} from '#domain/trust/moderation/hosts/host-allows.ts'
import { asId, type DomainAllowId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { textParam } from '../../kit/form.ts'
import type { DeskCall } from '../kit/admin-page.ts'
import { textOf } from '../kit/fields.ts'
import { pageOf, renderPager } from '../kit/links.ts'
import { removeTicked } from '../kit/many.ts'
import { renderMoment } from '../kit/parts.ts'
import { resourcePages, type Resource } from '../kit/resource.ts'
import { renderBulk } from '../kit/table.ts'
import { renderHost } from './host-parts.ts'

const permission = 'manage_federation'
const path = '/admin/domain_allows'
const textsOf = (call: DeskCall) => textsIn(call.language).pages.desk.domainAllows
const hostTexts = (call: DeskCall) => textsIn(call.language).pages.desk.hosts

const resource: Resource<HostAllow> = {
  path,
  permission,
  words: (call) => ({
    title: textsOf(call).title,
    hint: call.ctx.config.limitedFederation ? textsOf(call).hint : textsOf(call).unlimited,
    add: textsOf(call).add,
  }),
  list: showList,
  find: (call, id) => getHostAllow(call.ctx, asId<DomainAllowId>(id)),
  nameOf: ({ domain }) => domain,
  fields: (call) => [
    {
      kind: 'text',
      name: 'domain',
      label: hostTexts(call).domain,
      hint: textsOf(call).domainHint,
      required: true,
    },
  ],
  enteredOf: (_, call) => ({ domain: textParam(call.params, '_domain') }),
  async create(call, entered) {
    await allowHost(call.ctx, call.viewer, textOf(entered, 'domain'))
  },
}

async function showList(call: DeskCall) {
  const t = textsOf(call)
  const page = await listHostAllows(call.ctx, pageOf(call))
  const table = {
    caption: t.title,
    columns: [{ label: hostTexts(call).domain }, { label: hostTexts(call).since }],
    rows: page.items.map((allow) => ({
      id: allow.id,
      label: allow.domain,
      cells: [renderHost(allow.domain), renderMoment(call, allow.created_at)],
    })),
    none: t.none,
  }
  return html`<p>
      <a href="${path}/import">${t.importList}</a> · <a href="${path}/export">${t.exportList}</a>
    </p>
    ${renderBulk(call, table, removal.form(call))} ${renderPager(call, page)}`
}

const removal = removeTicked({
  path,
  permission,
  nameOf: async (call, id) => (await getHostAllow(call.ctx, asId<DomainAllowId>(id))).domain,
  remove: (call, id) => disallowHost(call.ctx, call.viewer, asId<DomainAllowId>(id)),
  consequence: (call) =>
    call.ctx.config.limitedFederation ? textsOf(call).removal : textsOf(call).removalUnlimited,
})

export const pages = [...resourcePages(resource), ...removal.pages]
