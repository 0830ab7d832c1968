import { z } from 'zod'
import { ScheduledStatus } from '#entities/personal/scheduled-status.ts'
import { eitherOf } from '#entities/entity.ts'
import { Status } from '#entities/status.ts'
import { createStatus } from '#domain/content/statuses/publish/create-status.ts'
import { onceForKey } from '#domain/content/statuses/publish/idempotency.ts'
import { UnexpectedAccounts, type StatusInput } from '#domain/content/statuses/publish/prepare-status.ts'
import { readSchedule, scheduleStatus } from '#domain/content/statuses/publish/schedule.ts'
import { ids, reference, text } from '#http/kit/params/fields.ts'
import { viewMade } from './view-made.ts'
import { postFields, toPost } from './post-params.ts'
import { refusal, route, type Call } from '#http/kit/route.ts'
import { viewAccounts } from '#views/identity/accounts.ts'
import { languageFor } from '#http/kit/language-for.ts'
import { describeReason } from '#lib/messages/describe-error.ts'
import type { AccountId, ApplicationId, StatusId } from '#lib/id.ts'

const postParams = z.object({
  ...postFields(),
  in_reply_to_id: reference<StatusId>(),
  scheduled_at: text(),
  allowed_mentions: ids<AccountId>(),
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
    const [made] = await make(call)
    return await viewMade(ctx, viewer, made)
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

function toInput(params: z.output<typeof postParams>, applicationId: ApplicationId | null): StatusInput {
  return {
    ...toPost(params),
    inReplyToId: params.in_reply_to_id,
    allowedMentions: params.allowed_mentions,
    applicationId,
  }
}
