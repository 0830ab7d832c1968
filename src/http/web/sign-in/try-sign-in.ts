import type { Refusal } from '#domain/identity/accounts/viewer.ts'
import { checkPassword, findLogin, findLoginById, type Login } from '#domain/identity/oauth/login.ts'
import { findIdentityUser, findUserToAttach, linkIdentity } from '#domain/identity/identities/identities.ts'
import { isAppError, type AppError } from '#lib/errors.ts'
import type { ClaimedIdentity } from '#ports/identity-providers.ts'
import type { Ctx } from '#ports/ctx.ts'
import { countAddress } from '#http/kit/address-throttle.ts'
import type { Limits } from '#http/kit/limits.ts'

/** `refused` is told only to whoever knows the password. */
export type SignInOutcome =
  | { kind: 'wrong' }
  | { kind: 'refused'; refusal: Refusal }
  /** A second factor is asked for besides. */
  | { kind: 'half'; login: Login }
  | { kind: 'right'; login: Login }
  /** The directory knows them, and nobody here does. */
  | { kind: 'newcomer'; identity: ClaimedIdentity }

interface SignInCall {
  ctx: Ctx
  limits: Limits
  address: string
}

/**
 * Checks a name (e-mail address or username) and a password, within the limits per address and per login: the operator's
 * directory first, then the passwords of this server, where these count. Unknown names take as long as wrong passwords,
 * count as they do and answer the same. Throws `too_many`, and `unavailable` where only the directory could tell.
 */
export async function trySignIn(
  call: SignInCall,
  given: { name: string; password: string },
): Promise<SignInOutcome> {
  await countAddress(call.limits, call.address, 'sign-in')
  const login = await findLogin(call.ctx, given.name)
  const key = login?.userId ?? given.name.trim().toLowerCase()
  await call.limits.count('sign-in-login', key)
  const directory = await askDirectory(call.ctx, given)
  if (directory.identity) return admitIdentity(call.ctx, directory.identity)
  const isRight = await checkPassword(login, given.password)
  if (isRight && login && !call.ctx.config.signIn.onlyByOthers) return outcomeOf(login)
  if (directory.failure) throw directory.failure
  return { kind: 'wrong' }
}

/** Who does not answer keeps nobody out whom this server knows by itself. */
async function askDirectory(
  ctx: Ctx,
  { name, password }: { name: string; password: string },
): Promise<{ identity: ClaimedIdentity | null; failure: AppError | null }> {
  try {
    return { identity: (await ctx.directory?.find(name, password)) ?? null, failure: null }
  } catch (error) {
    if (!isAppError(error, 'unavailable')) throw error
    return { identity: null, failure: error }
  }
}

/** Who somebody is here whom a provider or the directory has just recognised. Throws `forbidden`. */
export async function admitIdentity(ctx: Ctx, identity: ClaimedIdentity): Promise<SignInOutcome> {
  const userId = (await findIdentityUser(ctx, identity)) ?? (await attach(ctx, identity))
  const login = userId && (await findLoginById(ctx, userId))
  return login ? outcomeOf(login) : { kind: 'newcomer', identity }
}

async function attach(ctx: Ctx, identity: ClaimedIdentity) {
  const userId = await findUserToAttach(ctx, identity)
  if (userId) await linkIdentity(ctx, userId, identity)
  return userId
}

function outcomeOf(login: Login): SignInOutcome {
  if (login.refusal) return { kind: 'refused', refusal: login.refusal }
  return { kind: login.factor === 'on' ? 'half' : 'right', login }
}
