import { z } from 'zod'
import { Empty } from '#entities/empty.ts'
import { MediaAttachment } from '#entities/media-attachment.ts'
import { deleteMedia } from '#domain/content/media/delete.ts'
import { getOwnMedia } from '#domain/content/media/load.ts'
import { updateMedia } from '#domain/content/media/update.ts'
import { assertUsable, waitForMedia } from '#domain/content/media/wait.ts'
import { uploadMedia } from '#domain/content/media/upload.ts'
import { pathId } from '#http/kit/params/fields.ts'
import { reply, route } from '#http/kit/route.ts'
import { viewMedia } from '#views/content/media.ts'
import { mediaParams, requireFile, uploadInput, uploadParams } from './params.ts'
import type { MediaId } from '#lib/id.ts'

const scopes = ['write', 'write:media']
const one = z.object({ id: pathId<MediaId>() })
/** How long the older way of uploading waits for a film to be ready, in milliseconds: proxies wait for a minute. */
const patience = 50_000

export const routes = [
  route({
    method: 'POST',
    path: '/api/v1/media',
    returns: MediaAttachment,
    auth: 'user',
    scopes,
    uploads: 'media',
    params: uploadParams,
    async handle({ ctx, viewer, params }) {
      const { id } = await uploadMedia(ctx, viewer, uploadInput(requireFile(params)))
      return viewMedia(ctx, await waitForMedia(ctx, id, patience))
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/media/:id',
    returns: MediaAttachment,
    statuses: [200, 206],
    auth: 'user',
    scopes,
    params: one,
    async handle({ ctx, viewer, params: { id } }) {
      const media = await getOwnMedia(ctx, viewer.accountId, id)
      assertUsable(media)
      return reply(media.state === 'complete' ? 200 : 206, viewMedia(ctx, media))
    },
  }),
  route({
    method: 'PUT',
    path: '/api/v1/media/:id',
    returns: MediaAttachment,
    auth: 'user',
    scopes,
    uploads: 'thumbnail',
    params: one.extend(mediaParams),
    handle: async ({ ctx, viewer, params }) =>
      viewMedia(
        ctx,
        await updateMedia(ctx, viewer, params.id, {
          description: params.description,
          focus: params.focus,
          thumbnailPath: params.thumbnail?.path,
        }),
      ),
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/media/:id',
    returns: Empty,
    auth: 'user',
    scopes,
    params: one,
    async handle({ ctx, viewer, params: { id } }) {
      await deleteMedia(ctx, viewer, id)
      return {}
    },
  }),
]
