import { z } from 'zod'
import { count, day, entity, flag, id, text, time, type Json, type Schema } from '../entity.ts'
import { Status } from '../status.ts'

const reactions = { favourites: count, reblogs: count, replies: count, quotes: count }

/** How a post of one's own travelled: an extension. Counts alone, and nobody's name. */
const statusStatistics = entity('StatusStatistics', {
  status_id: id,
  complete: flag,
  totals: z.strictObject(reactions),
  /** Hours in which there was something: `hour` is when they began. */
  hours: z.array(z.strictObject({ hour: time, ...reactions })),
  servers_count: count,
  /** Those from which most came. */
  servers: z.array(z.strictObject({ domain: text, ...reactions })),
})
export interface StatusStatistics extends Json<typeof statusStatistics> {}
export const StatusStatistics: Schema<StatusStatistics> = statusStatistics

const month = { statuses: count, answers: count, boosts: count, followers: count, ...reactions }

/** What one wrote in a month, and what came of it: an extension. */
const monthStatistics = entity('MonthStatistics', {
  /** `2026-02` */
  month: text,
  complete: flag,
  totals: z.strictObject(month),
  /** Every day of the month. What came of posts counts for the day of the post. */
  days: z.array(z.strictObject({ day, ...month })),
  top_statuses: z.array(Status),
})
export interface MonthStatistics extends Json<typeof monthStatistics> {}
export const MonthStatistics: Schema<MonthStatistics> = monthStatistics

/** Whether one wants to see such numbers. */
const statisticsSetting = entity('StatisticsSetting', { enabled: flag })
export interface StatisticsSetting extends Json<typeof statisticsSetting> {}
export const StatisticsSetting: Schema<StatisticsSetting> = statisticsSetting
