// Drafts: an extension of the Mastodon API.
import { z } from 'zod'
import { Draft } from '#entities/personal/draft.ts'
import { Empty } from '#entities/empty.ts'
import { eitherOf, listOf } from '#entities/entity.ts'
import { ScheduledStatus } from '#entities/personal/scheduled-status.ts'
import { Status } from '#entities/status.ts'
import { createDraft, deleteDraft, updateDraft } from '#domain/content/statuses/drafts/edit-draft.ts'
import {
  DraftPostRefused,
  publishDraft,
  scheduleDraft,
} from '#domain/content/statuses/drafts/publish-draft.ts'
import {
  DraftChanged,
  findDraft,
  getDraft,
  listDrafts,
  type DraftContent,
} from '#domain/content/statuses/drafts/queries.ts'
import { onceForKey } from '#domain/content/statuses/publish/idempotency.ts'
import { readSchedule } from '#domain/content/statuses/publish/schedule.ts'
import { statusOf } from '#http/kit/errors/errors.ts'
import { languageFor } from '#http/kit/language-for.ts'
import { integer, objects, pageOf, paging, pathId, reference, text } from '#http/kit/params/fields.ts'
import { listed, refusal, route, type Call } from '#http/kit/route.ts'
import { pick } from '#lib/collections.ts'
import { badRequest } from '#lib/errors.ts'
import { describeReason } from '#lib/messages/describe-error.ts'
import { viewDraft, viewDrafts } from '#views/content/drafts.ts'
import { loadStatusViews } from '#views/content/statuses.ts'
import { postFields, toPost } from './statuses/post-params.ts'
import { viewMade } from './statuses/view-made.ts'
import { sameId, type DraftId, type StatusId } from '#lib/id.ts'

const read = ['read', 'read:statuses']
const write = ['write', 'write:statuses']

const content = { in_reply_to_id: reference<StatusId>(), posts: objects(z.object(postFields())) }
const contentParams = z.object(content)
const updateParams = z.object({ id: pathId<DraftId>(), version: integer(), ...content })
const deleteParams = z.object({ id: pathId<DraftId>(), version: integer() })
const publishParams = z.object({ id: pathId<DraftId>(), version: integer(), scheduled_at: text() })

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/drafts',
    returns: listOf(Draft),
    auth: 'user',
    scopes: read,
    params: z.object(paging(20)),
    async handle({ ctx, viewer, params }) {
      const page = await listDrafts(ctx, viewer.accountId, pageOf(params))
      return listed(page, await viewDrafts(ctx, page.items))
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/drafts',
    returns: Draft,
    auth: 'user',
    scopes: write,
    params: contentParams,
    async handle({ ctx, viewer, params, request }) {
      const key = request.headers.get('idempotency-key')
      return viewDraft(ctx, viewer.accountId, await createDraft(ctx, viewer, toContent(params), key))
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/drafts/:id',
    returns: Draft,
    auth: 'user',
    scopes: read,
    params: z.object({ id: pathId<DraftId>() }),
    handle: ({ ctx, viewer, params: { id } }) => viewDraft(ctx, viewer.accountId, id),
  }),
  route({
    method: 'PUT',
    path: '/api/v1/drafts/:id',
    returns: Draft,
    auth: 'user',
    scopes: write,
    params: updateParams,
    handle: (call) => orExplain(call, () => update(call)),
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/drafts/:id',
    returns: Empty,
    auth: 'user',
    scopes: write,
    params: deleteParams,
    handle: (call) =>
      orExplain(call, async () => {
        await deleteDraft(call.ctx, call.viewer, call.params.id, call.params.version)
        return {}
      }),
  }),
  route({
    method: 'POST',
    path: '/api/v1/drafts/:id/publish',
    returns: eitherOf(listOf(Status), ScheduledStatus),
    auth: 'user',
    scopes: write,
    params: publishParams,
    handle: (call) => orExplain(call, () => publish(call)),
  }),
]

const toContent = (params: z.output<typeof contentParams>): DraftContent => ({
  inReplyToId: params.in_reply_to_id,
  posts: (params.posts ?? []).map(toPost),
})

async function update({ ctx, viewer, params }: Call<z.output<typeof updateParams>, 'user'>): Promise<Draft> {
  const { id, version } = params
  if (version === undefined) throw badRequest('param_missing', { name: 'version' })
  await updateDraft(ctx, viewer, id, { version, content: toContent(params) })
  return viewDraft(ctx, viewer.accountId, id)
}

/** Each draft is published once: it is the key itself where none is sent. */
async function publish(
  call: Call<z.output<typeof publishParams>, 'user'>,
): Promise<readonly Status[] | ScheduledStatus> {
  const { ctx, viewer, params, request } = call
  const key = request.headers.get('idempotency-key') ?? `draft:${params.id}`
  const made = await onceForKey(ctx, viewer.accountId, key, () => make(call, key))
  const statusIds = made.map((id) => sameId<StatusId>(id))
  const views = await loadStatusViews(ctx, viewer, statusIds)
  if (views.size > 0) return pick(statusIds, views)
  const one = await viewMade(ctx, viewer, made[0])
  return 'params' in one ? one : [one]
}

/** A thread counts as many times as it has posts. */
async function make(
  { ctx, viewer, caller, params, limits }: Call<z.output<typeof publishParams>, 'user'>,
  key: string,
) {
  const draft = await getDraft(ctx, viewer.accountId, params.id)
  if (params.version !== undefined && params.version !== draft.version) throw new DraftChanged(draft.id)
  const options = { applicationId: caller.token?.applicationId ?? null, idempotencyKey: key }
  const at = readSchedule(ctx, params.scheduled_at)
  if (at !== null) return scheduleDraft(ctx, viewer, draft, { ...options, at })
  return limits.spend('statuses', () => publishDraft(ctx, viewer, draft, options), draft.content.posts.length)
}

/** Whoever builds on another version gets the draft as it is now; whose post is refused learns which one. */
async function orExplain<T>(
  { ctx, viewer, caller, request }: Pick<Call<unknown, 'user'>, 'ctx' | 'viewer' | 'caller' | 'request'>,
  work: () => Promise<T>,
) {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DraftChanged) && !(error instanceof DraftPostRefused)) throw error
    const told = { error: describeReason(error.reason, languageFor(caller, request)) }
    if (error instanceof DraftPostRefused)
      return refusal(statusOf(error), { ...told, post_index: error.index })
    const draft = await findDraft(ctx, viewer.accountId, error.draftId)
    return refusal(statusOf(error), { ...told, draft: draft && (await viewDrafts(ctx, [draft]))[0] })
  }
}
