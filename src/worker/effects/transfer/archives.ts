import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { makeArchive, type ArchiveWriter } from '#domain/transfer/portability/archive/archive-build.ts'
import { runArchiveImport } from '#domain/transfer/portability/archive/archive-run.ts'
import { jsonLdContext } from '#federation/objects/context.ts'
import { toActivity } from '#federation/objects/to-activity.ts'
import { toActor } from '#federation/objects/to-actor.ts'

/** Puts all that somebody has written into one file. One at a time: each may be large. */
export const buildArchive = {
  name: 'make-archive',
  background: true,
  queue: () => 'make-archive',
  run: (ctx: Ctx, event: EventOf<'archive-export.requested'>) =>
    makeArchive(ctx, event.backupId, writerOf(ctx)),
}

/** Brings in the posts of an archive from elsewhere. One at a time, beside shorter imports. */
export const unpackArchive = {
  name: 'import-archive',
  background: true,
  queue: () => 'import-archive',
  run: (ctx: Ctx, event: EventOf<'import.confirmed'>) => runArchiveImport(ctx, event.importId),
}

const writerOf = ({ config, clock }: Ctx): ArchiveWriter => ({
  context: jsonLdContext,
  actor: (facts) => toActor(config, facts),
  activity: (facts) => toActivity(config, facts, clock.now()),
})
