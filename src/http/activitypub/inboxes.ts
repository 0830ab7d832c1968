import { readBytes } from '../kit/body/body.ts'
import { badRequest } from '#lib/errors.ts'
import { toSigned, type Endpoint, type EndpointCall } from './endpoint.ts'

const maxActivity = 1024 * 1024
const activityType = /^application\/(?:activity\+json|ld\+json|json)\b/i

/** Takes an activity; what it leads to happens later (https://www.w3.org/TR/activitypub/#inbox). */
async function receive(call: EndpointCall): Promise<Response> {
  const { ctx, request, params } = call
  if (!activityType.test(request.headers.get('content-type') ?? '')) {
    throw badRequest('activity_type_needed')
  }
  const body = await readBytes(request, maxActivity)
  await ctx.activityPub.receive(toSigned(call, body), params['username'] ?? null)
  return new Response(null, { status: 202 })
}

export const endpoints: readonly Endpoint[] = [
  { method: 'POST', path: '/inbox', handle: receive },
  { method: 'POST', path: '/actor/inbox', handle: receive },
  { method: 'POST', path: '/users/:username/inbox', handle: receive },
]
