import { z } from 'zod'
import { registerUser } from '#domain/identity/accounts/registration/register.ts'
import { Token } from '#entities/oauth.ts'
import type { CallerToken } from '#domain/identity/accounts/viewer.ts'
import { findApplication } from '#domain/identity/oauth/applications.ts'
import { issueToken } from '#domain/identity/oauth/issue-token.ts'
import { offlineAccess } from '#domain/identity/oauth/scopes.ts'
import { addressBlock } from '#lib/net/cidr.ts'
import { renderToken } from '#http/oauth/answers.ts'
import { text, truthy } from '#http/kit/params/fields.ts'
import { countMail } from '#http/kit/mail-throttle.ts'
import { route, type Call } from '#http/kit/route.ts'
import type { Ctx } from '#ports/ctx.ts'

/** What is not named here, such as a role, is not looked at (AUTH-17). */
const params = z.object({
  username: text(),
  email: text(),
  password: text(),
  agreement: truthy(),
  locale: text(),
  reason: text(),
  date_of_birth: text(),
  time_zone: text(),
  invite_code: text(),
})

export const routes = [
  route({
    method: 'POST',
    path: '/api/v1/accounts',
    returns: Token,
    auth: 'app',
    scopes: ['write', 'write:accounts'],
    open: true,
    params,
    handle: create,
  }),
]

async function create(call: Call<z.output<typeof params>, 'app'>) {
  const { ctx, caller, limits } = call
  const address = addressBlock(caller.address)
  await limits.count('registration', address)
  await countMail({ limits, address: caller.address }, 'sign-up', call.params.email?.trim())
  const scopes = await grantedScopes(ctx, caller.token)
  const applicationId = caller.token?.applicationId ?? null
  const { params: given } = call
  const input = {
    username: given.username ?? '',
    email: given.email?.trim() ?? '',
    password: given.password ?? '',
    agreement: given.agreement ?? false,
    locale: given.locale ?? '',
    reason: given.reason?.trim(),
    dateOfBirth: given.date_of_birth,
    timeZone: given.time_zone,
    inviteCode: given.invite_code?.trim(),
    address: caller.address,
    applicationId,
  }
  const token = await registerUser(ctx, input, (tx, { userId }) =>
    issueToken(tx, { applicationId, userId, scopes }),
  )
  return renderToken(token, ctx.clock.now())
}

/** The new person gets what the application registered for, as after its authorization. */
async function grantedScopes(ctx: Ctx, token: CallerToken | null): Promise<readonly string[]> {
  const application = token?.applicationId ? await findApplication(ctx, token.applicationId) : null
  return (application?.scopes ?? token?.scopes ?? []).filter((scope) => scope !== offlineAccess)
}
