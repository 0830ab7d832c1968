// What may trend: hashtags, links, publishers and posts, as far as anybody has to decide.
import { html } from 'hono/html'
import type { Ctx } from '#ports/ctx.ts'
import { listPublishers } from '#domain/content/cards/providers.ts'
import { listTrendingLinks, listTrendingStatuses, listTrendingTags } from '#domain/reading/trends/queries.ts'
import { reviewLink, reviewPublisher, reviewStatus, reviewTag } from '#domain/reading/trends/review.ts'
import type { Staff } from '#domain/server/audit/record.ts'
import { isAppError } from '#lib/errors.ts'
import { asId, type PreviewCardId, type PreviewCardProviderId, type StatusId, type TagId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import {
  renderPublisher,
  viewAdminTrendingLinks,
  viewAdminTrendingStatuses,
  viewAdminTrendingTags,
} from '#views/reading/admin-trends.ts'
import { redirectWith } from '../../kit/flash.ts'
import type { Html } from '../../kit/html.ts'
import type { Page } from '../../kit/page.ts'
import { summaryOf } from '../../public/post.ts'
import { adminPage, type DeskCall } from '../kit/admin-page.ts'
import { requireTicked } from '../kit/confirm.ts'
import { renderDesk } from '../kit/desk.ts'
import { offsetOf, pageOf, renderOffsetPager, renderPager } from '../kit/links.ts'
import { wordParam } from '../kit/params.ts'
import { renderBadge, renderMoment, renderPerson, renderTabs } from '../kit/parts.ts'
import { renderBulk, type Column, type TableRow } from '../kit/table.ts'

const path = '/admin/trends'
const permission = 'manage_taxonomies'
const kinds = ['tags', 'links', 'statuses', 'publishers'] as const
type Kind = (typeof kinds)[number]
const trendsPerPage = 20

interface Shown {
  columns: Column[]
  rows: TableRow[]
  pager: Html | string
}

const rankOf = (call: DeskCall) => ({ limit: trendsPerPage, offset: offsetOf(call), unreviewed: true })

const show: Readonly<Record<Kind, (call: DeskCall) => Promise<Shown>>> = {
  async tags(call) {
    const t = textsIn(call.language).pages.admin.trends
    const tags = await listTrendingTags(call.ctx, call.viewer, rankOf(call))
    const views = await viewAdminTrendingTags(call.ctx, call.viewer, tags)
    return {
      columns: [{ label: t.tag }, { label: t.state }, { label: t.usedBy, numeric: true }],
      rows: views.map((tag) => ({
        id: tag.id,
        label: `#${tag.name}`,
        cells: [
          html`<a href="${path}/tags/${tag.id}">#${tag.name}</a>`,
          renderReview(call, tag.requires_review, tag.trendable),
          peopleOf(tag.history),
        ],
      })),
      pager: renderOffsetPager(call, tags.length, trendsPerPage),
    }
  },
  async links(call) {
    const t = textsIn(call.language).pages.admin.trends
    const ids = await listTrendingLinks(call.ctx, call.viewer, rankOf(call))
    const views = await viewAdminTrendingLinks(call.ctx, ids)
    return {
      columns: [
        { label: t.link },
        { label: t.publisher },
        { label: t.state },
        { label: t.usedBy, numeric: true },
      ],
      rows: views.map((link) => ({
        id: link.id,
        label: link.title || link.url,
        cells: [
          html`<a href="${link.url}" rel="nofollow noopener" dir="auto">${link.title || link.url}</a>`,
          link.provider_name || URL.parse(link.url)?.hostname || '',
          renderReview(call, link.requires_review, null),
          peopleOf(link.history),
        ],
      })),
      pager: renderOffsetPager(call, ids.length, trendsPerPage),
    }
  },
  async statuses(call) {
    const t = textsIn(call.language).pages.admin.trends
    const ids = await listTrendingStatuses(call.ctx, call.viewer, rankOf(call))
    const views = await viewAdminTrendingStatuses(call.ctx, call.viewer, ids)
    return {
      columns: [
        { label: t.author },
        { label: t.post },
        { label: t.state },
        { label: t.boosts, numeric: true },
      ],
      rows: views.map((status) => ({
        id: status.id,
        label: summaryOf(status, 80) || `@${status.account.acct}`,
        cells: [
          renderPerson(call, status.account),
          html`<a href="${status.url ?? status.uri}" dir="auto">${summaryOf(status, 200) || t.open}</a>`,
          renderReview(call, status.requires_review, null),
          String(status.reblogs_count),
        ],
      })),
      pager: renderOffsetPager(call, ids.length, trendsPerPage),
    }
  },
  async publishers(call) {
    const t = textsIn(call.language).pages.admin.trends
    const page = await listPublishers(call.ctx, pageOf(call))
    return {
      columns: [{ label: t.publisher }, { label: t.state }, { label: t.reviewed }],
      rows: page.items.map(renderPublisher).map((publisher) => ({
        id: publisher.id,
        label: publisher.domain,
        cells: [
          html`<bdi>${publisher.domain}</bdi>`,
          renderReview(call, publisher.requires_review, publisher.trendable),
          publisher.reviewed_at ? renderMoment(call, publisher.reviewed_at) : '',
        ],
      })),
      pager: renderPager(call, page),
    }
  },
}

/** People who used it today and yesterday. */
const peopleOf = (history: readonly { accounts: string }[]): string =>
  String(history.slice(0, 2).reduce((sum, day) => sum + Number(day.accounts), 0))

/** `trendable`: null where it is not known. */
function renderReview(call: DeskCall, waits: boolean, trendable: boolean | null): Html {
  const t = textsIn(call.language).pages.admin.trends
  if (waits) return renderBadge(t.waits, 'main')
  if (trendable === null) return renderBadge(t.decided)
  return trendable ? renderBadge(t.approved, 'good') : renderBadge(t.rejected, 'alarm')
}

const kindOf = (call: DeskCall): Kind => wordParam(call, 'kind', kinds) ?? 'tags'

async function showTrends(call: DeskCall): Promise<Response> {
  const t = textsIn(call.language).pages.admin
  const kind = kindOf(call)
  const { columns, rows, pager } = await show[kind](call)
  const tabs = renderTabs(
    call,
    kinds.map((one) => ({ label: t.trends.kinds[one], changes: { kind: one === 'tags' ? null : one } })),
  )
  const table = renderBulk(
    call,
    { caption: t.trends.kinds[kind], columns, rows, none: t.trends.none },
    {
      action: `${path}/decide`,
      hidden: { kind },
      actions: [
        { value: 'approve', label: t.trends.approve },
        { value: 'reject', label: t.trends.reject, alarming: true },
      ],
    },
  )
  const body = html`<p>${t.trends.hint}</p>
    ${tabs} ${table} ${pager}
    <p>
      <a href="/admin/follow_recommendations">${textsIn(call.language).pages.desk.recommendations.title}</a>
    </p>`
  return renderDesk(call, { title: t.sections.trends, body })
}

const review: Readonly<
  Record<Kind, (ctx: Ctx, staff: Staff, id: string, trendable: boolean) => Promise<void>>
> = {
  tags: (ctx, staff, id, trendable) => reviewTag(ctx, staff, asId<TagId>(id), trendable),
  links: (ctx, staff, id, trendable) => reviewLink(ctx, staff, asId<PreviewCardId>(id), trendable),
  statuses: (ctx, staff, id, trendable) => reviewStatus(ctx, staff, asId<StatusId>(id), trendable),
  publishers: (ctx, staff, id, trendable) =>
    reviewPublisher(ctx, staff, asId<PreviewCardProviderId>(id), trendable),
}

async function decide(call: DeskCall): Promise<Response> {
  const t = textsIn(call.language).pages.admin.trends
  const [kind, trendable] = [kindOf(call), wordParam(call, 'action', ['approve', 'reject']) === 'approve']
  let count = 0
  for (const id of requireTicked(call)) {
    try {
      await review[kind](call.ctx, call.viewer, id, trendable)
      count++
    } catch (error) {
      if (!isAppError(error, 'not_found')) throw error
    }
  }
  const back = kind === 'tags' ? path : `${path}?kind=${kind}`
  return redirectWith(call, back, { text: trendable ? t.didApprove({ count }) : t.didReject({ count }) })
}

export const pages: readonly Page[] = [
  adminPage({ path: '/admin/trends', permission, handle: showTrends }),
  adminPage({ method: 'POST', path: '/admin/trends/decide', permission, handle: decide }),
]
