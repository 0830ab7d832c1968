import { MediaAttachment } from '#entities/media-attachment.ts'
import { uploadMedia } from '#domain/content/media/upload.ts'
import { reply, route } from '#http/kit/route.ts'
import { viewMedia } from '#views/content/media.ts'
import { requireFile, uploadInput, uploadParams } from '../v1/media/params.ts'

export const routes = [
  route({
    method: 'POST',
    path: '/api/v2/media',
    returns: MediaAttachment,
    statuses: [200, 202],
    auth: 'user',
    scopes: ['write', 'write:media'],
    uploads: 'media',
    params: uploadParams,
    async handle({ ctx, viewer, params }) {
      const media = await uploadMedia(ctx, viewer, uploadInput(requireFile(params)))
      return reply(media.state === 'complete' ? 200 : 202, viewMedia(ctx, media))
    },
  }),
]
