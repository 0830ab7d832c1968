import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { dropDeliveries } from '#domain/federation/queue/deliveries.ts'
import { dropIncoming } from '#domain/federation/queue/incoming.ts'
import { mayFederate } from '#domain/server/hosts/may-federate.ts'
import { removeHostMedia, showHostFiles } from '#domain/trust/moderation/hosts/remove-host-media.ts'
import { limitHosts } from '#domain/trust/moderation/hosts/limit-hosts.ts'
import { severHosts } from '#domain/trust/moderation/hosts/sever-hosts.ts'

type Change = EventOf<'host-block.created' | 'host-block.updated' | 'host-block.deleted'>

/** Makes what is known here of a server fit the terms that hold for it now. Long for a large one, and resumable. */
export const applyHostBlock = {
  name: 'apply-host-block',
  background: true,
  // One after the other, so that of two changes the later one has the last word.
  queue: () => 'host-blocks',
  async run(ctx: Ctx, event: Change) {
    const { domain } = event
    if (!(await mayFederate(ctx, domain))) {
      await dropDeliveries(ctx, domain)
      await dropIncoming(ctx, domain)
    }
    await limitHosts(ctx, domain, event.type === 'host-block.deleted' ? new Date(event.since) : null)
    await severHosts(ctx, domain)
    const areFilesRefused = await removeHostMedia(ctx, domain)
    // A new block that refuses none changes nothing about them.
    if (areFilesRefused || event.type !== 'host-block.created') await showHostFiles(ctx, domain)
  },
}
