// What the dashboard of staff shows, in the words of the API.
import type { AdminCohort, AdminDimension, AdminMeasure } from '#entities/admin/dashboard.ts'
import type { Cohort, Frequency } from '#domain/maintenance/dashboard/retention.ts'
import type { Dimension, DimensionKey, Part } from '#domain/maintenance/dashboard/dimensions.ts'
import type { Measure } from '#domain/maintenance/dashboard/measures.ts'
import { languages, parseLanguage } from '#lib/text/language.ts'
import type { Language } from '#lib/messages/catalogue.ts'
import { pickText, textsIn } from '#lib/messages/texts.ts'

/** Midnight of a day, as a date with a time: clients compare them as such. */
const midnight = (day: string) => `${day}T00:00:00.000Z`

/** Admin::Measure (https://docs.joinmastodon.org/entities/Admin_Measure/). */
export function renderMeasure({ key, total, previous, days }: Measure): AdminMeasure {
  const isSize = key === 'instance_media_attachments'
  return {
    key,
    unit: isSize ? 'bytes' : null,
    total: String(total),
    ...(isSize && { human_value: formatSize(total) }),
    ...(previous !== undefined && { previous_total: String(previous) }),
    data: days.map(({ day, value }) => ({ date: midnight(day), value: String(value) })),
  }
}

/** Admin::Dimension (https://docs.joinmastodon.org/entities/Admin_Dimension/). */
export function renderDimension({ key, parts }: Dimension, language: Language): AdminDimension {
  return { key, data: parts.map((part) => renderPart(key, part, language)) }
}

const renderPart = (
  dimension: DimensionKey,
  { key, value }: Part,
  language: Language,
): AdminDimension['data'][number] => ({
  key: key ?? 'web',
  human_key: nameOf(dimension, key, language),
  value: String(value),
  ...(dimension === 'space_usage' && { unit: 'bytes', human_value: formatSize(Number(value)) }),
  ...(dimension === 'software_versions' && { human_value: String(value) }),
})

/** Names that are the same in every language. */
const partNames: Readonly<Record<string, string>> = {
  postgresql: 'PostgreSQL',
  redis: 'Redis',
  stonechat: 'Stonechat',
  node: 'Node.js',
  ffmpeg: 'FFmpeg',
}

const languageNames = new Map(languages.map(({ code, name }) => [code, name]))

function nameOf(dimension: DimensionKey, key: string | null, language: Language): string {
  const { dashboard } = textsIn(language)
  if (key === null) return dashboard.website
  if (dimension === 'space_usage' || dimension === 'software_versions')
    return pickText(dashboard, key) ?? partNames[key] ?? key
  const isLanguage = dimension === 'languages' || dimension.endsWith('_languages')
  return (isLanguage && languageNames.get(parseLanguage(key) ?? '')) || key
}

/** Admin::Cohort (https://docs.joinmastodon.org/entities/Admin_Cohort/). */
export function renderCohort({ period, periods }: Cohort, frequency: Frequency): AdminCohort {
  return {
    period: midnight(period),
    frequency,
    data: periods.map((one) => ({ date: midnight(one.period), rate: one.rate, value: String(one.users) })),
  }
}

const units = ['KB', 'MB', 'GB', 'TB', 'PB']

/** A size for people, in three digits, 1 KB being 1024 bytes: `1.88 MB`, `780 GB`, `0 Bytes`. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 Byte' : `${bytes} Bytes`
  let [size, unit] = [bytes / 1024, 0]
  while (size >= 1024 && unit < units.length - 1) [size, unit] = [size / 1024, unit + 1]
  return `${Number(size.toPrecision(3))} ${units[unit]}`
}
