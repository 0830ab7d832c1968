import { z } from 'zod'
import type { PollInput } from '#domain/content/polls/new-poll.ts'
import { integer, object, texts, truthy } from '#http/kit/params/fields.ts'

/** `poll[options][]`, `poll[expires_in]`, `poll[multiple]`, `poll[hide_totals]`. */
export const pollParams = () =>
  object(z.object({ options: texts(), expires_in: integer(), multiple: truthy(), hide_totals: truthy() }))

/** Undefined where no poll is asked. */
export function pollInput(params: z.output<ReturnType<typeof pollParams>>): PollInput | undefined {
  if (!params?.options) return undefined
  return {
    options: params.options,
    expiresIn: params.expires_in ?? 0,
    multiple: params.multiple,
    hideTotals: params.hide_totals,
  }
}
