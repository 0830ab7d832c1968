// What is in an archive, told before anything of it is imported.
import path from 'node:path'
import { mkdir } from 'node:fs/promises'
import type { Ctx } from '#ports/ctx.ts'
import { inWorkspace } from '#domain/content/media/workspace.ts'
import { formatTime } from '#lib/time/time.ts'
import type { ArchiveContents } from '#db/schema/people-and-reach.ts'
import type { ArchiveLimits } from './archive-entries.ts'
import { openArchive } from './archive-files.ts'
import { readOutboxItems } from './archive-plan.ts'

/** Counts what an archive of this machine has. Throws `invalid` for what cannot be imported as a whole. */
export function lookAtArchive(ctx: Ctx, file: string, limits: ArchiveLimits): Promise<ArchiveContents> {
  return inWorkspace(ctx, async (folder) => {
    const unpacked = path.join(folder, 'unpacked')
    await mkdir(unpacked)
    const archive = await openArchive(file, unpacked, limits)
    try {
      const outbox = path.join(folder, 'outbox.json')
      await archive.extractOutbox(outbox)
      return await countItems(outbox)
    } finally {
      await archive.close()
    }
  })
}

async function countItems(outbox: string): Promise<ArchiveContents> {
  const counts = { posts: 0, boosts: 0, others: 0 }
  let [from, to] = [Infinity, -Infinity]
  for await (const { item } of readOutboxItems(outbox)) {
    if (item?.kind === 'boost') counts.boosts += 1
    else if (item?.kind !== 'post') counts.others += 1
    else {
      counts.posts += 1
      from = Math.min(from, item.published)
      to = Math.max(to, item.published)
    }
  }
  const timeOf = (time: number) => (counts.posts === 0 ? null : formatTime(new Date(time)))
  return { ...counts, from: timeOf(from), to: timeOf(to) }
}
