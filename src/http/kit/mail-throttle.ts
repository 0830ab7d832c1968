import { canonicalEmail } from '#domain/identity/sign-up-restrictions/canonical-email.ts'
import { countAddress } from './address-throttle.ts'
import type { Limits } from './limits.ts'

interface MailCall {
  limits: Limits
  address: string
}

const perAddress = { limit: 25, seconds: 300 }
const perMailbox = { limit: 5, seconds: 1800 }
/** Whoever fills in a form for the first time is wrong now and then, and that counts too. */
const perNewMailbox = { limit: 10, seconds: 1800 }

/**
 * Counts one request for a mail: by where it comes from, by whom it reaches, and by the user where that is known.
 * Spellings of one mailbox count as one. Throws `too_many`.
 */
export async function countMail(
  call: MailCall,
  name: 'confirmation' | 'password-reset' | 'sign-up',
  wanted: { email?: string | undefined; userId?: string | undefined },
): Promise<void> {
  await countAddress(call.limits, call.address, { name, ...perAddress })
  if (wanted.userId) {
    await call.limits.count({ name: `${name}-user`, key: wanted.userId, ...perMailbox })
  }
  if (wanted.email) {
    const throttle = name === 'sign-up' ? perNewMailbox : perMailbox
    await call.limits.count({ name: `${name}-email`, key: canonicalEmail(wanted.email), ...throttle })
  }
}
