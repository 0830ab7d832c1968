// Reasons that are kept, to be told later in the language of whoever asks. A code that may have been kept keeps its name:
// one that the catalogues no longer have is told as it is.
import { describeReason, type Reason } from './describe-error.ts'
import { source } from './catalogue.ts'

/** Returns a reason as text. */
export const keepReason = (reason: Reason): string => JSON.stringify(reason)

/** Returns a reason that was kept. What is none, as texts of earlier versions, is told as it is. */
export function readReason(kept: string): Reason {
  try {
    const reason = JSON.parse(kept) as Reason
    describeReason(reason, source)
    return reason
  } catch {
    return { said: kept }
  }
}
