// Names, numbers and times, as they stand in posts and profiles.
import type { CustomEmoji } from '#entities/emoji.ts'
import { html, raw } from 'hono/html'
import { escapeHtml } from '#lib/html/html.ts'
import type { Language } from '#lib/messages/catalogue.ts'
import { emojify } from '../kit/emojify.ts'
import type { Html } from '../kit/html.ts'

/** Plain text with its emoji, such as a display name. Isolated, so that its direction ends with it (CNT-9). */
export function renderName(text: string, emojis: readonly CustomEmoji[]): Html {
  return html`<bdi>${raw(emojify(escapeHtml(text), emojis))}</bdi>`
}

export const numberText = (language: Language, count: number) =>
  new Intl.NumberFormat(language, { notation: count >= 10_000 ? 'compact' : 'standard' }).format(count)

/** `day` alone, to the minute, or so that its zone is named. */
export type Precision = 'day' | 'time' | 'exact'

/** A point in time, in UTC: pages are the same for everyone. */
export function renderTime(language: Language, time: string, precision: Precision = 'day'): Html {
  const full = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' })
  const date = new Date(time)
  return html`<time datetime="${time}" title="${full.format(date)} UTC"
    >${timeText(language, time, precision)}${precision === 'exact' ? ' UTC' : ''}</time
  >`
}

/** The same as text, where no element can stand. */
export function timeText(language: Language, time: string, precision: Precision): string {
  return new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    ...(precision !== 'day' && { timeStyle: 'short' as const }),
    timeZone: 'UTC',
  }).format(new Date(time))
}
