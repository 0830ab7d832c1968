// With such a ticket the operator's own program asks this server, from outside, how a request arrives.
import { randomUUID } from 'node:crypto'
import type { Ctx } from '#ports/ctx.ts'
import { encrypt, decrypt } from '#lib/encrypt.ts'

/** Under this path it is asked. */
export const arrivalPath = '/health/arrival'

/** Seconds for which a ticket is good, once. */
const lifetime = 60

const keyOf = ({ secrets }: Ctx) => ({ base: secrets.secretKeyBase, purpose: 'arrival', owner: 'doctor' })

/** Only who holds the server's secrets can make one. */
export function createArrivalTicket(ctx: Ctx): string {
  const ticket = { id: randomUUID(), until: ctx.clock.now() + lifetime * 1000 }
  return encrypt(JSON.stringify(ticket), keyOf(ctx))
}

/** Whether it is one, and this is its first use. */
export async function useArrivalTicket(ctx: Ctx, text: string): Promise<boolean> {
  const opened = decrypt(text, keyOf(ctx))
  if (opened === null) return false
  const { id, until } = JSON.parse(opened) as { id: string; until: number }
  if (ctx.clock.now() > until) return false
  return ctx.kv.setIfAbsent(`arrival-ticket:${id}`, '', 2 * lifetime)
}

/** How a request arrived. */
export interface Arrival {
  host: string | null
  /** Who opened the connection: a proxy, if there is one. */
  peer: string
  /** TRUSTED_PROXY_IP has it. */
  trusted: boolean
  forwardedFor: string | null
  forwardedProto: string | null
  /** Who is taken for the visitor. */
  address: string
}
