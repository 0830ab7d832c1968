import { describeDatabaseError } from '#db/describe-database-error.ts'
import { isRefusedByPooler, wayAroundPooler } from '#db/describe-pooler.ts'
import { describeSystemError } from './system-errors.ts'

/** One line about what keeps a command or the server from its work, with what to do where that is known. */
export function describeFailure(error: Error): string {
  if (isRefusedByPooler(error)) return `The pooler refuses what a connection needs: ${wayAroundPooler}`
  return describeDatabaseError(error) ?? describeSystemError(error) ?? error.message
}
