import { authorizeFollowRequest } from '#domain/social/relationships/follow-requests.ts'
import { answerRelay } from '#domain/federation/relays/relays.ts'
import { acceptQuote } from '#domain/content/statuses/quotes/remote-quote.ts'
import { isSameHost, toId } from '#federation/kit/json.ts'
import { findAnsweredRequest } from '../kit/find-answered-request.ts'
import type { Handler } from '../kit/handler.ts'

/** Somebody agreed to be followed or quoted, or a relay lets this server in. */
export const onAccept: Handler = async (ctx, incoming) => {
  const { actor, json } = incoming
  const answered = await findAnsweredRequest(ctx, incoming)
  if (answered?.kind === 'follow') {
    await authorizeFollowRequest(ctx, { accountId: actor.id }, answered.followerId)
    return 'done'
  }
  if (answered?.kind === 'relay') {
    return (await answerRelay(ctx, { ...answered, state: 'accepted' })) ? 'done' : 'ignored'
  }
  // The stamp is what shows others that the quote is wanted.
  const stamp = toId(json['result'])
  if (!answered || stamp === null || !isSameHost(stamp, actor.uri)) return 'ignored'
  return (await acceptQuote(ctx, { statusId: answered.statusId, approvalUri: stamp })) ? 'done' : 'ignored'
}
