// What both versions of the list of accounts take, and what the action on one takes.
import { z } from 'zod'
import { accountActions, type ActionInput } from '#domain/trust/moderation/take-action.ts'
import { invalid } from '#lib/errors.ts'
import { parseTime } from '#lib/time/parse-time.ts'
import { pathId, reference, text, truthy, word } from '#http/kit/params/fields.ts'
import type { AccountId, ReportId, WarningPresetId } from '#lib/id.ts'

export const names = {
  username: text(),
  display_name: text(),
  by_domain: text(),
  email: text(),
  ip: text(),
}

export const toNames = (params: z.output<z.ZodObject<typeof names>>) => ({
  username: params.username,
  displayName: params.display_name,
  domain: params.by_domain,
  email: params.email,
  ip: params.ip,
})

export const actionParams = z.object({
  id: pathId<AccountId>(),
  type: word(accountActions),
  report_id: reference<ReportId>(),
  warning_preset_id: reference<WarningPresetId>(),
  text: text(),
  send_email_notification: truthy(),
  // An extension: the limit ends by itself, in so many seconds or at this time.
  expires_in: text(),
  expires_at: text(),
})

/** Throws `invalid`. `now`: milliseconds since the epoch. */
export function toAction(params: z.output<typeof actionParams>, now: number): ActionInput {
  if (!params.type) throw invalid('type', 'blank')
  return {
    type: params.type,
    text: params.text,
    reportId: params.report_id,
    presetId: params.warning_preset_id,
    mail: params.send_email_notification,
    endsAt: readEnd(params, now),
  }
}

const maxLength = 100 * 365 * 86_400

/** What is no time is refused: a limit must not last for ever by mistake. */
function readEnd({ expires_in, expires_at }: z.output<typeof actionParams>, now: number): Date | undefined {
  if (expires_in) {
    const seconds = /^\d{1,12}$/.test(expires_in) ? Number(expires_in) : NaN
    if (!(seconds <= maxLength)) throw invalid('expires_in', 'invalid')
    return new Date(now + seconds * 1000)
  }
  if (!expires_at) return undefined
  const time = parseTime(expires_at)
  if (time === null || time > now + maxLength * 1000) throw invalid('expires_at', 'invalid')
  return new Date(time)
}
