import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { AdminReport } from '#entities/admin/report.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { actOnReport, statusActions } from '#domain/trust/moderation/act-on-report.ts'
import { categories } from '#domain/trust/moderation/reports/reports.ts'
import {
  assignReport,
  getReport,
  listReports,
  reopenReport,
  resolveReport,
  updateReport,
  type StaffReportRow,
} from '#domain/trust/moderation/reports/staff-reports.ts'
import {
  ids,
  pageOf,
  paging,
  pathId,
  reference,
  references,
  text,
  truthy,
  word,
} from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { viewAdminReport, viewAdminReports } from '#views/trust/admin-reports.ts'
import type { AccountId, ReportId, RuleId, StatusId } from '#lib/id.ts'

const one = z.object({ id: pathId<ReportId>() })
const staff = { auth: 'user', permission: 'manage_reports' } as const
const read = ['admin:read', 'admin:read:reports']
const write = ['admin:write', 'admin:write:reports']

/** Settles who sees to a report, or that it is done with. */
const change = (work: (ctx: Ctx, viewer: Viewer, id: ReportId) => Promise<StaffReportRow>) =>
  ({
    ...staff,
    scopes: write,
    params: one,
    handle: async ({ ctx, viewer, params }: { ctx: Ctx; viewer: Viewer; params: { id: ReportId } }) =>
      viewAdminReport(ctx, viewer.accountId, await work(ctx, viewer, params.id)),
  }) as const

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/admin/reports',
    returns: listOf(AdminReport),
    ...staff,
    replicated: true,
    scopes: read,
    params: z.object({
      resolved: truthy(),
      account_id: reference<AccountId>(),
      target_account_id: reference<AccountId>(),
      ...paging(100),
    }),
    async handle({ ctx, viewer, params }) {
      const filter = {
        resolved: params.resolved,
        accountId: params.account_id,
        targetAccountId: params.target_account_id,
      }
      const page = await listReports(ctx, filter, pageOf(params))
      return listed(page, await viewAdminReports(ctx, viewer.accountId, page.items))
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/admin/reports/:id',
    returns: AdminReport,
    ...staff,
    scopes: read,
    params: one,
    handle: async ({ ctx, viewer, params }) =>
      viewAdminReport(ctx, viewer.accountId, await getReport(ctx, params.id)),
  }),
  route({
    method: 'PUT',
    path: '/api/v1/admin/reports/:id',
    returns: AdminReport,
    ...staff,
    scopes: write,
    params: one.extend({ category: word(categories), rule_ids: references<RuleId>() }),
    async handle({ ctx, viewer, params }) {
      const { category, rule_ids: ruleIds } = params
      const report = await updateReport(ctx, viewer, params.id, { category, ruleIds })
      return viewAdminReport(ctx, viewer.accountId, report)
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/reports/:id/assign_to_self',
    returns: AdminReport,
    ...change((ctx, viewer, report) => assignReport(ctx, viewer, report, viewer.accountId)),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/reports/:id/unassign',
    returns: AdminReport,
    ...change((ctx, viewer, report) => assignReport(ctx, viewer, report, null)),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/reports/:id/resolve',
    returns: AdminReport,
    ...change(resolveReport),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/reports/:id/reopen',
    returns: AdminReport,
    ...change(reopenReport),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/reports/:id/actions',
    returns: AdminReport,
    ...staff,
    scopes: write,
    params: one.extend({
      type: word(statusActions),
      status_ids: ids<StatusId>(),
      text: text(),
      send_email_notification: truthy(),
    }),
    async handle({ ctx, viewer, params }) {
      const report = await actOnReport(ctx, viewer, params.id, {
        type: params.type,
        statusIds: params.status_ids,
        text: params.text,
        mail: params.send_email_notification,
      })
      return viewAdminReport(ctx, viewer.accountId, report)
    },
  }),
]
