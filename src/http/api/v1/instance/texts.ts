// What people read before they have an account: open in every access mode.
import { z } from 'zod'
import {
  ExtendedDescription,
  Language,
  PrivacyPolicy,
  TermsOfService,
  TranslationLanguages,
} from '#entities/instance/facts.ts'
import { listOf } from '#entities/entity.ts'
import { Rule } from '#entities/instance/rule.ts'
import { languages } from '#lib/text/language.ts'
import { route } from '#http/kit/route.ts'
import { viewRules } from '#views/server/instance-lists.ts'
import { viewTranslationLanguages } from '#views/content/translation.ts'
import { viewExtendedDescription, viewPrivacyPolicy, viewTerms } from '#views/server/instance-texts.ts'

const open = { method: 'GET', auth: 'none', open: true, caching: 'public' } as const

export const routes = [
  route({
    ...open,
    path: '/api/v1/instance/rules',
    shared: ['rules'],
    returns: listOf(Rule),
    handle: ({ ctx }) => viewRules(ctx),
  }),
  route({
    ...open,
    path: '/api/v1/instance/languages',
    shared: [],
    returns: listOf(Language),
    handle: async () => languages,
  }),
  route({
    ...open,
    path: '/api/v1/instance/translation_languages',
    shared: [],
    returns: TranslationLanguages,
    handle: ({ ctx }) => viewTranslationLanguages(ctx),
  }),
  route({
    ...open,
    path: '/api/v1/instance/extended_description',
    shared: ['settings'],
    returns: ExtendedDescription,
    handle: ({ ctx }) => viewExtendedDescription(ctx),
  }),
  route({
    ...open,
    path: '/api/v1/instance/privacy_policy',
    shared: ['settings'],
    returns: PrivacyPolicy,
    handle: ({ ctx }) => viewPrivacyPolicy(ctx),
  }),
  route({
    ...open,
    path: '/api/v1/instance/terms_of_service',
    shared: ['terms_of_service'],
    returns: TermsOfService,
    handle: ({ ctx }) => viewTerms(ctx),
  }),
  route({
    ...open,
    path: '/api/v1/instance/terms_of_service/:date',
    returns: TermsOfService,
    params: z.object({ date: z.string() }),
    handle: ({ ctx, params }) => viewTerms(ctx, params.date),
  }),
]
