import { z } from 'zod'
import { CustomEmoji } from '#entities/emoji.ts'
import { route } from '#http/kit/route.ts'
import { viewCustomEmojis } from '#views/server/instance-lists.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/custom_emojis',
    returns: z.array(CustomEmoji),
    auth: 'none',
    caching: 'public',
    handle: ({ ctx }) => viewCustomEmojis(ctx),
  }),
]
