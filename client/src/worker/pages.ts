// The app without a network. No answer of the API and no document with somebody's data is ever kept by it: the token of a
// session stands in documents (AUTH-22).
import { worker, type FetchEvent } from './worker.ts'

/** Put in when it is built: the files of the app, whose names change with their content. */
declare const appFiles: readonly string[]
/** Put in when it is built: a mark of these files. */
declare const appMark: string

const shell = '/app/shell'
const appCaches = 'app-'
const appCache = appCaches + appMark
const pictureCache = 'pictures'
const maxPictures = 300

/** The files of this build, and the document without anybody's data. */
export async function install(): Promise<void> {
  const addFiles = async () => (await caches.open(appCache)).addAll(appFiles.map(withoutCookies))
  await Promise.all([keepShell(), addFiles()])
}

const withoutCookies = (path: string) => new Request(path, { credentials: 'omit' })

let keeping: Promise<void> = Promise.resolve()

/** Keeps the document of this address; of the one before, where none is given. What is asked last is kept. */
export function keepShell(path?: string): Promise<void> {
  keeping = keeping.catch(() => {}).then(() => putShell(path))
  return keeping
}

async function putShell(path: string | undefined): Promise<void> {
  const before = path ?? (await caches.match(shell))?.url
  const url = new URL(before || shell, location.origin)
  if (url.origin !== location.origin || url.pathname !== shell) return
  const cache = await caches.open(appCache)
  if ((await cache.match(shell))?.url === url.href) return
  const response = await fetch(withoutCookies(url.href))
  if (!response.ok) throw new Error('The document of the app cannot be had')
  await cache.put(shell, response)
}

/** Windows that are open are of the build before: its files stay until the next one comes. */
export async function activate(): Promise<void> {
  const builds = (await caches.keys()).filter((name) => name.startsWith(appCaches) && name !== appCache)
  for (const name of builds.slice(0, -1)) await caches.delete(name)
  // As its name was once.
  await caches.delete('app')
  await worker.registration.navigationPreload?.enable()
  await worker.clients.claim()
}

/** Pages come from the server while it can be reached. */
export async function openPage({ request, preloadResponse }: FetchEvent): Promise<Response> {
  try {
    return (await preloadResponse) ?? (await fetch(request))
  } catch (error) {
    const kept = (await (await caches.open(appCache)).match(shell)) ?? (await caches.match(shell))
    if (kept) return kept
    throw error
  }
}

/** Files of this build and of the one before, which is no longer at the server. */
export const isAppFile = (path: string): boolean => /^\/app\/.+-[\w-]+\.\w+$/.test(path)

export async function openFile(request: Request): Promise<Response> {
  return (await caches.match(request.url)) ?? (await fetch(request))
}

/** Pictures of this server, as of avatars: what was seen last is there without a network. */
export async function openPicture(request: Request): Promise<Response> {
  const cache = await caches.open(pictureCache)
  const kept = await cache.match(request)
  if (kept) return kept
  const response = await fetch(request)
  if (response.status === 200 && response.type === 'basic') {
    await cache.put(request, response.clone())
    const [oldest, ...rest] = await cache.keys()
    if (oldest && rest.length >= maxPictures) await cache.delete(oldest)
  }
  return response
}
