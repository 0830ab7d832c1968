import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { AdminWebhook, AdminWebhookTest } from '#entities/admin/server.ts'
import { Empty } from '#entities/empty.ts'
import type { Ctx } from '#ports/ctx.ts'
import {
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  setWebhookEnabled,
  updateWebhook,
} from '#domain/maintenance/webhooks/edit-webhook.ts'
import { getWebhook, listWebhooks } from '#domain/maintenance/webhooks/queries.ts'
import { testWebhook } from '#domain/maintenance/webhooks/test-webhook.ts'
import { pathId, text, texts } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { renderWebhook, renderWebhookWithSecret } from '#views/maintenance/admin-webhooks.ts'
import type { WebhookId } from '#lib/id.ts'

const fields = z.object({ url: text(), events: texts() })
const one = z.object({ id: pathId<WebhookId>() })
const staff = { auth: 'user', permission: 'manage_webhooks' } as const
const read = ['admin:read']
const write = ['admin:write']

const show = async (ctx: Ctx, id: WebhookId) => renderWebhookWithSecret(await getWebhook(ctx, id))

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/admin/webhooks',
    returns: listOf(AdminWebhook),
    ...staff,
    scopes: read,
    handle: async ({ ctx }) => (await listWebhooks(ctx)).map(renderWebhook),
  }),
  route({
    method: 'GET',
    path: '/api/v1/admin/webhooks/:id',
    returns: AdminWebhook,
    ...staff,
    scopes: read,
    params: one,
    handle: async ({ ctx, params }) => renderWebhook(await getWebhook(ctx, params.id)),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/webhooks',
    returns: AdminWebhook,
    ...staff,
    scopes: write,
    params: fields,
    handle: async ({ ctx, viewer, params }) => show(ctx, await createWebhook(ctx, viewer, params)),
  }),
  route({
    method: 'PUT',
    path: '/api/v1/admin/webhooks/:id',
    returns: AdminWebhook,
    ...staff,
    scopes: write,
    params: fields.extend(one.shape),
    async handle({ ctx, viewer, params: { id, ...input } }) {
      await updateWebhook(ctx, viewer, id, input)
      return renderWebhook(await getWebhook(ctx, id))
    },
  }),
  ...([true, false] as const).map((enabled) =>
    route({
      method: 'POST',
      path: enabled ? '/api/v1/admin/webhooks/:id/enable' : '/api/v1/admin/webhooks/:id/disable',
      returns: AdminWebhook,
      ...staff,
      scopes: write,
      params: one,
      async handle({ ctx, viewer, params }) {
        await setWebhookEnabled(ctx, viewer, params.id, enabled)
        return renderWebhook(await getWebhook(ctx, params.id))
      },
    }),
  ),
  route({
    method: 'POST',
    path: '/api/v1/admin/webhooks/:id/rotate_secret',
    returns: AdminWebhook,
    ...staff,
    scopes: write,
    params: one,
    async handle({ ctx, viewer, params }) {
      await rotateWebhookSecret(ctx, viewer, params.id)
      return show(ctx, params.id)
    },
  }),
  // Sends a message that says only that it is a test, and answers how that ended.
  route({
    method: 'POST',
    path: '/api/v1/admin/webhooks/:id/test',
    returns: AdminWebhookTest,
    ...staff,
    scopes: write,
    params: one,
    handle: ({ ctx, viewer, params }) => testWebhook(ctx, viewer, params.id),
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/admin/webhooks/:id',
    returns: Empty,
    ...staff,
    scopes: write,
    params: one,
    async handle({ ctx, viewer, params }) {
      await deleteWebhook(ctx, viewer, params.id)
      return {}
    },
  }),
]
