// A picture as processing leaves it, for tests that are not about files.
import type { Ctx } from '#ports/ctx.ts'
import type { Person } from './people.ts'
import type { MediaId } from '#lib/id.ts'

export async function attachment(ctx: Ctx, owner: Person, description = ''): Promise<string> {
  const id = ctx.newId<MediaId>()
  await ctx.db
    .insertInto('media_attachments')
    .values({
      id,
      account_id: owner.accountId,
      type: 'image',
      state: 'complete',
      description,
      original_key: `media/${id}/original.png`,
      preview_key: `media/${id}/small.png`,
      facts: JSON.stringify({ width: 40, height: 30 }),
      preview_width: 40,
      preview_height: 30,
    })
    .execute()
  return id
}
