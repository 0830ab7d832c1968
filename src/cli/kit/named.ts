// What commands are about, as whoever types them names it.
import { getAccountByAcct } from '#domain/identity/accounts/lookup.ts'
import type { AccountFacts } from '#domain/identity/accounts/queries.ts'
import { isAppError } from '#lib/errors.ts'
import { asId, type AnyId } from '#lib/id.ts'
import { isId } from '#lib/ids.ts'
import type { Ctx } from '#ports/ctx.ts'
import { UsageError, type Input } from './command.ts'

/** An id as the command `list` shows them. Throws UsageError for what is none. */
export function requireId(text: string | undefined, list: string): string {
  if (!isId(text)) throw new UsageError(`${JSON.stringify(text)} is not an id as \`${list}\` shows them`)
  return text
}

/**
 * What `work` on the thing of this name answers. Throws an Error that names it where there is none: the API says to
 * everybody only that a record was not found.
 */
export async function named<T>(thing: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isUnnamed(error)) throw new Error(`There is no ${thing}`, { cause: error })
    throw error
  }
}

/** Does work on what a command's first argument is the id of, which `nameOf` names and the command `list` shows. */
export const createOnId =
  <Id extends AnyId>(list: string, nameOf: (id: string) => string) =>
  <T>({ args }: Input, work: (id: Id) => Promise<T>): Promise<T> => {
    const id = requireId(args[0], list)
    return named(nameOf(id), work(asId<Id>(id)))
  }

function isUnnamed(error: unknown): boolean {
  if (!isAppError(error)) return false
  const { reason } = error
  if ('sentence' in reason) return reason.sentence === 'record_not_found'
  return 'problems' in reason && reason.problems.every(({ code }) => code === 'account_not_found')
}

/** The account of `user` or `user@domain`, suspended ones too. Asks no other server. */
export const getAccount = (ctx: Ctx, acct: string): Promise<AccountFacts> =>
  named(`account ${acct} here`, getAccountByAcct(ctx, acct))
