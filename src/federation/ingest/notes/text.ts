import { cleanText, truncatePlain } from '#lib/text/text.ts'
import { toText } from '#federation/kit/json.ts'

/** Code units that a character of a limit may stand for: signs can be piled up. */
const densest = 8

/** Plain text of at most `max` characters, cut where there is more; '' for what is no text. */
export function readPlain(value: unknown, max: number): string {
  return truncatePlain(cleanText((toText(value) ?? '').slice(0, max * densest)).trim(), max)
}
