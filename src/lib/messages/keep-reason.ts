// Reasons that are kept, to be told later in the language of whoever asks. A code that may have been kept keeps its name
// and its parameters: one that the catalogues no longer have is told as it is.
import type { Language } from './catalogue.ts'
import { describeReason, type Reason } from './describe-error.ts'

/** Returns a reason as text. */
export const keepReason = (reason: Reason): string => JSON.stringify(reason)

/** Returns a reason that was kept. What is none, as texts of earlier versions, is a text that was kept as it was said. */
export function readReason(kept: string): Reason {
  try {
    const read: unknown = JSON.parse(kept)
    return isReason(read) ? read : { said: kept }
  } catch {
    return { said: kept }
  }
}

/** Returns what a reason that was kept says, in a language. */
export const describeKept = (kept: string, language: Language): string =>
  describeReason(readReason(kept), language)

function isReason(value: unknown): value is Reason {
  if (typeof value !== 'object' || value === null) return false
  const { about, reason, reasons, said, sentence, problems } = value as Record<string, unknown>
  if (about !== undefined) return isReason(reason)
  if (reasons !== undefined) return Array.isArray(reasons) && reasons.every(isReason)
  return typeof said === 'string' || typeof sentence === 'string' || Array.isArray(problems)
}
