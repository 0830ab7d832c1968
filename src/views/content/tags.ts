import type { Tag, UseHistory } from '#entities/tag.ts'
import type { Config, Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { tagUrl } from '#domain/server/instance/urls.ts'
import { loadFeaturedTagIds } from '#domain/content/tags/featured-tags.ts'
import {
  findTag,
  loadFollowedTagIds,
  loadTagHistories,
  parseTagName,
  type TagFacts,
} from '#domain/content/tags/queries.ts'
import type { UseDay } from '#lib/time/use-days.ts'
import { noId, type TagId } from '#lib/id.ts'

/** Tags with their history, and for a viewer whether they follow them, by three queries. */
export async function viewTags(ctx: Ctx, viewer: Viewer | null, tags: readonly TagFacts[]): Promise<Tag[]> {
  const ids = tags.map((tag) => tag.id)
  const [histories, followed, featured] = await Promise.all([
    loadTagHistories(ctx, ids),
    viewer === null ? null : loadFollowedTagIds(ctx, viewer.accountId, ids),
    viewer === null ? null : loadFeaturedTagIds(ctx, viewer.accountId, ids),
  ])
  return tags.map((tag) => ({
    ...renderTag(ctx.config, tag, histories.get(tag.id) ?? []),
    ...(followed && featured && { following: followed.has(tag.id), featuring: featured.has(tag.id) }),
  }))
}

/** A tag by its name; an unknown one has no history. Throws `not_found` for what no tag can be called. */
export async function viewTag(ctx: Ctx, viewer: Viewer | null, text: string): Promise<Tag> {
  const { name, display } = parseTagName(text)
  const tag = (await findTag(ctx, name)) ?? { id: noId<TagId>(), name, display_name: display }
  const [view] = await viewTags(ctx, viewer, [tag])
  return view as Tag
}

/** Tag (https://docs.joinmastodon.org/entities/Tag/) but for the viewer. */
function renderTag(config: Config, tag: TagFacts, history: readonly UseDay[]): Tag {
  return {
    id: tag.id,
    name: tag.display_name,
    url: tagUrl(config, tag.name),
    history: renderHistory(history),
  }
}

/** `history` of tags and links, numbers as text. */
export function renderHistory(history: readonly UseDay[]): UseHistory[] {
  return history.map(({ day, uses, accounts }) => ({
    day: String(day),
    uses: String(uses),
    accounts: String(accounts),
  }))
}
