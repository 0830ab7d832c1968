import { z } from 'zod'
import { Translation } from '#entities/status.ts'
import { translateStatus } from '#domain/content/statuses/translate.ts'
import { pathId, text } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { renderTranslation } from '#views/content/translation.ts'
import type { StatusId } from '#lib/id.ts'

export const routes = [
  route({
    method: 'POST',
    path: '/api/v1/statuses/:id/translate',
    returns: Translation,
    auth: 'token',
    scopes: ['read', 'read:statuses'],
    params: z.object({ id: pathId<StatusId>(), lang: text() }),
    async handle({ ctx, viewer, params: { id, lang } }) {
      const language = lang || viewer?.locale || 'en'
      return renderTranslation(await translateStatus(ctx, viewer?.accountId ?? null, id, language))
    },
  }),
]
