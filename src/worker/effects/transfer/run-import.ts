import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { runImport } from '#domain/transfer/portability/run-import.ts'

/** Carries out what somebody brought along. Imports run one after the other: nobody waits for one. */
export const carryOutImport = {
  name: 'run-import',
  background: true,
  queue: () => 'imports',
  run: (ctx: Ctx, event: EventOf<'import.confirmed'>) => runImport(ctx, event.importId),
}
