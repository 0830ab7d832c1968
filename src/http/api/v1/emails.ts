import { z } from 'zod'
import { findEmailState, resendConfirmation } from '#domain/identity/accounts/registration/confirm.ts'
import { Empty } from '#entities/empty.ts'
import { flag } from '#entities/entity.ts'
import { forbidden, notFound } from '#lib/errors.ts'
import { text } from '#http/kit/params/fields.ts'
import { countConfirmation } from '#http/kit/mail-throttle.ts'
import { route, type Call } from '#http/kit/route.ts'

const params = z.object({ email: text() })

export const routes = [
  route({
    method: 'POST',
    path: '/api/v1/emails/confirmations',
    returns: Empty,
    auth: 'any-user',
    scopes: ['write', 'write:accounts'],
    params,
    handle: resend,
  }),
  route({
    method: 'GET',
    path: '/api/v1/emails/check_confirmation',
    returns: flag,
    auth: 'any-user',
    scopes: ['read', 'read:accounts'],
    async handle({ ctx, viewer }) {
      return ((await findEmailState(ctx, viewer.userId))?.confirmed_at ?? null) !== null
    },
  }),
]

async function resend(call: Call<z.output<typeof params>, 'any-user'>) {
  const { ctx, viewer, caller, limits } = call
  const email = call.params.email?.trim() || undefined
  const state = await findEmailState(ctx, viewer.userId)
  if (!state) throw notFound()
  const wanted = email ?? state.unconfirmed_email ?? state.email
  await countConfirmation({ limits, address: caller.address }, viewer.userId, wanted)
  const application = caller.token?.applicationId ?? null
  if (application === null || application !== state.created_by_application_id) {
    throw forbidden('other_application')
  }
  await resendConfirmation(ctx, viewer.userId, { email, address: caller.address })
  return {}
}
