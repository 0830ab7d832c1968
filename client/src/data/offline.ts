// The last answers of the first pages, for when there is no network: and whose they are.
import { effect } from '@preact/signals'
import type { CredentialAccount } from '#entities/account.ts'
import { isOnline, keepAnswersWith, type Answer } from '../api/client.ts'
import { isSignedIn } from '../core/start.ts'
import { dropAll, keep, readKept } from './kept/database.ts'
import { account } from './session.ts'

/** What is kept: what every view needs, the columns, and the beginning of each timeline. */
const isKept = (path: string): boolean =>
  /^\/api\/v2\/instance$|^\/api\/v1\/(?:accounts\/verify_credentials|preferences|columns)$/.test(path) ||
  /^\/api\/v1\/(?:timelines\/(?:home|public|list\/\d+|tag\/[^/?]+)|bookmarks|favourites)\?(?:local=true&|remote=true&)?limit=20$/.test(path)

/** Keeps answers from now on, and gives them where the server cannot be reached. */
export function startOffline(): void {
  void keepLook().catch(() => {})
  // Without a network there is no token: all that wants one, such as a post that waits, needs a document with it.
  if (!isSignedIn()) openAnewOnline()
  keepAnswersWith({
    keep: (path, answer) => {
      if (isSignedIn() && isKept(path)) void keep('answers', path, answer).catch(() => {})
    },
    find: (path) => readKept<Answer<unknown>>('answers', path).catch(() => undefined),
  })
}

/** Has the app opened anew as soon as a server that is away is back. */
export function openAnewOnline(): void {
  let wasThere = isOnline.peek()
  effect(() => {
    if (isOnline.value && !wasThere) location.reload()
    wasThere = isOnline.value
  })
}

/** How its owner wants the app to look stands in the document of whoever is signed in: see http/web/kit/look.ts. */
async function keepLook(): Promise<void> {
  const { dataset } = document.documentElement
  if (isSignedIn()) await keep('about', 'look', { ...dataset })
  else Object.assign(dataset, await readKept<Record<string, string>>('about', 'look'))
}

/** Another person's things are not shown to whoever signs in next. To be called when it is known who that is. */
export async function claimKept(): Promise<void> {
  const own: CredentialAccount | undefined = account.peek().data
  if (!isSignedIn() || !own) return
  const owner = await readKept<string>('about', 'owner').catch(() => undefined)
  if (owner !== undefined && owner !== own.id) await forgetKept()
  await keep('about', 'owner', own.id).catch(() => {})
}

/** Forgets what was kept: timelines, posts that wait, pictures. */
export async function forgetKept(): Promise<void> {
  await dropAll().catch(() => {})
  for (const name of (await globalThis.caches?.keys()) ?? []) if (name.startsWith('pictures')) await caches.delete(name)
}

