// Where people are sent after they signed in to an application, or confirmed their address.

/** Shows the code to the person instead of a redirect (from a draft of OAuth for installed applications). */
export const outOfBand = 'urn:ietf:wg:oauth:2.0:oob'

const longest = 2000
/**
 * Schemes that run or show what the address itself holds in the name of this server, read files of whoever follows
 * them, or lead to no application. Those of applications of their own are as many as there are applications.
 */
const forbidden = new Set(
  `about: blob: chrome: data: file: filesystem: ftp: jar: javascript: mailto: resource: vbscript: view-source: ws:
  wss:`.split(/\s+/),
)

/** What is wrong with a redirect URI (RFC 6749 section 3.1.2), as Mastodon says it, or null. */
export function redirectProblem(uri: string): string | null {
  if (uri === outOfBand) return null
  if (uri.length > longest) return `Redirect URI is too long (maximum is ${longest} characters)`
  if (!isAbsoluteUri(uri)) return 'Redirect URI must be an absolute URI.'
  if (uri.includes('#')) return 'Redirect URI cannot contain a fragment.'
  return forbidden.has(new URL(uri).protocol) ? 'Redirect URI is forbidden by the server.' : null
}

/** Whether a text is a whole address of any scheme, without control characters. */
export function isAbsoluteUri(uri: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(uri) && !/\p{Cc}/u.test(uri) && URL.canParse(uri)
}
