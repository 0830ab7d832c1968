import { z } from 'zod'
import { createReport } from '#domain/trust/moderation/reports/create-report.ts'
import { categories } from '#domain/trust/moderation/reports/reports.ts'
import { ids, reference, references, text, texts, truthy, word } from '#http/kit/params/fields.ts'
import { Report } from '#entities/report.ts'
import { route } from '#http/kit/route.ts'
import { viewReport } from '#views/trust/reports.ts'
import { noId, type AccountId, type CollectionId, type RuleId, type StatusId } from '#lib/id.ts'

export const routes = [
  route({
    method: 'POST',
    path: '/api/v1/reports',
    returns: Report,
    auth: 'user',
    scopes: ['write', 'write:reports'],
    params: z.object({
      account_id: reference<AccountId>(),
      status_ids: ids<StatusId>(),
      collection_ids: ids<CollectionId>(),
      rule_ids: references<RuleId>(),
      comment: text(),
      category: word(categories),
      forward: truthy(),
      forward_to_domains: texts(),
    }),
    async handle({ ctx, viewer, params, limits }) {
      const input = {
        targetId: params.account_id ?? noId<AccountId>(),
        comment: params.comment,
        category: params.category,
        statusIds: params.status_ids,
        ruleIds: params.rule_ids,
        collectionIds: params.collection_ids,
        forward: params.forward,
        forwardToDomains: params.forward_to_domains,
      }
      const id = await limits.spend('reports', () => createReport(ctx, viewer, input))
      return viewReport(ctx, id)
    },
  }),
]
