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

/** A page of this server that is on the way, with where the way leads to and the language that was asked for. */
export function withReturn(call: PageCall, path: string): string {
  const query = new URLSearchParams()
  if (returnPath(call) !== '/') query.set(returnToName, returnPath(call))
  const lang = textParam(call.params, 'lang')
  if (lang !== '') query.set('lang', lang)
  return query.size === 0 ? path : `${path}?${query}`
}

/** The same for a form. */
export function returnFields(call: PageCall): Record<string, string | undefined> {
  const path = returnPath(call)
  return {
    [returnToName]: path === '/' ? undefined : path,
    lang: textParam(call.params, 'lang') || undefined,
  }
}

/** Signing in may lead on to an application that was allowed before, and its address is not known here. */
export const signInTargets = (path: string) => (path.startsWith('/oauth/authorize') ? 'anywhere' : [])
