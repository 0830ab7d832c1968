// Domains with whose addresses nobody signs up.
import { html } from 'hono/html'
import {
  createEmailDomainBlock,
  deleteEmailDomainBlock,
  getEmailDomainBlock,
  listEmailDomainBlocks,
  type EmailDomainBlock,
} from '#domain/identity/sign-up-restrictions/email-domain-blocks.ts'
import { asId, type EmailDomainBlockId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import type { DeskCall } from '../kit/admin-page.ts'
import { isTicked, linesOf, textOf } from '../kit/fields.ts'
import { pageOf, renderPager } from '../kit/links.ts'
import { removeTicked } from '../kit/many.ts'
import { resourcePages, type Resource } from '../kit/resource.ts'
import { renderBulk } from '../kit/table.ts'

const textsOf = (call: DeskCall) => textsIn(call.language).pages.desk.emailDomainBlocks

const resource: Resource<EmailDomainBlock> = {
  path: '/admin/email_domain_blocks',
  permission: 'manage_blocks',
  words: (call) => ({
    title: textsIn(call.language).pages.admin.sections.email_domain_blocks,
    hint: textsOf(call).hint,
    add: textsOf(call).add,
  }),
  list: showList,
  find: (call, id) => getEmailDomainBlock(call.ctx, asId<EmailDomainBlockId>(id)),
  nameOf: ({ domain }) => domain,
  fields: (call) => {
    const t = textsOf(call)
    return [
      { kind: 'text', name: 'domain', label: t.domain, hint: t.domainHint, required: true },
      { kind: 'area', name: 'other_domains', label: t.others, hint: t.othersHint },
      { kind: 'box', name: 'with_dns_records', label: t.withMailHosts },
      { kind: 'box', name: 'allow_with_approval', label: t.approval },
    ]
  },
  enteredOf: (_, call) => ({
    domain: call.url.searchParams.get('_domain') ?? '',
    other_domains: '',
    with_dns_records: '',
    allow_with_approval: '',
  }),
  async create(call, entered) {
    await createEmailDomainBlock(call.ctx, call.viewer, {
      domain: textOf(entered, 'domain'),
      otherDomains: linesOf(entered, 'other_domains'),
      withMailHosts: isTicked(entered, 'with_dns_records'),
      allowWithApproval: isTicked(entered, 'allow_with_approval'),
    })
  },
}

async function showList(call: DeskCall) {
  const t = textsOf(call)
  const page = await listEmailDomainBlocks(call.ctx, pageOf(call))
  const tries = (row: EmailDomainBlock) => row.history.reduce((sum, day) => sum + day.uses, 0)
  const table = {
    caption: resource.words(call).title,
    columns: [{ label: t.domain }, { label: t.effect }, { label: t.tries, numeric: true }],
    rows: page.items.map((row) => ({
      id: row.id,
      label: row.domain,
      cells: [row.domain, row.allow_with_approval ? t.approval : t.never, String(tries(row))],
    })),
    none: t.none,
  }
  return html`<p><a href="/admin/canonical_email_blocks">${t.toCanonical}</a></p>
    ${renderBulk(call, table, removal.form(call))} ${renderPager(call, page)}`
}

const removal = removeTicked({
  path: '/admin/email_domain_blocks',
  permission: 'manage_blocks',
  nameOf: async (call, id) => (await getEmailDomainBlock(call.ctx, asId<EmailDomainBlockId>(id))).domain,
  remove: (call, id) => deleteEmailDomainBlock(call.ctx, call.viewer, asId<EmailDomainBlockId>(id)),
  consequence: (call) => textsOf(call).removal,
})

export const pages = [...resourcePages(resource), ...removal.pages]
