import { z } from 'zod'
import { Empty } from '#entities/empty.ts'
import { WebPushSubscription } from '#entities/push-subscription.ts'
import type { Ctx } from '#ports/ctx.ts'
import { alertKinds, documentedAlerts, pushPolicies } from '#domain/reading/push/rules.ts'
import {
  createPushSubscription,
  deletePushSubscription,
  getPushSubscription,
  updatePushSubscription,
  type PushChoice,
  type PushSubscription,
} from '#domain/reading/push/subscriptions.ts'
import { badRequest } from '#lib/errors.ts'
import { object, text, truthy, word } from '#http/kit/params/fields.ts'
import { route } from '../../../kit/route.ts'

const scopes = ['push']

const alerts = () => object(z.object(Object.fromEntries(alertKinds.map((kind) => [kind, truthy()]))))

/** `policy` may also stand outside of `data`. */
const choice = {
  data: object(z.object({ alerts: alerts(), policy: word(pushPolicies) })),
  policy: word(pushPolicies),
}

const subscription = object(
  z.object({
    endpoint: text(),
    standard: truthy(),
    renewed: truthy(),
    keys: object(z.object({ p256dh: text(), auth: text() })),
  }),
)

/** What is not said is off, also what was on before. */
function choiceOf({ data, policy }: z.output<z.ZodObject<typeof choice>>): PushChoice {
  return {
    policy: data?.policy ?? policy ?? 'all',
    alerts: alertKinds.filter((kind) => data?.alerts?.[kind] === true),
  }
}

/** WebPushSubscription (https://docs.joinmastodon.org/entities/WebPushSubscription/). */
function render(ctx: Ctx, { id, endpoint, standard, alerts, policy }: PushSubscription): WebPushSubscription {
  const documented = documentedAlerts.map((kind) => [kind, false] as const)
  return {
    id,
    endpoint,
    standard,
    alerts: { ...Object.fromEntries(documented), ...alerts },
    policy,
    server_key: ctx.secrets.vapid.publicKey,
  }
}

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/push/subscription',
    returns: WebPushSubscription,
    auth: 'user',
    scopes,
    async handle({ ctx, caller }) {
      return render(ctx, await getPushSubscription(ctx, caller.token!.id))
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/push/subscription',
    returns: WebPushSubscription,
    auth: 'user',
    scopes,
    params: z.object({ subscription, ...choice }),
    async handle({ ctx, viewer, caller, params, secret }) {
      const given = params.subscription
      if (!given) throw badRequest('param_missing', { name: 'subscription' })
      const made = await createPushSubscription(ctx, viewer, {
        token: { id: caller.token!.id, secret: secret ?? '' },
        endpoint: given.endpoint ?? '',
        p256dh: given.keys?.p256dh ?? '',
        auth: given.keys?.auth ?? '',
        standard: given.standard ?? false,
        renewed: given.renewed ?? false,
        ...choiceOf(params),
      })
      return render(ctx, made)
    },
  }),
  route({
    method: 'PUT',
    path: '/api/v1/push/subscription',
    returns: WebPushSubscription,
    auth: 'user',
    scopes,
    params: z.object(choice),
    async handle({ ctx, caller, params }) {
      return render(ctx, await updatePushSubscription(ctx, caller.token!.id, choiceOf(params)))
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/push/subscription',
    returns: Empty,
    auth: 'user',
    scopes,
    async handle({ ctx, caller }) {
      await deletePushSubscription(ctx, caller.token!.id)
      return {}
    },
  }),
]
