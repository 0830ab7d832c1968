// On what terms this server is with others.
import { html } from 'hono/html'
import { describeHosts } from '#domain/trust/block-lists/preview.ts'
import {
  createHostBlock,
  deleteHostBlock,
  getHostBlock,
  listHostBlocks,
  updateHostBlock,
  type HostBlock,
  type Severity,
} from '#domain/trust/moderation/hosts/host-blocks.ts'
import { normaliseDomain } from '#lib/acct.ts'
import { asId, type DomainBlockId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { numberText } from '../../public/post-parts.ts'
import { textParam } from '../../kit/form.ts'
import type { DeskCall } from '../kit/admin-page.ts'
import { renderConfirm } from '../kit/confirm.ts'
import { textOf, type Entered } from '../kit/fields.ts'
import { pageOf, renderPager } from '../kit/links.ts'
import { actOnTicked } from '../kit/many.ts'
import { renderMoment } from '../kit/parts.ts'
import { resourcePages, showForm, type Resource } from '../kit/resource.ts'
import { renderBulk } from '../kit/table.ts'
import { blockFields, enteredOfBlock, renderHost, renderSeverity, termsOfBlock } from './host-parts.ts'

const permission = 'manage_federation'
const path = '/admin/domain_blocks'
const textsOf = (call: DeskCall) => textsIn(call.language).pages.desk.domainBlocks
const hostTexts = (call: DeskCall) => textsIn(call.language).pages.desk.hosts

const resource: Resource<HostBlock> = {
  path,
  permission,
  words: (call) => ({
    title: textsIn(call.language).pages.admin.sections.domain_blocks,
    hint: textsOf(call).hint,
    add: textsOf(call).add,
  }),
  list: showList,
  find: (call, id) => getHostBlock(call.ctx, asId<DomainBlockId>(id)),
  nameOf: ({ domain }) => domain,
  fields: (call, row) => [
    ...(row === null
      ? [
          {
            kind: 'text',
            name: 'domain',
            label: hostTexts(call).domain,
            hint: textsOf(call).domainHint,
            required: true,
          } as const,
        ]
      : []),
    ...blockFields(call),
  ],
  enteredOf: (row, call) => ({ domain: textParam(call.params, '_domain'), ...enteredOfBlock(row) }),
  create: (call, entered) =>
    textParam(call.params, 'sure') === '1' ? create(call, entered) : preview(call, entered),
  async update(call, row, entered) {
    await updateHostBlock(call.ctx, call.viewer, row.id, termsOfBlock(entered))
  },
  remove: {
    run: (call, row) => deleteHostBlock(call.ctx, call.viewer, row.id),
    consequences: (call) => [textsOf(call).removal, textsOf(call).followsStay],
  },
  above: async (_, row) => html`<p>${renderHost(row.domain)}</p>`,
}

/** What the block would do, before it is done. */
async function preview(call: DeskCall, entered: Entered): Promise<Response | undefined> {
  const domain = normaliseDomain(textOf(entered, 'domain').trim())
  // The command says what is wrong with it.
  if (domain === null) return create(call, entered)
  const t = textsOf(call)
  const terms = termsOfBlock(entered)
  const severity = terms.severity ?? 'silence'
  const listed = { rejectMedia: false, rejectReports: false, obfuscate: false, publicComment: '' }
  const [host] = await describeHosts(call.ctx, [{ domain, severity, ...listed }])
  const count = (value = 0) => numberText(call.language, value)
  return renderConfirm(call, {
    title: t.previewTitle({ domain }),
    consequences: [
      t.does[severity],
      t.knownOf({ accounts: count(host?.accountsCount) }),
      t.tied({ follows: count(host?.followsCount), followers: count(host?.followersCount) }),
      ...(severity === 'suspend' ? [t.endsFollows] : []),
      ...(terms.rejectMedia ? [t.deletesMedia] : []),
      ...(host?.currentSeverity
        ? [t.isNow({ severity: hostTexts(call).severities[host.currentSeverity] })]
        : []),
    ],
    action: path,
    hidden: { ...(entered as Record<string, string>), sure: '1' },
    submit: t.add,
    back: path,
  })
}

async function create(call: DeskCall, entered: Entered): Promise<Response | undefined> {
  const made = await createHostBlock(call.ctx, call.viewer, textOf(entered, 'domain'), termsOfBlock(entered))
  if (made.kind === 'created') return undefined
  const { host_block_exists: tell } = textsIn(call.language).errors.sentences
  const problems = { domain: tell({ domain: made.by.domain }) }
  return showForm(call, resource, { row: null, entered, problems })
}

async function showList(call: DeskCall) {
  const t = textsOf(call)
  const h = hostTexts(call)
  const page = await listHostBlocks(call.ctx, pageOf(call))
  const also = (block: HostBlock) =>
    [
      block.reject_media && h.rejectMedia,
      block.reject_reports && h.rejectReports,
      block.obfuscate && h.obfuscate,
    ]
      .filter((word) => word !== false)
      .join(', ')
  const table = {
    caption: resource.words(call).title,
    columns: [
      { label: h.domain },
      { label: h.severity },
      { label: t.also },
      { label: t.why },
      { label: h.since },
    ],
    rows: page.items.map((block) => ({
      id: block.id,
      label: block.domain,
      cells: [
        html`<a href="${path}/${block.id}"><bdi>${block.domain}</bdi></a>`,
        renderSeverity(call, block.severity),
        also(block),
        block.private_comment ?? block.public_comment ?? '',
        renderMoment(call, block.created_at),
      ],
    })),
    none: t.none,
  }
  const allows = call.ctx.config.limitedFederation
    ? html`<p class="notice">${t.limitedFederation} <a href="/admin/domain_allows">${t.toAllows}</a></p>`
    : ''
  return html`${allows}
    <p>
      <a href="${path}/import">${t.importList}</a> · <a href="${path}/export">${t.exportList}</a> ·
      <a href="/admin/block_lists">${textsIn(call.language).pages.admin.sections.block_lists}</a>
    </p>
    ${renderBulk(call, table, many.form(call))} ${renderPager(call, page)}`
}

const idOf = (id: string) => asId<DomainBlockId>(id)

const severityAct = (severity: Exclude<Severity, 'noop'>) => ({
  label: (call: DeskCall) => textsOf(call).set[severity],
  consequence: (call: DeskCall) => textsOf(call).does[severity],
  alarming: severity === 'suspend',
  run: (call: DeskCall, id: string) => updateHostBlock(call.ctx, call.viewer, idOf(id), { severity }),
})

const many = actOnTicked({
  path,
  permission,
  nameOf: async (call, id) => (await getHostBlock(call.ctx, idOf(id))).domain,
  acts: {
    silence: severityAct('silence'),
    suspend: severityAct('suspend'),
    remove: {
      label: (call) => textsIn(call.language).pages.desk.common.remove,
      consequence: (call) => textsOf(call).removal,
      alarming: true,
      run: (call, id) => deleteHostBlock(call.ctx, call.viewer, idOf(id)),
    },
  },
})

export const pages = [...resourcePages(resource), ...many.pages]
