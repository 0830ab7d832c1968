import { listOf } from '#entities/entity.ts'
import { CustomEmoji } from '#entities/emoji.ts'
import { route } from '#http/kit/route.ts'
import { viewCustomEmojis } from '#views/server/instance-lists.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/custom_emojis',
    returns: listOf(CustomEmoji),
    auth: 'none',
    caching: 'public',
    shared: ['custom_emojis'],
    handle: ({ ctx }) => viewCustomEmojis(ctx),
  }),
]
