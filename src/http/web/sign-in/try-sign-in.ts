import type { Refusal } from '#domain/identity/accounts/viewer.ts'
import { checkPassword, findLogin, type Login } from '#domain/identity/oauth/login.ts'
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

interface SignInCall {
  ctx: Ctx
  limits: Limits
  address: string
}

/**
 * Checks a name (e-mail address or username) and a password, within the limits per address and per login. Unknown
 * names take as long as wrong passwords, count as they do and answer the same. Throws `too_many`.
 */
export async function trySignIn(
  call: SignInCall,
  given: { name: string; password: string },
): Promise<SignInOutcome> {
  await countAddress(call.limits, call.address, 'sign-in')
  const login = await findLogin(call.ctx, given.name)
  const key = login?.userId ?? given.name.trim().toLowerCase()
  await call.limits.count('sign-in-login', key)
  if (!(await checkPassword(login, given.password)) || !login) return { kind: 'wrong' }
  if (login.refusal) return { kind: 'refused', refusal: login.refusal }
  return { kind: login.factor === 'on' ? 'half' : 'right', login }
}
