import { z } from 'zod'
import { ScheduledStatus } from '#entities/personal/scheduled-status.ts'
import { eitherOf } from '#entities/entity.ts'
import { Status } from '#entities/status.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Id } from '#lib/id.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { isHeld } from '#domain/content/spam/held-posts.ts'
import { createStatus } from '#domain/content/statuses/publish/create-status.ts'
import { onceForKey } from '#domain/content/statuses/publish/idempotency.ts'
import { waiting } from '#domain/content/statuses/publish/check-spam.ts'
import { UnexpectedAccounts, type StatusInput } from '#domain/content/statuses/publish/prepare-status.ts'
import { readSchedule, scheduleStatus } from '#domain/content/statuses/publish/schedule.ts'
import { ids, reference, references, text, truthy, word } from '#http/kit/params/fields.ts'
import { pollInput, pollParams } from './poll-params.ts'
import { refusal, route, type Call } from '#http/kit/route.ts'
import { viewAccounts } from '#views/identity/accounts.ts'
import { viewScheduledStatus } from '#views/content/scheduled-statuses.ts'
import { loadStatusViews } from '#views/content/statuses.ts'
import { languageFor } from '#http/kit/language-for.ts'
import { describeReason } from '#lib/messages/describe-error.ts'

const postParams = z.object({
  status: text(),
  spoiler_text: text(),
  visibility: word(['public', 'unlisted', 'private', 'direct']),
  sensitive: truthy(),
  language: text(),
  in_reply_to_id: reference(),
  media_ids: references(),
  poll: pollParams(),
  quoted_status_id: reference(),
  quote_approval_policy: word(['public', 'followers', 'nobody']),
  scheduled_at: text(),
  content_type: text(),
  local_only: truthy(),
  allowed_mentions: ids(),
})

export const routes = [
  route({
    method: 'POST',
    path: '/api/v1/statuses',
    returns: eitherOf(Status, ScheduledStatus),
    auth: 'user',
    scopes: ['write', 'write:statuses'],
    params: postParams,
    handle: create,
  }),
]

async function create(call: Call<z.output<typeof postParams>, 'user'>) {
  const { ctx, viewer } = call
  try {
    return await viewMade(ctx, viewer, await make(call))
  } catch (error) {
    if (!(error instanceof UnexpectedAccounts)) throw error
    return refusal(422, {
      error: describeReason(error.reason, languageFor(call.caller, call.request)),
      unexpected_accounts: await viewAccounts(ctx, error.accountIds),
    })
  }
}

/** Neither repeats nor scheduled statuses count against the limit. */
function make({ ctx, viewer, caller, params, limits, request }: Call<z.output<typeof postParams>, 'user'>) {
  const key = request.headers.get('idempotency-key')
  const input = toInput(params, caller.token?.applicationId ?? null)
  const at = readSchedule(ctx, params.scheduled_at)
  return onceForKey(ctx, viewer.accountId, key, () =>
    at === null
      ? limits.spend('statuses', () => createStatus(ctx, viewer, input, key))
      : scheduleStatus(ctx, viewer, input, { at, idempotencyKey: key }),
  )
}

/**
 * A status or a scheduled one: a repeat gets what the first request made, whatever it asks for itself. What waits for staff
 * is told so each time.
 */
async function viewMade(ctx: Ctx, viewer: Viewer, made: Id) {
  const status = (await loadStatusViews(ctx, viewer, [made])).get(made)
  if (!status && (await isHeld(ctx, viewer.accountId, made))) throw waiting()
  return status ?? viewScheduledStatus(ctx, viewer, made)
}

function toInput(params: z.output<typeof postParams>, applicationId: Id | null): StatusInput {
  return {
    text: params.status ?? '',
    spoilerText: params.spoiler_text,
    visibility: params.visibility,
    sensitive: params.sensitive,
    language: params.language,
    inReplyToId: params.in_reply_to_id,
    mediaIds: params.media_ids,
    poll: pollInput(params.poll),
    quotedStatusId: params.quoted_status_id,
    quotePolicy: params.quote_approval_policy,
    contentType: params.content_type,
    localOnly: params.local_only,
    allowedMentions: params.allowed_mentions,
    applicationId,
  }
}
