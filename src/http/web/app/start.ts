// What the app starts with: who looks, the token of their session, and the answers of the API that its first view needs.
import { randomBytes } from 'node:crypto'
import { getSessionToken } from '#domain/identity/oauth/session-token.ts'
import type { Language } from '#lib/messages/catalogue.ts'
import type { Config } from '#ports/ctx.ts'
import type { PageCall } from '../kit/page.ts'
import { formToken } from '../kit/session.ts'

/** What every view needs: the server, oneself, how one reads and posts, and how much is new. */
const always = [
  '/api/v2/instance',
  '/api/v1/accounts/verify_credentials',
  '/api/v1/preferences',
  '/api/v2/notifications/unread_count',
] as const

/** Films and sounds of other sites, on demand. */
export const players = [
  'https://www.youtube.com',
  'https://www.youtube-nocookie.com',
  'https://player.vimeo.com',
  'https://www.dailymotion.com',
  'https://open.spotify.com',
  'https://w.soundcloud.com',
  'https://bandcamp.com',
  'https://archive.org',
] as const

/** An answer of the API as the app would have got it. */
interface Answer {
  status: number
  body: unknown
  /** Its headers `Link` and `Mastodon-Async-Refresh`. */
  link?: string
  refresh?: string
}

/** The data block of the document. client/src/core/start.ts reads it. */
export interface Start {
  language: string
  /** The token of the session, veiled anew each time: see `veil`. Null in the document without a network. */
  token: string | null
  /** For forms of this server, such as the one that signs out. */
  formToken: string | null
  streaming: string
  /** Origins of the sites whose players may be shown, which the content policy allows. */
  players: readonly string[]
  /** By path and query, as the app asks for them. */
  answers: Record<string, Answer>
}

/** Without anybody: what the app starts with when there is no network. */
export const emptyStart = (config: Config, language: Language): Start => ({
  language,
  token: null,
  formToken: null,
  streaming: config.streamingBaseUrl,
  players,
  answers: {},
})

/** Returns the start of the app for whoever is signed in; null when their session has just ended. */
export async function makeStart(call: PageCall, paths: readonly string[]): Promise<Start | null> {
  const { ctx, browser } = call
  if (!browser.session) return null
  const { id, viewer } = browser.session
  const token = await getSessionToken(ctx, { id, userId: viewer.userId, secret: browser.formSecret })
  if (token === null) return null
  const asked = [...new Set([...always, ...paths])]
  const answers = await Promise.all(asked.map(async (path) => [path, await askFor(call, path, token)]))
  return {
    ...emptyStart(ctx.config, call.language),
    token: veil(token),
    formToken: formToken(ctx, browser),
    answers: Object.fromEntries(answers) as Record<string, Answer>,
  }
}

async function askFor(call: PageCall, path: string, token: string): Promise<Answer> {
  const response = await call.ask(path, token)
  const link = response.headers.get('link')
  const refresh = response.headers.get('mastodon-async-refresh')
  return {
    status: response.status,
    body: await response.json(),
    ...(link !== null && { link }),
    ...(refresh !== null && { refresh }),
  }
}

/**
 * The token and a pad that differs each time, so that the size of the compressed document says nothing of it (BREACH):
 * its bytes in hexadecimal are the pad and the token with the pad over it.
 */
function veil(token: string): string {
  const bytes = Buffer.from(token)
  const pad = randomBytes(bytes.length)
  return Buffer.concat([pad, bytes.map((byte, index) => byte ^ (pad[index] ?? 0))]).toString('hex')
}
