// Addresses that staff enter for the server to send to or to fetch from later.
import type { Reader } from '#ports/ctx.ts'
import { isHostBlocked } from '#domain/server/instance/is-host-blocked.ts'
import { invalid } from '#lib/errors.ts'
import type { Field } from '#lib/messages/describe-error.ts'
import { checkOutgoingUrl } from '#lib/net/outgoing-url.ts'

const maxLength = 2000

/**
 * The address in its one spelling, if requests may go there by what shows before its name is resolved: the same as is
 * asked again at each request. `name` is that of the parameter. Throws `invalid`.
 */
export async function readEnteredAddress(reader: Reader, name: Field, text: string): Promise<URL> {
  const { url, problem } = checkOutgoingUrl(reader.config, text.trim())
  const refuse = (reason: string) => invalid(name, 'no_target', { reason })
  if (!url) throw refuse(problem)
  if (url.href.length > maxLength) throw refuse('too long')
  if (await isHostBlocked(reader, url.hostname)) throw refuse('blocked-host')
  return url
}
