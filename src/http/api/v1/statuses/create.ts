import { z } from 'zod'
import { createStatus, UnexpectedAccounts } from '#domain/statuses/create-status.ts'
import { id, ids, text, truthy, word } from '#http/kit/fields.ts'
import { reply, route, type Call } from '#http/kit/route.ts'
import { viewAccounts } from '#views/accounts.ts'
import { viewStatus } from '#views/statuses.ts'

const postParams = z.object({
  status: text(),
  spoiler_text: text(),
  visibility: word(['public', 'unlisted', 'private', 'direct']),
  sensitive: truthy(),
  language: text(),
  in_reply_to_id: id(),
  allowed_mentions: ids(),
})

export const routes = [
  route({
    method: 'POST',
    path: '/api/v1/statuses',
    auth: 'user',
    scopes: ['write', 'write:statuses'],
    params: postParams,
    handle: create,
  }),
]

async function create({
  ctx,
  viewer,
  caller,
  params,
  limits,
  request,
}: Call<z.output<typeof postParams>, 'user'>) {
  try {
    const statusId = await limits.spend('statuses', () =>
      createStatus(ctx, viewer, {
        text: params.status ?? '',
        spoilerText: params.spoiler_text,
        visibility: params.visibility,
        sensitive: params.sensitive,
        language: params.language,
        inReplyToId: params.in_reply_to_id,
        allowedMentions: params.allowed_mentions,
        applicationId: caller.token?.applicationId ?? null,
        idempotencyKey: request.headers.get('idempotency-key'),
      }),
    )
    return await viewStatus(ctx, viewer, statusId)
  } catch (error) {
    if (!(error instanceof UnexpectedAccounts)) throw error
    return reply(422, {
      error: error.message,
      unexpected_accounts: await viewAccounts(ctx, error.accountIds),
    })
  }
}
