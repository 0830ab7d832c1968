// What people read before they have an account: open in every access mode.
import { z } from 'zod'
import { languages } from '#lib/text/language.ts'
import { route } from '#http/kit/route.ts'
import { viewRules } from '#views/server/instance-lists.ts'
import { viewTranslationLanguages } from '#views/content/translation.ts'
import { viewExtendedDescription, viewPrivacyPolicy, viewTerms } from '#views/server/instance-texts.ts'

const open = { method: 'GET', auth: 'none', open: true, caching: 'public' } as const

export const routes = [
  route({ ...open, path: '/api/v1/instance/rules', handle: ({ ctx }) => viewRules(ctx) }),
  route({ ...open, path: '/api/v1/instance/languages', handle: async () => languages }),
  route({
    ...open,
    path: '/api/v1/instance/translation_languages',
    handle: ({ ctx }) => viewTranslationLanguages(ctx),
  }),
  route({
    ...open,
    path: '/api/v1/instance/extended_description',
    handle: ({ ctx }) => viewExtendedDescription(ctx),
  }),
  route({ ...open, path: '/api/v1/instance/privacy_policy', handle: ({ ctx }) => viewPrivacyPolicy(ctx) }),
  route({ ...open, path: '/api/v1/instance/terms_of_service', handle: ({ ctx }) => viewTerms(ctx) }),
  route({
    ...open,
    path: '/api/v1/instance/terms_of_service/:date',
    params: z.object({ date: z.string() }),
    handle: ({ ctx, params }) => viewTerms(ctx, params.date),
  }),
]
