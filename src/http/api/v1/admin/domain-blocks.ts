import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { AdminDomainBlock } from '#entities/admin/hosts.ts'
import { Empty } from '#entities/empty.ts'
import {
  createHostBlock,
  deleteHostBlock,
  getHostBlock,
  listHostBlocks,
  severities,
  updateHostBlock,
} from '#domain/trust/moderation/hosts/host-blocks.ts'
import { pageOf, paging, pathId, text, truthy, word } from '#http/kit/params/fields.ts'
import { listed, refusal, route } from '#http/kit/route.ts'
import { renderHostBlock } from '#views/server/admin-hosts.ts'
import { languageFor } from '#http/kit/language-for.ts'
import { textsIn } from '#lib/messages/texts.ts'
import type { DomainBlockId } from '#lib/id.ts'

const terms = {
  severity: word(severities),
  reject_media: truthy(),
  reject_reports: truthy(),
  private_comment: text(),
  public_comment: text(),
  obfuscate: truthy(),
}
const one = z.object({ id: pathId<DomainBlockId>() })
const staff = { auth: 'user', permission: 'manage_federation' } as const
const read = ['admin:read', 'admin:read:domain_blocks']
const write = ['admin:write', 'admin:write:domain_blocks']

const toTerms = (params: z.output<z.ZodObject<typeof terms>>) => ({
  severity: params.severity,
  rejectMedia: params.reject_media,
  rejectReports: params.reject_reports,
  privateComment: params.private_comment,
  publicComment: params.public_comment,
  obfuscate: params.obfuscate,
})

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/admin/domain_blocks',
    returns: listOf(AdminDomainBlock),
    ...staff,
    scopes: read,
    params: z.object(paging(100)),
    async handle({ ctx, params }) {
      const page = await listHostBlocks(ctx, pageOf(params))
      return listed(page, page.items.map(renderHostBlock))
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/admin/domain_blocks/:id',
    returns: AdminDomainBlock,
    ...staff,
    scopes: read,
    params: one,
    handle: async ({ ctx, params }) => renderHostBlock(await getHostBlock(ctx, params.id)),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/domain_blocks',
    returns: AdminDomainBlock,
    ...staff,
    scopes: write,
    params: z.object({ domain: text(), ...terms }),
    async handle({ ctx, viewer, params, caller, request }) {
      const made = await createHostBlock(ctx, viewer, params.domain, toTerms(params))
      if (made.kind === 'created') return renderHostBlock(made.block)
      const { host_block_exists: tell } = textsIn(languageFor(caller, request)).errors.sentences
      const error = tell({ domain: made.by.domain })
      return refusal(422, { error, existing_domain_block: renderHostBlock(made.by) })
    },
  }),
  route({
    method: 'PUT',
    path: '/api/v1/admin/domain_blocks/:id',
    returns: AdminDomainBlock,
    ...staff,
    scopes: write,
    params: one.extend(terms),
    handle: async ({ ctx, viewer, params }) =>
      renderHostBlock(await updateHostBlock(ctx, viewer, params.id, toTerms(params))),
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/admin/domain_blocks/:id',
    returns: Empty,
    ...staff,
    scopes: write,
    params: one,
    async handle({ ctx, viewer, params }) {
      await deleteHostBlock(ctx, viewer, params.id)
      return {}
    },
  }),
]
