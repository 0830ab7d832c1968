// Extension of the API: rules against spam.
import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { AdminSpamDryRun, AdminSpamHit, AdminSpamRule, AdminSpamUndo } from '#entities/admin/spam.ts'
import { Empty } from '#entities/empty.ts'
import { undoSpamRule } from '#domain/trust/moderation/undo-spam-rule.ts'
import { maxHours, runDry } from '#domain/content/spam/dry-run.ts'
import { listHits } from '#domain/content/spam/hits.ts'
import {
  createSpamRule,
  deleteSpamRule,
  getSpamRule,
  listSpamRules,
  readConditions,
  updateSpamRule,
} from '#domain/content/spam/rules.ts'
import { invalid } from '#lib/errors.ts'
import { parseTime } from '#lib/time/parse-time.ts'
import { integer, limit, pageOf, paging, pathId, text, truthy } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { renderSpamRule, viewDryRun, viewHits } from '#views/trust/admin-spam.ts'
import type { SpamRuleId } from '#lib/id.ts'

/** Who decides about reports may know what the rules did; who keeps the blocks writes them. */
const reader = {
  auth: 'user',
  permission: ['manage_reports', 'manage_blocks'],
  scopes: ['admin:read'],
} as const
const writer = { auth: 'user', permission: 'manage_blocks', scopes: ['admin:write'] } as const
const one = z.object({ id: pathId<SpamRuleId>() })
const terms = { name: text(), enabled: truthy(), action: text(), conditions: z.unknown().optional() }

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/admin/spam_rules',
    returns: listOf(AdminSpamRule),
    ...reader,
    handle: async ({ ctx }) => (await listSpamRules(ctx)).map(renderSpamRule),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/spam_rules',
    returns: AdminSpamRule,
    ...writer,
    params: z.object(terms),
    handle: async ({ ctx, viewer, params }) => renderSpamRule(await createSpamRule(ctx, viewer, params)),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/spam_rules/dry_run',
    returns: AdminSpamDryRun,
    ...writer,
    scopes: ['admin:read'],
    params: z.object({ conditions: z.unknown().optional(), hours: integer(), limit: limit(20) }),
    async handle({ ctx, viewer, params }) {
      const { hours = 24 } = params
      if (hours < 1 || hours > maxHours) throw invalid('hours', 'not_from_one', { max: maxHours })
      const conditions = await readConditions(ctx, params.conditions)
      return viewDryRun(
        ctx,
        viewer,
        await runDry(ctx, conditions, { hours, limit: params.limit, closed: false }),
      )
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/admin/spam_rules/:id',
    returns: AdminSpamRule,
    ...reader,
    params: one,
    handle: async ({ ctx, params }) => renderSpamRule(await getSpamRule(ctx, params.id)),
  }),
  route({
    method: 'PUT',
    path: '/api/v1/admin/spam_rules/:id',
    returns: AdminSpamRule,
    ...writer,
    params: one.extend(terms),
    handle: async ({ ctx, viewer, params: { id, ...input } }) =>
      renderSpamRule(await updateSpamRule(ctx, viewer, id, input)),
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/admin/spam_rules/:id',
    returns: Empty,
    ...writer,
    params: one,
    async handle({ ctx, viewer, params }) {
      await deleteSpamRule(ctx, viewer, params.id)
      return {}
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/admin/spam_rules/:id/hits',
    returns: listOf(AdminSpamHit),
    ...reader,
    params: one.extend(paging(100)),
    async handle({ ctx, params }) {
      await getSpamRule(ctx, params.id)
      const page = await listHits(ctx, params.id, pageOf(params))
      return listed(page, await viewHits(ctx, page.items))
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/spam_rules/:id/undo',
    returns: AdminSpamUndo,
    ...writer,
    params: one.extend({ since: text() }),
    handle: async ({ ctx, viewer, params }) =>
      undoSpamRule(ctx, viewer, params.id, { since: readSince(params.since) }),
  }),
]

function readSince(given: string | undefined): Date | null {
  if (!given) return null
  const time = parseTime(given)
  if (time === null) throw invalid('since', 'no_time')
  return new Date(time)
}
