import type { Ctx } from '#ports/ctx.ts'
import { deleteAbandonedFiles } from '#domain/content/media/files.ts'

/** Deletes files that nothing names any more. */
export const deleteFiles = {
  name: 'delete-files',
  slow: true,
  run: async (ctx: Ctx) => void (await deleteAbandonedFiles(ctx)),
}
