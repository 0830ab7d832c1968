// An archive of another server, uploaded to be imported once its owner says so.
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import {
  isImportingArchive,
  maxArchiveBytes,
  prepareArchive,
} from '#domain/transfer/portability/archive/archive-import.ts'
import { isUploadedFile } from '#http/kit/params/params.ts'
import { isAppError, AppError } from '#lib/errors.ts'
import { describeReason } from '#lib/messages/describe-error.ts'
import { showImports } from './import.ts'
import { redirectTo } from '#http/web/kit/layout.ts'
import type { Page, PageCall } from '#http/web/kit/page.ts'
import { textsIn } from '#lib/messages/texts.ts'

const path = '/settings/imports'

/** Before gigabytes are sent in vain. */
async function admit(call: Pick<PageCall, 'ctx' | 'viewer' | 'limits' | 'language'>): Promise<void> {
  const { ctx, viewer, limits, language } = call
  if (viewer === null) return
  await limits.count('archives', viewer.accountId)
  if (await isImportingArchive(ctx, viewer.accountId))
    throw new AppError('conflict', { said: textsIn(language).pages.archive.busy })
}

async function upload(call: PageCall, viewer: Viewer): Promise<Response> {
  const t = textsIn(call.language).pages.archive
  const file = call.params['data']
  if (!isUploadedFile(file)) return showImports(call, viewer, t.noFile)
  try {
    const id = await prepareArchive(call.ctx, viewer, { path: file.path, filename: file.filename })
    return redirectTo(`${path}/${id}`)
  } catch (error) {
    if (!isAppError(error, 'invalid')) throw error
    return showImports(call, viewer, describeReason(error.reason, call.language))
  }
}

export const pages: readonly Page[] = [
  {
    method: 'POST',
    path: '/settings/imports/archive',
    upload: maxArchiveBytes,
    admit,
    handle: async (call) =>
      call.viewer && call.viewer.refusal === null ? upload(call, call.viewer) : redirectTo(path, 302),
  },
]
