import { z } from 'zod'
import { copyEmoji, createEmoji } from '#domain/server/instance/emojis/create-emoji.ts'
import { deleteEmoji } from '#domain/server/instance/emojis/delete-emojis.ts'
import { getEmoji, listAllEmojis } from '#domain/server/instance/emojis/emojis.ts'
import { updateEmoji } from '#domain/server/instance/emojis/update-emoji.ts'
import { listOf } from '#entities/entity.ts'
import { AdminCustomEmoji } from '#entities/admin/server.ts'
import { Empty } from '#entities/empty.ts'
import { badRequest } from '#lib/errors.ts'
import { file, pageOf, paging, pathId, text, truthy, word } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { renderAdminEmoji } from '#views/server/admin-emojis.ts'
import type { CustomEmojiId } from '#lib/id.ts'

const one = z.object({ id: pathId<CustomEmojiId>() })
const fields = z.object({ category: text(), visible_in_picker: truthy() })
const filter = { origin: word(['local', 'remote']), by_domain: text(), shortcode: text(), disabled: truthy() }
const staff = { auth: 'user', permission: 'manage_custom_emojis' } as const
const read = ['admin:read']
const write = ['admin:write']

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/admin/custom_emojis',
    returns: listOf(AdminCustomEmoji),
    ...staff,
    scopes: read,
    params: z.object({ ...paging(100), ...filter }),
    async handle({ ctx, params }) {
      const { by_domain: domain, ...rest } = params
      const page = await listAllEmojis(ctx, { ...rest, domain }, pageOf(params))
      return listed(
        page,
        page.items.map((emoji) => renderAdminEmoji(ctx.config, emoji)),
      )
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/admin/custom_emojis/:id',
    returns: AdminCustomEmoji,
    ...staff,
    scopes: read,
    params: one,
    handle: async ({ ctx, params }) => renderAdminEmoji(ctx.config, await getEmoji(ctx, params.id)),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/custom_emojis',
    returns: AdminCustomEmoji,
    ...staff,
    scopes: write,
    uploads: 'avatar',
    params: fields.extend({ shortcode: text(), file: file() }),
    async handle({ ctx, viewer, params }) {
      if (!params.file) throw badRequest('param_missing', { name: 'file' })
      const id = await createEmoji(ctx, viewer, {
        shortcode: params.shortcode ?? '',
        path: params.file.path,
        category: params.category,
        visibleInPicker: params.visible_in_picker,
      })
      return renderAdminEmoji(ctx.config, await getEmoji(ctx, id))
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/custom_emojis/:id/copy',
    returns: AdminCustomEmoji,
    ...staff,
    scopes: write,
    params: fields.extend({ ...one.shape, shortcode: text() }),
    async handle({ ctx, viewer, params }) {
      const id = await copyEmoji(ctx, viewer, params.id, {
        category: params.category,
        visibleInPicker: params.visible_in_picker,
        ...(params.shortcode && { shortcode: params.shortcode }),
      })
      return renderAdminEmoji(ctx.config, await getEmoji(ctx, id))
    },
  }),
  route({
    method: 'PUT',
    path: '/api/v1/admin/custom_emojis/:id',
    returns: AdminCustomEmoji,
    ...staff,
    scopes: write,
    uploads: 'avatar',
    params: fields.extend({ ...one.shape, disabled: truthy(), file: file() }),
    async handle({ ctx, viewer, params }) {
      await updateEmoji(ctx, viewer, params.id, {
        path: params.file?.path,
        category: params.category,
        visibleInPicker: params.visible_in_picker,
        disabled: params.disabled,
      })
      return renderAdminEmoji(ctx.config, await getEmoji(ctx, params.id))
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/admin/custom_emojis/:id',
    returns: Empty,
    ...staff,
    scopes: write,
    params: one,
    async handle({ ctx, viewer, params }) {
      await deleteEmoji(ctx, viewer, params.id)
      return {}
    },
  }),
]
