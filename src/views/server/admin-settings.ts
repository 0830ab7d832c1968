import type { AdminSettings, SiteUploads } from '#entities/admin/server.ts'
import type { Config, Ctx } from '#ports/ctx.ts'
import { getSiteUploads, type UploadName } from '#domain/server/instance/site-uploads.ts'
import { readSettings } from '#domain/server/instance/settings.ts'
import { renderSiteUpload } from './site-images.ts'

/** What staff may change, and, to read only, what the environment of the process says. */
export async function viewAdminSettings(ctx: Ctx): Promise<AdminSettings> {
  const { config } = ctx
  return {
    settings: { ...(await readSettings(ctx)) },
    uploads: await viewSiteUploads(ctx),
    environment: {
      local_domain: config.localDomain,
      web_domain: config.webDomain,
      authorized_fetch: config.authorizedFetch,
      limited_federation_mode: config.limitedFederation,
      disallow_unauthenticated_api_access: config.disallowUnauthenticatedApi,
      single_user_mode: config.singleUser,
      timeline_preview: config.timelinePreview,
      translation: config.translation !== null,
      limits: renderLimits(config.limits),
    },
  }
}

/** Limits by their names in snake_case. */
const renderLimits = (limits: Config['limits']): Record<string, number> =>
  Object.fromEntries(
    Object.entries(limits).map(([name, value]) => [
      name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`),
      value,
    ]),
  )

/** The pictures of the server by their names; null for those that staff did not choose. */
export async function viewSiteUploads(ctx: Ctx): Promise<SiteUploads> {
  const uploads = await getSiteUploads(ctx)
  const view = (name: UploadName) => {
    const upload = uploads.get(name)
    return upload ? renderSiteUpload(ctx.config, upload) : null
  }
  return { thumbnail: view('thumbnail'), app_icon: view('app_icon'), favicon: view('favicon') }
}
