import { z } from 'zod'
import { SiteUploads } from '#entities/admin/server.ts'
import { uploadNames } from '#domain/server/instance/site-uploads.ts'
import { deleteSiteUpload, setSiteUpload } from '#domain/content/media/change-site-upload.ts'
import { badRequest, notFound } from '#lib/errors.ts'
import { file } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { viewSiteUploads } from '#views/server/admin-settings.ts'

const one = z.object({ name: z.string() })
const staff = { auth: 'user', permission: 'manage_settings' } as const
const read = ['admin:read']
const write = ['admin:write']

/** Throws `not_found` for a name that no picture has. */
function requireName(name: string) {
  const known = uploadNames.find((one) => one === name)
  if (!known) throw notFound()
  return known
}

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/admin/site_uploads',
    returns: SiteUploads,
    ...staff,
    scopes: read,
    handle: ({ ctx }) => viewSiteUploads(ctx),
  }),
  route({
    method: 'PUT',
    path: '/api/v1/admin/site_uploads/:name',
    returns: SiteUploads,
    ...staff,
    scopes: write,
    uploads: 'avatar',
    params: one.extend({ file: file() }),
    async handle({ ctx, viewer, params }) {
      const name = requireName(params.name)
      if (!params.file) throw badRequest('param_missing', { name: 'file' })
      await setSiteUpload(ctx, viewer, name, params.file.path)
      return viewSiteUploads(ctx)
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/admin/site_uploads/:name',
    returns: SiteUploads,
    ...staff,
    scopes: write,
    params: one,
    async handle({ ctx, viewer, params }) {
      await deleteSiteUpload(ctx, viewer, requireName(params.name))
      return viewSiteUploads(ctx)
    },
  }),
]
