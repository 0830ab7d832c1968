import type { Ctx } from '#ports/ctx.ts'
import { arrivalPath, useArrivalTicket, type Arrival } from '#domain/server/instance/arrival-ticket.ts'
import { cidrContains } from '#lib/net/cidr.ts'
import { notFound } from '#lib/errors.ts'
import type { HttpApp } from './kit/app.ts'

/** Tells the operator's doctor how its request arrived. Others find nothing there. */
export function addArrival(app: HttpApp, ctx: Ctx): void {
  app.get(arrivalPath, async (c) => {
    const ticket = /^Bearer (\S+)$/.exec(c.req.header('authorization') ?? '')?.[1]
    if (ticket === undefined || !(await useArrivalTicket(ctx, ticket))) throw notFound()
    const peer = c.env?.incoming?.socket.remoteAddress ?? ''
    const arrival: Arrival = {
      host: c.req.header('host') ?? null,
      peer,
      trusted: ctx.config.trustedProxies.some((range) => cidrContains(range, peer)),
      forwardedFor: c.req.header('x-forwarded-for') ?? null,
      forwardedProto: c.req.header('x-forwarded-proto') ?? null,
      address: c.get('address'),
    }
    return c.json(arrival, 200, { 'cache-control': 'no-store' })
  })
}
