// How servers look on pages of the desk.
import { html } from 'hono/html'
import type { HostHealth, KnownHost } from '#domain/maintenance/dashboard/known-hosts.ts'
import { severities, type Severity } from '#domain/trust/moderation/hosts/host-blocks.ts'
import type { DescribedHost } from '#domain/trust/block-lists/preview.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { numberText } from '../../public/post-parts.ts'
import type { Html } from '../../kit/html.ts'
import type { DeskCall } from '../kit/admin-page.ts'
import { boxed, isTicked, textOf, type Entered, type Field } from '../kit/fields.ts'
import { renderBadge } from '../kit/parts.ts'
import { renderTable } from '../kit/table.ts'

const textsOf = (call: DeskCall) => textsIn(call.language).pages.desk.hosts

/** A server, as a link to what is known of it. */
export const renderHost = (domain: string): Html =>
  html`<a href="/admin/instances/${domain}"><bdi>${domain}</bdi></a>`

const tones = { well: 'good', failing: 'main', given_up: 'alarm', stopped: 'alarm' } as const

export const renderHealth = (call: DeskCall, health: HostHealth): Html =>
  renderBadge(textsOf(call).healths[health], tones[health])

export const renderSeverity = (call: DeskCall, severity: Severity): Html =>
  renderBadge(textsOf(call).severities[severity], severity === 'noop' ? 'plain' : 'alarm')

/** The block and the permission of just this server. */
export const renderLimits = (call: DeskCall, { severity, allowed }: KnownHost): Html =>
  html`${severity === null ? '' : renderSeverity(call, severity)}
  ${allowed ? renderBadge(textsOf(call).allowed, 'good') : ''}`

/** The terms of a block, as fields. */
export function blockFields(call: DeskCall): Field[] {
  const t = textsOf(call)
  return [
    {
      kind: 'choice',
      name: 'severity',
      label: t.severity,
      hint: t.severityHint,
      choices: severities.toReversed().map((value) => ({ value, label: t.severities[value] })),
    },
    { kind: 'box', name: 'reject_media', label: t.rejectMedia },
    { kind: 'box', name: 'reject_reports', label: t.rejectReports },
    { kind: 'box', name: 'obfuscate', label: t.obfuscate },
    { kind: 'area', name: 'private_comment', label: t.privateComment, rows: 2 },
    { kind: 'area', name: 'public_comment', label: t.publicComment, hint: t.publicHint, rows: 2 },
  ]
}

interface BlockTerms {
  severity: Severity
  reject_media: boolean
  reject_reports: boolean
  obfuscate: boolean
  private_comment: string | null
  public_comment: string | null
}

export const enteredOfBlock = (block: BlockTerms | null): Entered => ({
  severity: block?.severity ?? 'silence',
  reject_media: boxed(block?.reject_media ?? false),
  reject_reports: boxed(block?.reject_reports ?? false),
  obfuscate: boxed(block?.obfuscate ?? false),
  private_comment: block?.private_comment ?? '',
  public_comment: block?.public_comment ?? '',
})

export const termsOfBlock = (entered: Entered) => ({
  severity: severities.find((one) => one === textOf(entered, 'severity')),
  rejectMedia: isTicked(entered, 'reject_media'),
  rejectReports: isTicked(entered, 'reject_reports'),
  obfuscate: isTicked(entered, 'obfuscate'),
  privateComment: textOf(entered, 'private_comment'),
  publicComment: textOf(entered, 'public_comment'),
})

/** What blocking servers would mean here, one a row. */
export function renderDescribed(call: DeskCall, hosts: readonly DescribedHost[], caption: string): Html {
  const t = textsOf(call)
  const number = (count: number) => numberText(call.language, count)
  return renderTable(call, {
    caption,
    columns: [
      { label: t.domain },
      { label: t.listed },
      { label: t.now },
      { label: t.accounts, numeric: true },
      { label: t.follows, numeric: true },
      { label: t.followers, numeric: true },
    ],
    rows: hosts.map((host) => ({
      cells: [
        html`<bdi>${host.domain}</bdi>`,
        renderSeverity(call, host.severity),
        host.excluded
          ? renderBadge(t.excluded)
          : host.currentSeverity === null
            ? renderBadge(t.fresh, 'main')
            : renderSeverity(call, host.currentSeverity),
        number(host.accountsCount),
        number(host.followsCount),
        number(host.followersCount),
      ],
    })),
    none: t.noneListed,
  })
}
