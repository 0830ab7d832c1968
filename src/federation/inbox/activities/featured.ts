// What an account shows on top of its profile, statuses and hashtags, changed one by one.
import { findRemoteCollections } from '#domain/identity/accounts/remote/remote-counts.ts'
import type { Ctx } from '#ports/ctx.ts'
import { isSameHost, toId, toObject, typeOf } from '#federation/kit/json.ts'
import { readTags } from '#federation/ingest/actors/tags.ts'
import type { Incoming } from '../kit/handler.ts'

export type Featured = { kind: 'status'; uri: string } | { kind: 'tag'; name: string; display: string }

/** What is put into, or taken out of, one of the actor's own collections; null for all else. */
export async function readFeatured(ctx: Ctx, { actor, json }: Incoming): Promise<Featured | null> {
  const own = await findRemoteCollections(ctx, actor.id)
  const target = toId(json['target'])
  if (!own || target === null || (target !== own.featured_url && target !== own.featured_tags_url))
    return null
  const embedded = toObject(json['object'])
  if (typeOf(embedded).endsWith('Hashtag')) {
    const tag = readTags({ tag: embedded }).hashtags[0]
    return tag ? { kind: 'tag', ...tag } : null
  }
  const uri = toId(json['object'])
  const mayBeOwn = uri !== null && target === own.featured_url && isSameHost(uri, actor.uri)
  return mayBeOwn ? { kind: 'status', uri } : null
}
