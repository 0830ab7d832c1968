import type { PageCall } from './page.ts'
import { textParam } from './form.ts'

/** The hidden field and query parameter with the page to go to after signing in. */
export const returnToName = 'return_to'

/** A path on this server, from a parameter that anyone can write: `/` when it leads elsewhere. */
export function localPath(text: string): string {
  const base = 'http://server.invalid'
  if (!text.startsWith('/') || !URL.canParse(text, base)) return '/'
  const url = new URL(text, base)
  // `//host` and `/\host` parse as another origin; what is left is spelled by the parser, not by the caller.
  return url.origin === base && !url.pathname.startsWith('//') ? url.pathname + url.search : '/'
}

/** Where the person wanted to go, as a path on this server. */
export function returnPath(call: PageCall): string {
  return localPath(textParam(call.params, returnToName))
}

/** The sign-in page that leads to this path afterwards. */
export function signInPath(path: string): string {
  return `/auth/sign_in?${new URLSearchParams({ [returnToName]: path })}`
}
