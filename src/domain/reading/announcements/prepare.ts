// What staff write as an announcement, read and checked.
import type { Reader } from '#ports/ctx.ts'
import { findNamedAccounts } from '#domain/identity/accounts/lookup.ts'
import { linkNames } from '#domain/identity/accounts/profile/render-profile.ts'
import { invalid } from '#lib/errors.ts'
import type { Field } from '#lib/messages/describe-error.ts'
import { parseTime } from '#lib/time/parse-time.ts'
import { renderText } from '#lib/html/render-text.ts'
import { cleanText, extractEntities } from '#lib/text/text.ts'

/** As it comes in: times as texts. What is not given is left as it is. */
export interface AnnouncementInput {
  text?: string | undefined
  startsAt?: string | undefined
  endsAt?: string | undefined
  /** The time range means whole days. */
  allDay?: boolean | undefined
  scheduledAt?: string | undefined
  /** Whether people see it. One that is scheduled waits for its time whatever this says. */
  published?: boolean | undefined
}

export interface AnnouncementValues {
  text: string
  starts_at: Date | null
  ends_at: Date | null
  all_day: boolean
  scheduled_at: Date | null
}

export const noValues: AnnouncementValues = {
  text: '',
  starts_at: null,
  ends_at: null,
  all_day: false,
  scheduled_at: null,
}

/** The announcement as it shall be. Throws `invalid`. */
export function readAnnouncement(input: AnnouncementInput, current: AnnouncementValues): AnnouncementValues {
  const values = {
    text: input.text === undefined ? current.text : cleanText(input.text).trim(),
    starts_at: readTime('starts_at', input.startsAt, current.starts_at),
    ends_at: readTime('ends_at', input.endsAt, current.ends_at),
    all_day: input.allDay ?? current.all_day,
    scheduled_at: readTime('scheduled_at', input.scheduledAt, current.scheduled_at),
  }
  const { starts_at: starts, ends_at: ends } = values
  if (values.text === '') throw invalid('text', 'blank')
  if (values.all_day && (!starts || !ends)) {
    throw invalid('all_day', 'needs_time_range')
  }
  if (starts && ends && ends < starts) throw invalid('ends_at', 'before_start')
  return values
}

function readTime(field: Field, text: string | undefined, current: Date | null): Date | null {
  if (text === undefined) return current
  if (text.trim() === '') return null
  const time = parseTime(text)
  if (time === null) throw invalid(field, 'invalid')
  return new Date(time)
}

/** The text as HTML: links, hashtags, and those mentions that name known accounts. */
export async function renderAnnouncementText(reader: Reader, text: string): Promise<string> {
  const named = await findNamedAccounts(reader, extractEntities(text).mentions)
  return renderText(text, linkNames(reader.config, named))
}
