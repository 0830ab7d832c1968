import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { purgeAccount } from '#domain/maintenance/deletion/purge-account.ts'
import { purgeHost } from '#domain/maintenance/deletion/purge-host.ts'
import { mayFederate } from '#domain/server/hosts/may-federate.ts'

/** Removes what a deleted account had. Where staff deleted it, its server learns who is no longer tied to it. */
export const purgeDeleted = {
  name: 'purge-account',
  background: true,
  queue: () => 'purges',
  async run(ctx: Ctx, { accountId, byStaff }: EventOf<'account.deleted'>) {
    if (byStaff) await ctx.remote.takeLeave(accountId)
    await purgeAccount(ctx, accountId)
  },
}

/** Removes what is known of a server with which this one speaks no more, where it speaks with few. */
export const purgeDisallowed = {
  name: 'purge-disallowed',
  background: true,
  queue: () => 'purges',
  async run(ctx: Ctx, { domain }: EventOf<'host.disallowed'>) {
    if (!ctx.config.limitedFederation || (await mayFederate(ctx, domain))) return
    await purgeHost(ctx, domain)
  },
}

/** Removes what is known of a server of which staff want nothing to be left. */
export const purgeRequested = {
  name: 'purge-requested',
  background: true,
  queue: () => 'purges',
  async run(ctx: Ctx, { domain }: EventOf<'host-purge.requested'>) {
    await purgeHost(ctx, domain)
  },
}
