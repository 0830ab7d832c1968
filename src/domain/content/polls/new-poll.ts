import type { Reader, Tx } from '#ports/ctx.ts'
import { cleanText, isEndless, isLongerThan } from '#lib/text/text.ts'
import { invalidForm, problem } from '#lib/errors.ts'
import type { AccountId, PollId, StatusId } from '#lib/id.ts'

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
    options.length < 2 && problem('base', 'poll_too_few_options'),
    options.length > limits.pollOptions &&
      problem('base', 'poll_too_many_options', { max: limits.pollOptions }),
    (input.options.some((option) => isEndless(option, limits.pollOptionCharacters)) ||
      options.some((option) => isLongerThan(option, limits.pollOptionCharacters))) &&
      problem('base', 'poll_option_too_long', { max: limits.pollOptionCharacters }),
    new Set(options).size < options.length && problem('base', 'poll_options_duplicate'),
    input.expiresIn > limits.pollMaxSeconds && problem('base', 'poll_ends_too_late'),
    !(input.expiresIn >= limits.pollMinSeconds) && problem('base', 'poll_ends_too_soon'),
  ].filter((one) => one !== false)
  if (problems.length > 0) throw invalidForm(problems)
  return {
    options,
    expiresIn: input.expiresIn,
    multiple: input.multiple ?? false,
    hideTotals: input.hideTotals ?? false,
  }
}

/** The row of a new poll. Returns its id. */
export async function insertPoll(
  tx: Tx,
  status: { id: StatusId; accountId: AccountId },
  poll: NewPoll,
): Promise<PollId> {
  const now = tx.clock.now()
  const id = tx.newId<PollId>()
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
