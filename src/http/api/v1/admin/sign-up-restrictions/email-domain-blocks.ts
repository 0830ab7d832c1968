import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { AdminEmailDomainBlock } from '#entities/admin/sign-up.ts'
import { Empty } from '#entities/empty.ts'
import {
  createEmailDomainBlock,
  deleteEmailDomainBlock,
  getEmailDomainBlock,
  listEmailDomainBlocks,
} from '#domain/identity/sign-up-restrictions/email-domain-blocks.ts'
import { pageOf, paging, pathId, text, texts, truthy } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { renderEmailDomainBlock } from '#views/identity/admin-sign-up-restrictions.ts'
import type { EmailDomainBlockId } from '#lib/id.ts'

const one = z.object({ id: pathId<EmailDomainBlockId>() })
const staff = { auth: 'user', permission: 'manage_blocks' } as const
const read = ['admin:read', 'admin:read:email_domain_blocks']
const write = ['admin:write', 'admin:write:email_domain_blocks']

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/admin/email_domain_blocks',
    returns: listOf(AdminEmailDomainBlock),
    ...staff,
    scopes: read,
    params: z.object(paging(100)),
    async handle({ ctx, params }) {
      const page = await listEmailDomainBlocks(ctx, pageOf(params))
      return listed(page, page.items.map(renderEmailDomainBlock))
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/admin/email_domain_blocks/:id',
    returns: AdminEmailDomainBlock,
    ...staff,
    scopes: read,
    params: one,
    handle: async ({ ctx, params }) => renderEmailDomainBlock(await getEmailDomainBlock(ctx, params.id)),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/email_domain_blocks',
    returns: AdminEmailDomainBlock,
    ...staff,
    scopes: write,
    // The last two are extensions: what is blocked with it.
    params: z.object({
      domain: text(),
      allow_with_approval: truthy(),
      other_domains: texts(),
      with_dns_records: truthy(),
    }),
    async handle({ ctx, viewer, params }) {
      const block = await createEmailDomainBlock(ctx, viewer, {
        domain: params.domain,
        allowWithApproval: params.allow_with_approval,
        otherDomains: params.other_domains,
        withMailHosts: params.with_dns_records,
      })
      return renderEmailDomainBlock(block)
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/admin/email_domain_blocks/:id',
    returns: Empty,
    ...staff,
    scopes: write,
    params: one,
    async handle({ ctx, viewer, params }) {
      await deleteEmailDomainBlock(ctx, viewer, params.id)
      return {}
    },
  }),
]
