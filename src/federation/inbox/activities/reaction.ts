// Reactions with emoji, as Misskey (a Like with content) and Pleroma (EmojiReact) send them.
import { findRemoteEmoji, saveRemoteEmojis } from '#domain/server/instance/emojis/remote-emojis.ts'
import { getSettings } from '#domain/server/instance/settings.ts'
import { saveRemoteReaction } from '#domain/content/statuses/interactions/reactions.ts'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { parseReaction } from '#lib/text/reaction.ts'
import { isAppError } from '#lib/errors.ts'
import { toText, type JsonObject } from '#federation/kit/json.ts'
import { readTags, type NoteEmoji } from '#federation/ingest/actors/tags.ts'
import type { Incoming, Outcome } from '../kit/handler.ts'
import type { StatusId } from '#lib/id.ts'

export interface ReadReaction {
  name: string
  unicode: boolean
  /** Of a custom emoji: what the activity tells of it. */
  emoji: NoteEmoji | null
}

export async function areReactionsOn(reader: Reader): Promise<boolean> {
  return (await getSettings(reader)).emoji_reactions
}

/** What an activity reacts with; null when it is no emoji, or a custom one that it does not show. */
export function readReaction(json: JsonObject): ReadReaction | null {
  const text = toText(json['content']) ?? toText(json['_misskey_reaction'])
  if (text === null || text.length > 200) return null
  try {
    const { name, unicode } = parseReaction(text)
    const emoji = unicode ? null : (readTags(json).emojis.find((one) => one.shortcode === name) ?? null)
    return { name, unicode, emoji }
  } catch (error) {
    if (isAppError(error)) return null
    throw error
  }
}

/** A custom emoji belongs to the server of whoever reacts, whoever else has one of that name. */
export async function react(
  ctx: Ctx,
  { actor, id: uri }: Incoming,
  statusId: StatusId,
  { name, unicode, emoji }: ReadReaction,
): Promise<Outcome> {
  const { domain } = actor
  if (emoji) await ctx.transaction((tx) => saveRemoteEmojis(tx, domain, [emoji]))
  const id = unicode ? null : await findRemoteEmoji(ctx, domain, name)
  if (!unicode && id === null) return 'ignored'
  await saveRemoteReaction(ctx, { accountId: actor.id }, statusId, { name, id, uri })
  return 'done'
}
