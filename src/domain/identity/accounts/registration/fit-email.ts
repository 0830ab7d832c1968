import type { Ctx } from '#ports/ctx.ts'
import { assessEmail } from '#domain/identity/sign-up-restrictions/assess-sign-up.ts'
import { assertNoProblems, emailProblems, findTaken, takesDotless } from './registration-rules.ts'

/**
 * Throws `invalid` for an address that somebody who has an account cannot have: malformed, taken, or of a kind with
 * which nobody may sign up (AUTH-17). Returns whether whoever signs up with it needs approval. `address`: where they are.
 */
export async function assertFitEmail(
  ctx: Ctx,
  email: string,
  address: string | null,
): Promise<{ needsApproval: boolean }> {
  assertNoProblems([...emailProblems(email, takesDotless(ctx.config)), ...(await findTaken(ctx, { email }))])
  const { state, problems } = await assessEmail(ctx, email, address)
  assertNoProblems(problems)
  return { needsApproval: state === 'pending' }
}
