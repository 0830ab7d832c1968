import { z } from 'zod'
import { entity, number, numeral, text, textOrNull, time, type Json } from '../entity.ts'

const valueAt = { date: time, value: numeral }

/** https://docs.joinmastodon.org/entities/Admin_Measure/ */
export const AdminMeasure = entity('AdminMeasure', {
  key: text,
  unit: textOrNull,
  total: numeral,
  human_value: text.optional(),
  previous_total: numeral.optional(),
  data: z.array(z.strictObject(valueAt)),
})
export interface AdminMeasure extends Json<typeof AdminMeasure> {}

/** https://docs.joinmastodon.org/entities/Admin_Dimension/ */
export const AdminDimension = entity('AdminDimension', {
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
export interface AdminDimension extends Json<typeof AdminDimension> {}

/** https://docs.joinmastodon.org/entities/Admin_Cohort/ */
export const AdminCohort = entity('AdminCohort', {
  period: time,
  frequency: z.enum(['day', 'month']),
  data: z.array(z.strictObject({ ...valueAt, rate: number })),
})
export interface AdminCohort extends Json<typeof AdminCohort> {}
