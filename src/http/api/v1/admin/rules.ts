import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { AdminRule } from '#entities/admin/server.ts'
import { Empty } from '#entities/empty.ts'
import { createRule, deleteRule, updateRule } from '#domain/server/instance/edit-rules.ts'
import { getRule, listFullRules } from '#domain/server/instance/rules.ts'
import { integer, pathId, text } from '#http/kit/params/fields.ts'
import { isTree } from '#http/kit/params/params.ts'
import { route } from '#http/kit/route.ts'
import { renderAdminRule } from '#views/server/admin-rules.ts'
import type { RuleId } from '#lib/id.ts'

/** Texts by language, from `translations[de][text]` or JSON. */
const translations = z
  .preprocess(
    (value) => (isTree(value) ? { ...value } : undefined),
    z.record(
      z.string(),
      z.preprocess((value) => (isTree(value) ? value : {}), z.object({ text: text(), hint: text() })),
    ),
  )
  .optional()
const fields = z.object({ text: text(), hint: text(), priority: integer(), translations })
const one = z.object({ id: pathId<RuleId>() })
const staff = { auth: 'user', permission: 'manage_rules' } as const
const read = ['admin:read']
const write = ['admin:write']

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/admin/rules',
    returns: listOf(AdminRule),
    ...staff,
    scopes: read,
    handle: async ({ ctx }) => (await listFullRules(ctx)).map(renderAdminRule),
  }),
  route({
    method: 'GET',
    path: '/api/v1/admin/rules/:id',
    returns: AdminRule,
    ...staff,
    scopes: read,
    params: one,
    handle: async ({ ctx, params }) => renderAdminRule(await getRule(ctx, params.id)),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/rules',
    returns: AdminRule,
    ...staff,
    scopes: write,
    params: fields,
    async handle({ ctx, viewer, params }) {
      const id = await createRule(ctx, viewer, params)
      return renderAdminRule(await getRule(ctx, id))
    },
  }),
  route({
    method: 'PUT',
    path: '/api/v1/admin/rules/:id',
    returns: AdminRule,
    ...staff,
    scopes: write,
    params: fields.extend(one.shape),
    async handle({ ctx, viewer, params: { id, ...input } }) {
      await updateRule(ctx, viewer, id, input)
      return renderAdminRule(await getRule(ctx, id))
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/admin/rules/:id',
    returns: Empty,
    ...staff,
    scopes: write,
    params: one,
    async handle({ ctx, viewer, params }) {
      await deleteRule(ctx, viewer, params.id)
      return {}
    },
  }),
]
