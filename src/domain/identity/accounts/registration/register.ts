import type { Ctx, Tx } from '#ports/ctx.ts'
import { forbidden } from '#lib/errors.ts'
import { parseLanguage } from '#lib/text/language.ts'
import { hashPassword } from '#lib/passwords.ts'
import { assessSignUp, type Assessment } from '#domain/identity/sign-up-restrictions/assess-sign-up.ts'
import { findOpenInvite, useInvite, type OpenInvite } from '#domain/identity/sign-up-restrictions/invites.ts'
import {
  assertRoomToday,
  isClosedUntilSetUp,
  isDayFull,
} from '#domain/identity/sign-up-restrictions/registrations.ts'
import {
  isRegistrationByOthersPossible,
  isRegistrationPossible,
  readSettings,
  type Settings,
} from '#domain/server/instance/settings.ts'
import { insertIdentity } from '#domain/identity/identities/identities.ts'
import { newSecret } from '#lib/secrets.ts'
import type { ClaimedIdentity } from '#ports/identity-providers.ts'
import { confirmAtOnce, sendConfirmation } from './confirm.ts'
import { insertUser } from './insert-user.ts'
import { findLookAlike } from './look-alikes.ts'
import {
  assertNoProblems,
  emailProblems,
  findTaken,
  orTaken,
  registrationProblems,
  reservedName,
  takesDotless,
  type RegistrationInput,
  type RegistrationProblem,
} from './registration-rules.ts'
import type { AccountId, ApplicationId, UserId } from '#lib/id.ts'

export interface Registration extends RegistrationInput {
  /** The client's address: for moderators, forgotten after a year. */
  address: string
  /** The application through which the account is made; the confirmation link then leads back to it. */
  applicationId: ApplicationId | null
  /** One that cannot be used is as good as none. */
  inviteCode?: string | undefined
  /** As whom they have just signed in at a provider. Whoever has no password has this. */
  identity?: ClaimedIdentity
}

export interface MadeUser {
  userId: UserId
  accountId: AccountId
}

/**
 * Makes an unconfirmed account and asks for its confirmation by mail. `andThen` runs in the same transaction, and
 * its result is answered. Throws `forbidden` when registrations are closed and there is no invite, when the day is full,
 * and to whom sign-up is blocked; `invalid` with details otherwise.
 */
export async function registerUser<T>(
  ctx: Ctx,
  input: Registration,
  andThen: (tx: Tx, made: MadeUser) => Promise<T>,
): Promise<T> {
  const settings = await readSettings(ctx)
  const invite = await admit(ctx, settings, input)
  const { state } = await assess(ctx, input, invite ? { ...settings, require_invite_text: false } : settings)
  // Without a password nobody knows one, until it is set by mail.
  const passwordHash = await hashPassword(input.password ?? newSecret())
  const confirmed = isVerified(input)
  const isOpen = settings.registrations_mode === 'open' || isVouchedFor(settings, input)
  const approved = state === 'fine' && (isOpen || (invite?.skipsApproval ?? false))
  return orTaken(() =>
    ctx.transaction(async (tx) => {
      await assertRoomToday(tx, settings)
      if (invite && !(await useInvite(tx, invite.id))) throw forbidden('invite_used_up')
      const made = await insertUser(tx, {
        username: input.username,
        email: input.email,
        passwordHash,
        locale: parseLanguage(input.locale) ?? 'en',
        timeZone: knownTimeZone(input.timeZone),
        confirmed,
        approved,
        signUpIp: input.address,
        reason: input.reason || null,
        applicationId: input.applicationId,
        inviteId: invite?.id ?? null,
      })
      if (input.identity) await insertIdentity(tx, made.userId, input.identity)
      if (confirmed) await confirmAtOnce(tx, { userId: made.userId, email: input.email, approved })
      else await sendConfirmation(tx, { userId: made.userId, email: input.email })
      return andThen(tx, made)
    }),
  )
}

/** The invite that opens the door, or null where it is open. Throws `forbidden`. */
async function admit(
  ctx: Ctx,
  settings: Settings,
  { inviteCode: code, identity }: Registration,
): Promise<OpenInvite | null> {
  const { singleUser, signIn } = ctx.config
  const invite = code && !singleUser && !signIn.onlyByOthers ? await findOpenInvite(ctx, code) : null
  const isOpen = identity
    ? isRegistrationByOthersPossible(ctx.config, settings, identity.provider)
    : isRegistrationPossible(ctx.config, settings)
  if (!invite && !isOpen) throw forbidden()
  // Whom the operator's own provider sends is let in by its settings.
  if (!identity && (await isClosedUntilSetUp(ctx))) throw forbidden('server_not_set_up')
  if (await isDayFull(ctx, settings)) throw forbidden('sign_ups_full')
  return invite
}

/** Where nobody else gets in, whom others let in has nobody to wait for. */
const isVouchedFor = (settings: Settings, { identity }: Registration): boolean =>
  identity !== undefined && settings.registrations_mode === 'none'

/** Somebody has made sure already that the address is theirs. */
const isVerified = ({ email, identity }: Registration): boolean =>
  identity?.isEmailVerified === true && identity.email?.toLowerCase() === email.toLowerCase()

/** All that is wrong is told at once. The network is asked only about what could be an address. */
async function assess(ctx: Ctx, input: Registration, settings: Settings): Promise<Assessment> {
  const { username, email, address } = input
  const dotless = takesDotless(ctx.config)
  const assessment = await assessSignUp(ctx, {
    username,
    email: emailProblems(email, dotless).length === 0 ? email : undefined,
    address,
  })
  if (assessment.state === 'refused' && assessment.problems.length === 0) throw forbidden()
  const lookAlike = await findLookAlike(ctx, username)
  const further = [...assessment.problems, ...(lookAlike === 'staff' ? [reservedName()] : [])]
  const now = ctx.clock.now()
  const own = [...registrationProblems(input, settings, { now, dotless }), ...(await findTaken(ctx, input))]
  const isTold = new Set(own.map(nameDetail))
  assertNoProblems([...own, ...further.filter((one) => !isTold.has(nameDetail(one)))])
  return assessment.state === 'fine' && lookAlike !== null ? { state: 'pending', problems: [] } : assessment
}

const nameDetail = ({ detail }: RegistrationProblem) => `${detail.field} ${detail.error}`

/** A name of the time zone database; null for anything else, as a wrong one is no reason to refuse a person. */
function knownTimeZone(name: string | undefined): string | null {
  if (!name) return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}
