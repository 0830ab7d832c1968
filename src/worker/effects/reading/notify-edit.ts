// What an edit has to tell, and what is then told no longer.
import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { addToConversations } from '#domain/reading/conversations/add-status.ts'
import { notifyOfEdit, notifyOfNewMention } from '#domain/reading/notifications/notify-of-edit.ts'
import { removePollNotifications } from '#domain/reading/notifications/notify-of-poll.ts'

/** Notifies those who boosted or quoted what was edited. */
export const notifyEdit = {
  name: 'notify-edit',
  async run(ctx: Ctx, { statusId, editId }: EventOf<'status.updated'>) {
    if (editId !== null) await notifyOfEdit(ctx, { statusId, editId })
  },
}

/** Notifies somebody whom an edit names. Then a direct status goes into their conversations. */
export const notifyMention = {
  name: 'notify-mention',
  async run(ctx: Ctx, event: EventOf<'mention.created'>) {
    await notifyOfNewMention(ctx, event)
    await addToConversations(ctx, event.statusId, event.accountId)
  },
}

/** Takes back the end of a poll that an edit has opened again. */
export const removeOfPoll = {
  name: 'remove-poll-notifications',
  async run(ctx: Ctx, { statusId, editId }: EventOf<'status.updated'>) {
    if (editId !== null) await removePollNotifications(ctx, statusId)
  },
}
