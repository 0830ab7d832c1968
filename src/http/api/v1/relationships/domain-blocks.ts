import { z } from 'zod'
import { Empty } from '#entities/empty.ts'
import { Domains } from '#entities/instance/facts.ts'
import { DomainBlockPreview } from '#entities/relationship.ts'
import {
  countDomainTies,
  hideDomain,
  listHiddenDomains,
  showDomain,
} from '#domain/social/relationships/domain-blocks.ts'
import { pageOf, paging, text } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'

const readScopes = ['follow', 'read', 'read:blocks']
const writeScopes = ['follow', 'write', 'write:blocks']
const params = z.object({ domain: text() })

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/domain_blocks',
    returns: Domains,
    auth: 'user',
    scopes: readScopes,
    params: z.object(paging(100)),
    async handle({ ctx, viewer, params }) {
      const page = await listHiddenDomains(ctx, viewer.accountId, pageOf(params))
      return listed(page, page.items, 'since_id')
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/domain_blocks/preview',
    returns: DomainBlockPreview,
    auth: 'user',
    scopes: readScopes,
    params,
    handle: ({ ctx, viewer, params: { domain } }) => countDomainTies(ctx, viewer.accountId, domain),
  }),
  route({
    method: 'POST',
    path: '/api/v1/domain_blocks',
    returns: Empty,
    auth: 'user',
    scopes: writeScopes,
    params,
    async handle({ ctx, viewer, params: { domain } }) {
      await hideDomain(ctx, viewer, domain)
      return {}
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/domain_blocks',
    returns: Empty,
    auth: 'user',
    scopes: writeScopes,
    params,
    async handle({ ctx, viewer, params: { domain } }) {
      await showDomain(ctx, viewer, domain)
      return {}
    },
  }),
]
