import type { Ctx, Tx } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import { forbidden } from '#lib/errors.ts'
import { parseLanguage } from '#lib/language.ts'
import { hashPassword } from '#lib/passwords.ts'
import { isRegistrationPossible, readSettings } from '#domain/instance/settings.ts'
import { sendConfirmation } from './confirm.ts'
import { insertUser } from './insert-user.ts'
import {
  assertNoProblems,
  findTaken,
  orTaken,
  registrationProblems,
  type RegistrationInput,
} from './registration-rules.ts'

export interface Registration extends RegistrationInput {
  /** The client's address: for moderators, forgotten after a year. */
  address: string
  /** The application through which the account is made; the confirmation link then leads back to it. */
  applicationId: Id | null
}

export interface MadeUser {
  userId: Id
  accountId: Id
}

/**
 * Makes an unconfirmed account and asks for its confirmation by mail. `andThen` runs in the same transaction, and
 * its result is answered. Throws `forbidden` when registrations are closed, `invalid` with details otherwise.
 */
export async function registerUser<T>(
  ctx: Ctx,
  input: Registration,
  andThen: (tx: Tx, made: MadeUser) => Promise<T>,
): Promise<T> {
  const settings = await readSettings(ctx)
  if (!isRegistrationPossible(ctx.config, settings)) throw forbidden()
  assertNoProblems([
    ...registrationProblems(input, settings, ctx.clock.now()),
    ...(await findTaken(ctx, input)),
  ])
  const passwordHash = await hashPassword(input.password)
  return orTaken(() =>
    ctx.transaction(async (tx) => {
      const made = await insertUser(tx, {
        username: input.username,
        email: input.email,
        passwordHash,
        locale: parseLanguage(input.locale) ?? 'en',
        timeZone: knownTimeZone(input.timeZone),
        confirmed: false,
        approved: settings.registrations_mode === 'open',
        signUpIp: input.address,
        reason: input.reason || null,
        applicationId: input.applicationId,
      })
      await sendConfirmation(tx, { userId: made.userId, email: input.email })
      return andThen(tx, made)
    }),
  )
}

/** A name of the time zone database; null for anything else, as a wrong one is no reason to refuse a person. */
export function knownTimeZone(name: string | undefined): string | null {
  if (!name) return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}
