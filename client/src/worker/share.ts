// What other apps share by the system's menu: their files are laid aside, and the view of /share takes them.
import { sharedCache } from '../core/worker-messages.ts'

const words = ['title', 'text', 'url'] as const

/** Takes what was sent to /share, and leads to the view. */
export async function takeShared(request: Request): Promise<Response> {
  const form = await request.formData()
  const query = new URLSearchParams()
  for (const name of words) {
    const value = form.get(name)
    if (typeof value === 'string' && value !== '') query.set(name, value)
  }
  const files = form.getAll('files').filter((file) => file instanceof File && file.size > 0) as File[]
  if (files.length > 0) {
    // What nobody took is forgotten.
    await caches.delete(sharedCache)
    const cache = await caches.open(sharedCache)
    for (const [index, file] of files.entries()) {
      const headers = { 'content-type': file.type, 'x-name': encodeURIComponent(file.name) }
      await cache.put(`/share/${index}`, new Response(file, { headers }))
    }
    query.set('files', String(files.length))
  }
  return Response.redirect(`/share?${query}`, 303)
}
