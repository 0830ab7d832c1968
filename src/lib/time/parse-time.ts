const isoForm =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:[T ](?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?\s?(?<zone>Z|[+-]\d\d(?::?\d\d)?)?)?$/i
const mailForm =
  /^(?:(?:mon|tue|wed|thu|fri|sat|sun),\s*)?(?<day>\d{1,2})\s+(?<month>[a-z]{3})\s+(?<year>\d{4})\s+(?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d))?\s+(?<zone>[+-]\d{4}|[a-z]{1,3})(?:\s*\([^()]*\))?$/i

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
/** Hours east of Greenwich of the zones that have names (RFC 2822, section 4.3). */
const zones: Readonly<Record<string, number>> = Object.fromEntries(
  'z+0 ut+0 utc+0 gmt+0 est-5 edt-4 cst-6 cdt-5 mst-7 mdt-6 pst-8 pdt-7'
    .split(' ')
    .map((zone) => [zone.slice(0, -2), Number(zone.slice(-2))]),
)

/**
 * A moment written as in ISO 8601 or RFC 2822, in milliseconds since the epoch, or null when it is neither or there
 * is no such day or hour. Without a zone it is UTC; a day alone is its midnight.
 */
export function parseTime(text: string): number | null {
  const parts = isoForm.exec(text.trim())?.groups ?? mailForm.exec(text.trim())?.groups
  if (!parts) return null
  const offset = parseOffset(parts['zone'])
  const local = toLocal(parts)
  return offset === null || local === null ? null : local - offset
}

function toLocal(parts: Record<string, string | undefined>): number | null {
  const month = monthOf(parts['month'] ?? '')
  const fields = ['year', 'day', 'hour', 'minute', 'second'].map((name) => Number(parts[name] ?? 0))
  const [year = 0, day = 0, hour = 0, minute = 0, second = 0] = fields
  const time = Date.UTC(year, month, day, hour, minute, second)
  const made = new Date(time)
  // Days and hours that do not exist would be carried over into the next ones.
  const isReal = made.getUTCFullYear() === year && made.getUTCMonth() === month && made.getUTCDate() === day
  if (!isReal || hour > 23 || minute > 59 || second > 59) return null
  return time + Math.floor(Number(`0.${parts['fraction'] ?? 0}`) * 1000)
}

function monthOf(text: string): number {
  return /^\d+$/.test(text) ? Number(text) - 1 : months.indexOf(text.toLowerCase())
}

/** Milliseconds east of Greenwich. */
function parseOffset(zone: string | undefined): number | null {
  if (zone === undefined) return 0
  const digits = /^([+-])(\d\d):?(\d\d)?$/.exec(zone)
  if (!digits) {
    const hours = zones[zone.toLowerCase()]
    return hours === undefined ? null : hours * 3_600_000
  }
  const [, sign, hours, minutes = '0'] = digits
  if (Number(hours) > 23 || Number(minutes) > 59) return null
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}
