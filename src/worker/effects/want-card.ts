import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { attachCard } from '#domain/cards/attach-card.ts'

/** Gives a status the preview of its link. */
export const wantCard = {
  name: 'want-card',
  run: (ctx: Ctx, event: EventOf<'status.created' | 'status.updated'>) => attachCard(ctx, event.statusId),
}
