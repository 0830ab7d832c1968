import { z } from 'zod'
import { Account } from './account.ts'
import {
  count,
  countOrNull,
  entity,
  id,
  idOrNull,
  text,
  urlOrNull,
  type Json,
  type Schema,
} from './entity.ts'
import { Status } from './status.ts'

/** https://docs.joinmastodon.org/entities/AnnualReport/ */
const annualReport = entity('AnnualReport', {
  year: count,
  data: z.strictObject({
    archetype: z.enum(['lurker', 'booster', 'pollster', 'replier', 'oracle']),
    top_statuses: z.strictObject({
      by_reblogs: idOrNull,
      by_favourites: idOrNull,
      by_replies: idOrNull,
    }),
    time_series: z.array(
      z.strictObject({ month: count, statuses: count, following: count, followers: count }),
    ),
    top_hashtags: z.array(z.strictObject({ name: text, count })),
  }),
  schema_version: count,
  share_url: urlOrNull,
  account_id: id,
})
export interface AnnualReport extends Json<typeof annualReport> {}
export const AnnualReport: Schema<AnnualReport> = annualReport

/** https://docs.joinmastodon.org/methods/annual_reports/: reports, and all that they name. */
const wrappedAnnualReports = entity('WrappedAnnualReports', {
  annual_reports: z.array(AnnualReport),
  accounts: z.array(Account),
  statuses: z.array(Status),
})
export interface WrappedAnnualReports extends Json<typeof wrappedAnnualReports> {}
export const WrappedAnnualReports: Schema<WrappedAnnualReports> = wrappedAnnualReports

/** How it stands with the report of a year. */
const annualReportState = entity('AnnualReportState', {
  state: z.enum(['available', 'generating', 'eligible', 'ineligible']),
})
export interface AnnualReportState extends Json<typeof annualReportState> {}
export const AnnualReportState: Schema<AnnualReportState> = annualReportState

/** https://docs.joinmastodon.org/entities/AsyncRefresh/ */
const asyncRefresh = entity('AsyncRefresh', {
  async_refresh: z.strictObject({
    id: text,
    status: z.enum(['running', 'finished']),
    result_count: countOrNull,
  }),
})
export interface AsyncRefresh extends Json<typeof asyncRefresh> {}
export const AsyncRefresh: Schema<AsyncRefresh> = asyncRefresh
