// What people say of an attachment: pure.
import type { Config } from '#ports/ctx.ts'
import { invalid } from '#lib/errors.ts'
import { cleanText, isEndless, isLongerThan } from '#lib/text/text.ts'

/** The point that a cropped view should show: -1 to 1, from left to right and from the bottom to the top. */
export interface Focus {
  x: number
  y: number
}

/** Alternative text. Throws `invalid` when it is longer than the limit. */
export function readDescription(text: string, limits: Config['limits']): string {
  const max = limits.mediaDescriptionCharacters
  const description = cleanText(text).trim()
  if (isEndless(text, max) || isLongerThan(description, max)) {
    throw invalid('description', 'too_long', { max })
  }
  return description
}

/** A focal point as `x,y`; what lies outside is moved to the edge. Null for anything else. */
export function parseFocus(text: string): Focus | null {
  const parts = text.split(',').map((part) => part.trim())
  const [x, y] = parts.map(Number)
  if (parts.length !== 2 || parts.includes('') || !Number.isFinite(x) || !Number.isFinite(y)) return null
  return { x: clamp(x as number), y: clamp(y as number) }
}

/** Never -0, which JSON cannot write. */
const clamp = (value: number) => Math.max(-1, Math.min(1, value)) || 0
