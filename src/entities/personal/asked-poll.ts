import { z } from 'zod'
import { count, flag, texts } from '../entity.ts'

/** A poll that is not there yet, as it is asked for. */
export const askedPoll = z.strictObject({
  options: texts,
  expires_in: count,
  multiple: flag,
  hide_totals: flag,
})
