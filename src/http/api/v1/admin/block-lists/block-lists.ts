// Extension of the API: lists of servers as files, and subscriptions to published ones.
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { AdminAllowImport, AdminBlockListImport, AdminBlockListPreview } from '#entities/admin/hosts.ts'
import {
  exportHostAllows,
  exportHostBlocks,
  importHostAllows,
  importHostBlocks,
  previewImport,
  requireList,
} from '#domain/trust/block-lists/import.ts'
import type { ParsedList } from '#domain/trust/block-lists/parse-list.ts'
import { invalid } from '#lib/errors.ts'
import { file, text, truthy } from '#http/kit/params/fields.ts'
import type { UploadedFile } from '#http/kit/params/params.ts'
import { raw, reply, route } from '#http/kit/route.ts'
import { csvResponse } from '#http/kit/csv-response.ts'
import { renderDescribedHost, renderImport } from '#views/trust/admin-block-lists.ts'

const staff = { auth: 'user', permission: 'manage_federation' } as const
const readBlocks = ['admin:read', 'admin:read:domain_blocks']
const writeBlocks = ['admin:write', 'admin:write:domain_blocks']
const shownAtOnce = 200
/** A file, or the same as text. */
const list = { data: file(), text: text() }

async function readList(params: {
  data?: UploadedFile | undefined
  text?: string | undefined
}): Promise<ParsedList> {
  if (params.data) return requireList(await readFile(params.data.path, 'utf8'))
  if (params.text?.trim()) return requireList(params.text)
  throw invalid('data', 'blank')
}

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/admin/block_lists/export',
    returns: raw('text/csv'),
    ...staff,
    scopes: readBlocks,
    handle: async ({ ctx }) => reply(200, csvResponse('domain_blocks.csv', await exportHostBlocks(ctx))),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/block_lists/import/preview',
    returns: AdminBlockListPreview,
    ...staff,
    scopes: readBlocks,
    uploads: 'list',
    params: z.object(list),
    async handle({ ctx, params }) {
      const preview = await previewImport(ctx, await readList(params), shownAtOnce)
      return {
        total: preview.total,
        domains: preview.hosts.map(renderDescribedHost),
        skipped: preview.skipped,
        skipped_count: preview.skippedCount,
      }
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/block_lists/import',
    returns: AdminBlockListImport,
    ...staff,
    scopes: writeBlocks,
    uploads: 'list',
    params: z.object({ ...list, overwrite: truthy() }),
    handle: async ({ ctx, params, viewer }) =>
      renderImport(
        await importHostBlocks(ctx, viewer, await readList(params), { overwrite: params.overwrite === true }),
      ),
  }),
  route({
    method: 'GET',
    path: '/api/v1/admin/block_lists/allows/export',
    returns: raw('text/csv'),
    ...staff,
    scopes: ['admin:read', 'admin:read:domain_allows'],
    handle: async ({ ctx }) => reply(200, csvResponse('domain_allows.csv', await exportHostAllows(ctx))),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/block_lists/allows/import',
    returns: AdminAllowImport,
    ...staff,
    scopes: ['admin:write', 'admin:write:domain_allows'],
    uploads: 'list',
    params: z.object(list),
    handle: async ({ ctx, params, viewer }) => ({
      allowed: await importHostAllows(ctx, viewer, await readList(params)),
    }),
  }),
]
