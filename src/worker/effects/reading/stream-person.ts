// Tells a person's streams what concerns them.
import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { accessChannel, personChannel, type PersonMessage } from '#lib/stream-channels.ts'
import { publish } from './stream.ts'
import type { AccountId } from '#lib/id.ts'

const tell = (ctx: Ctx, accountId: AccountId, message: PersonMessage) =>
  publish(ctx, personChannel(accountId), message)

export const streamNotification = {
  name: 'stream-notification',
  async run(ctx: Ctx, { accountId, notificationId }: EventOf<'notification.created'>) {
    tell(ctx, accountId, { event: 'notification', id: notificationId })
  },
}

export const streamMerged = {
  name: 'stream-merged',
  async run(ctx: Ctx, { accountId }: EventOf<'notifications.merged'>) {
    tell(ctx, accountId, { event: 'notifications_merged' })
  },
}

export const streamFilters = {
  name: 'stream-filters',
  async run(ctx: Ctx, { accountId }: EventOf<'filters.changed'>) {
    tell(ctx, accountId, { event: 'filters_changed' })
  },
}

export const streamColumns = {
  name: 'stream-columns',
  async run(ctx: Ctx, { accountId }: EventOf<'columns.changed'>) {
    tell(ctx, accountId, { event: 'columns_changed' })
  },
}

export const streamConversation = {
  name: 'stream-conversation',
  async run(ctx: Ctx, { accountId, conversationId }: EventOf<'conversation.updated'>) {
    tell(ctx, accountId, { event: 'conversation', id: conversationId })
  },
}

export const streamDraft = {
  name: 'stream-draft',
  async run(ctx: Ctx, { accountId, draftId }: EventOf<'draft.saved'>) {
    tell(ctx, accountId, { event: 'draft', id: draftId })
  },
}

export const streamDraftDeleted = {
  name: 'stream-draft-deleted',
  async run(ctx: Ctx, { accountId, draftId }: EventOf<'draft.deleted'>) {
    tell(ctx, accountId, { event: 'draft.delete', id: draftId })
  },
}

export const streamMarker = {
  name: 'stream-marker',
  async run(ctx: Ctx, { accountId, timeline }: EventOf<'marker.updated'>) {
    tell(ctx, accountId, { event: 'marker', timeline })
  },
}

/** What the two do not want to meet of each other has changed. */
export const streamRulesOfBoth = {
  name: 'stream-rules-of-both',
  async run(ctx: Ctx, { accountId, targetAccountId }: EventOf<'block.created' | 'block.deleted'>) {
    tell(ctx, accountId, { event: 'rules' })
    tell(ctx, targetAccountId, { event: 'rules' })
  },
}

export const streamRules = {
  name: 'stream-rules',
  async run(
    ctx: Ctx,
    {
      accountId,
    }: EventOf<
      'mute.created' | 'mute.updated' | 'mute.deleted' | 'domain-block.created' | 'domain-block.deleted'
    >,
  ) {
    tell(ctx, accountId, { event: 'rules' })
  },
}

/** Ends the streams that were opened with a token. */
export const endStreamsOfToken = {
  name: 'end-streams-of-token',
  async run(ctx: Ctx, { tokenId }: EventOf<'token.revoked'>) {
    publish(ctx, accessChannel, { token: tokenId })
  },
}

/** Has the streams of an account ended that may no longer have any. */
export const endStreamsOfAccount = {
  name: 'end-streams-of-account',
  async run(
    ctx: Ctx,
    {
      accountId,
    }: EventOf<'account.deleted' | 'account.limits-changed' | 'account.moved' | 'account.suspended'>,
  ) {
    tell(ctx, accountId, { event: 'access' })
  },
}
