import { canonicalEmail } from '#domain/identity/sign-up-restrictions/canonical-email.ts'
import { countAddress } from './address-throttle.ts'
import type { Limits } from './limits.ts'
import type { UserId } from '#lib/id.ts'

type MailFamily = 'confirmation' | 'password-reset' | 'sign-up'

interface MailCall {
  limits: Limits
  address: string
}

/**
 * Counts one request for a mail: by where it comes from, and by whom it reaches. Spellings of one mailbox count as one.
 * Throws `too_many`.
 */
export async function countMail(
  { limits, address }: MailCall,
  family: MailFamily,
  email: string | undefined,
): Promise<void> {
  await countAddress(limits, address, family)
  await countMailbox(limits, family, email)
}

/** As `countMail`, and by the user whose address is to be confirmed. */
export async function countConfirmation(
  call: MailCall,
  userId: UserId,
  email: string | undefined,
): Promise<void> {
  await countAddress(call.limits, call.address, 'confirmation')
  await call.limits.count('confirmation-user', userId)
  await countMailbox(call.limits, 'confirmation', email)
}

async function countMailbox(limits: Limits, family: MailFamily, email: string | undefined): Promise<void> {
  if (email) await limits.count(`${family}-email`, canonicalEmail(email))
}
