// Where people are sent after they signed in to an application, or confirmed their address.

/** Shows the code to the person instead of a redirect (from a draft of OAuth for installed applications). */
export const outOfBand = 'urn:ietf:wg:oauth:2.0:oob'

/** Characters of a redirect URI at most. */
export const maxRedirectLength = 2000
/**
 * Schemes that run or show what the address itself holds in the name of this server, read files of whoever follows
 * them, or lead to no application. Those of applications of their own are as many as there are applications.
 */
const forbidden = new Set(
  `about: blob: chrome: data: file: filesystem: ftp: jar: javascript: mailto: resource: vbscript: view-source: ws:
  wss:`.split(/\s+/),
)

/** Why a redirect URI is refused, as the message catalogues call it. */
export type RedirectProblem = 'too_long' | 'must_be_absolute_uri' | 'has_fragment' | 'forbidden_uri'

/** What is wrong with a redirect URI (RFC 6749 section 3.1.2), or null. */
export function redirectProblem(uri: string): RedirectProblem | null {
  if (uri === outOfBand) return null
  if (uri.length > maxRedirectLength) return 'too_long'
  if (!isAbsoluteUri(uri)) return 'must_be_absolute_uri'
  if (uri.includes('#')) return 'has_fragment'
  return forbidden.has(new URL(uri).protocol) ? 'forbidden_uri' : null
}

/** Whether a text is a whole address of any scheme, without control characters. */
export function isAbsoluteUri(uri: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(uri) && !/\p{Cc}/u.test(uri) && URL.canParse(uri)
}
