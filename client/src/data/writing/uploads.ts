// Files on their way to the server.
import type { MediaAttachment } from '#entities/media-attachment.ts'
import { get, isOnline, whenOnline } from '../../api/client.ts'
import { ApiError, errorOf, isOffline } from '../../api/errors.ts'
import { authorization, language } from '../../core/start.ts'
import { t } from '../../core/texts.ts'

/** Sends a file. `onProgress`: 0 to 1. Throws ApiError. What it returns may still be in the making: see `whenMade`. */
export function upload(file: File, onProgress: (share: number) => void): Promise<MediaAttachment> {
  const form = new FormData()
  form.set('file', file, file.name || 'file')
  return new Promise((resolve, reject) => {
    // fetch does not say how far it is.
    const request = new XMLHttpRequest()
    request.open('POST', '/api/v2/media')
    for (const [name, value] of Object.entries({ ...authorization(), 'accept-language': language }))
      request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
    request.addEventListener('error', () => {
      isOnline.value = false
      reject(new ApiError('offline', t.errors.offline))
    })
    request.addEventListener('load', () => {
      if (request.status < 300) return resolve(JSON.parse(request.responseText) as MediaAttachment)
      const type = request.getResponseHeader('content-type') ?? ''
      const { status, responseText } = request
      void errorOf(new Response(responseText, { status, headers: { 'content-type': type } })).then(reject)
    })
    request.send(form)
  })
}

const firstWait = 500
const maxWait = 5_000

/** Asks until the server has made what is shown of a file. Throws ApiError for one that cannot be shown. */
export async function whenMade(media: MediaAttachment, onChange: (media: MediaAttachment) => void): Promise<void> {
  let current = media
  for (let wait = firstWait; current.url === null; wait = Math.min(maxWait, wait * 1.5)) {
    await new Promise((resolve) => setTimeout(resolve, wait))
    await whenOnline()
    const { body } = await get<MediaAttachment>(`/api/v1/media/${media.id}`).catch(orAgain(current))
    current = body
  }
  onChange(current)
}

const orAgain = (current: MediaAttachment) => (error: unknown) => {
  if (isOffline(error)) return { body: current }
  throw error
}
