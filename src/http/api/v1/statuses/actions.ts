// What a person does to one status. Each answers the status as it then is.
import { z } from 'zod'
import { Status } from '#entities/status.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { bookmarkStatus, unbookmarkStatus } from '#domain/content/statuses/interactions/bookmark.ts'
import { favouriteStatus, unfavouriteStatus } from '#domain/content/statuses/interactions/favourite.ts'
import {
  muteConversation,
  unmuteConversation,
} from '#domain/content/statuses/interactions/mute-conversation.ts'
import { pinStatus, unpinStatus } from '#domain/content/statuses/interactions/pin.ts'
import { reblogStatus, unreblogStatus } from '#domain/content/statuses/interactions/reblog.ts'
import { pathId, word } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { viewStatus, viewStatusAfterLoss } from '#views/content/statuses.ts'
import type { StatusId } from '#lib/id.ts'

const params = z.object({ id: pathId<StatusId>() })

type Command = (ctx: Ctx, viewer: Viewer, id: StatusId) => Promise<StatusId>

type View = typeof viewStatus

/** A route that runs a command and shows the status. */
function action<const Path extends `/api/v1/statuses/:id/${string}`>(
  path: Path,
  scope: string,
  command: Command,
  view: View = viewStatus,
) {
  return route({
    method: 'POST',
    path,
    returns: Status,
    auth: 'user',
    scopes: ['write', scope],
    params,
    handle: async ({ ctx, viewer, params: { id } }) => view(ctx, viewer, await command(ctx, viewer, id)),
  })
}

/** As `action`, for taking back what was done to a status one may since have lost access to. */
const undo = <const Path extends `/api/v1/statuses/:id/${string}`>(
  path: Path,
  scope: string,
  command: Command,
) => action(path, scope, command, viewStatusAfterLoss)

export const routes = [
  action('/api/v1/statuses/:id/favourite', 'write:favourites', favouriteStatus),
  undo('/api/v1/statuses/:id/unfavourite', 'write:favourites', unfavouriteStatus),
  action('/api/v1/statuses/:id/bookmark', 'write:bookmarks', bookmarkStatus),
  undo('/api/v1/statuses/:id/unbookmark', 'write:bookmarks', unbookmarkStatus),
  action('/api/v1/statuses/:id/mute', 'write:mutes', muteConversation),
  action('/api/v1/statuses/:id/unmute', 'write:mutes', unmuteConversation),
  action('/api/v1/statuses/:id/pin', 'write:accounts', pinStatus),
  action('/api/v1/statuses/:id/unpin', 'write:accounts', unpinStatus),
  route({
    method: 'POST',
    path: '/api/v1/statuses/:id/reblog',
    returns: Status,
    auth: 'user',
    scopes: ['write', 'write:statuses'],
    params: params.extend({ visibility: word(['public', 'unlisted', 'private', 'direct']) }),
    async handle({ ctx, viewer, params: { id, visibility }, limits }) {
      const reblogId = await limits.spend('statuses', () => reblogStatus(ctx, viewer, id, visibility))
      return viewStatus(ctx, viewer, reblogId)
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/statuses/:id/unreblog',
    returns: Status,
    auth: 'user',
    scopes: ['write', 'write:statuses'],
    params,
    async handle({ ctx, viewer, params: { id }, limits }) {
      await limits.count('unpublish', viewer.userId)
      return viewStatusAfterLoss(ctx, viewer, await unreblogStatus(ctx, viewer, id))
    },
  }),
]
