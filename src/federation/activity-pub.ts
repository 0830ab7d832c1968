// What other servers ask this one, and tell it (ports/activity-pub.ts).
import type { ActivityPub } from '#ports/activity-pub.ts'
import type { Ctx } from '#ports/ctx.ts'
import { findDocument } from './documents/find-document.ts'
import { identifySigner } from './inbox/identify.ts'
import { receiveActivity } from './inbox/receive.ts'
import { generateSigningPems } from './signatures/signing-keys.ts'

/** `ctx` is asked for with each request: it holds what is made here. */
export function createActivityPub(ctx: () => Ctx): ActivityPub {
  return {
    identify: (request) => identifySigner(ctx(), request),
    receive: (request, username) => receiveActivity(ctx(), request, username),
    document: (request) => findDocument(ctx(), request),
    generateKeys: generateSigningPems,
  }
}
