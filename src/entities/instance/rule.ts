import { z } from 'zod'
import { entity, id, text, type Json, type Schema } from '../entity.ts'

/** https://docs.joinmastodon.org/entities/Rule/ */
const rule = entity('Rule', {
  id,
  text,
  hint: text,
  /** By the code of a language. */
  translations: z.record(text, z.strictObject({ text, hint: text })),
})
export interface Rule extends Json<typeof rule> {}
export const Rule: Schema<Rule> = rule
