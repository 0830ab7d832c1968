import type { Reader, Tx } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import { cleanText, isLongerThan } from '#lib/text/text.ts'
import { invalid } from '#lib/errors.ts'

export interface PollInput {
  options: readonly string[]
  /** Seconds. */
  expiresIn: number
  multiple?: boolean | undefined
  hideTotals?: boolean | undefined
}

export interface NewPoll {
  options: string[]
  expiresIn: number
  multiple: boolean
  hideTotals: boolean
}

/** A poll that may be asked. Blank options are dropped. Throws `invalid` with all that is wrong with it. */
export function parseNewPoll(reader: Pick<Reader, 'config'>, input: PollInput): NewPoll {
  const { limits } = reader.config
  const options = input.options.map((option) => cleanText(option).trim()).filter((option) => option !== '')
  const problems = [
    options.length < 2 && 'Poll options must have more than one item',
    options.length > limits.pollOptions && `Poll options can't contain more than ${limits.pollOptions} items`,
    options.some((option) => isLongerThan(option, limits.pollOptionCharacters)) &&
      `Poll options cannot be longer than ${limits.pollOptionCharacters} characters each`,
    new Set(options).size < options.length && 'Poll options contain duplicate items',
    input.expiresIn > limits.pollMaxSeconds && 'Poll expires at is too far into the future',
    !(input.expiresIn >= limits.pollMinSeconds) && 'Poll expires at is too soon',
  ].filter((problem) => problem !== false)
  if (problems.length > 0) throw invalid(`Validation failed: ${problems.join(', ')}`)
  return {
    options,
    expiresIn: input.expiresIn,
    multiple: input.multiple ?? false,
    hideTotals: input.hideTotals ?? false,
  }
}

/** The row of a new poll. Answers its id. */
export async function insertPoll(tx: Tx, status: { id: Id; accountId: Id }, poll: NewPoll): Promise<Id> {
  const now = tx.clock.now()
  const id = tx.newId()
  await tx.db
    .insertInto('polls')
    .values({
      id,
      status_id: status.id,
      account_id: status.accountId,
      options: poll.options,
      tallies: poll.options.map(() => 0),
      multiple: poll.multiple,
      hide_totals: poll.hideTotals,
      voters_count: 0,
      expires_at: new Date(now + poll.expiresIn * 1000),
      created_at: new Date(now),
    })
    .execute()
  return id
}
