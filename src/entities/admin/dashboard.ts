import { z } from 'zod'
import { entity, number, numeral, text, textOrNull, time, type Json, type Schema } from '../entity.ts'

const valueAt = { date: time, value: numeral }

/** https://docs.joinmastodon.org/entities/Admin_Measure/ */
const adminMeasure = entity('AdminMeasure', {
  key: text,
  unit: textOrNull,
  total: numeral,
  human_value: text.optional(),
  previous_total: numeral.optional(),
  data: z.array(z.strictObject(valueAt)),
})
export interface AdminMeasure extends Json<typeof adminMeasure> {}
export const AdminMeasure: Schema<AdminMeasure> = adminMeasure

/** https://docs.joinmastodon.org/entities/Admin_Dimension/ */
const adminDimension = entity('AdminDimension', {
  key: text,
  data: z.array(
    z.strictObject({
      key: text,
      human_key: text,
      value: text,
      unit: text.optional(),
      human_value: text.optional(),
    }),
  ),
})
export interface AdminDimension extends Json<typeof adminDimension> {}
export const AdminDimension: Schema<AdminDimension> = adminDimension

/** https://docs.joinmastodon.org/entities/Admin_Cohort/ */
const adminCohort = entity('AdminCohort', {
  period: time,
  frequency: z.enum(['day', 'month']),
  data: z.array(z.strictObject({ ...valueAt, rate: number })),
})
export interface AdminCohort extends Json<typeof adminCohort> {}
export const AdminCohort: Schema<AdminCohort> = adminCohort
