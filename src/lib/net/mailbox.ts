// One e-mail address as people have them, which is far less than the grammar of mail allows.

const maxLocalLength = 64
const maxHostLength = 253
/**
 * RFC 5321 section 4.1.2 and RFC 6531, without quoted local parts, and without what relays and shells take for more than
 * a letter: `%` and `!` name a further host to send on to.
 */
const localPart = /^[\p{L}\p{N}#$&'*+/=?^_{}~-]+(?:\.[\p{L}\p{N}#$&'*+/=?^_{}~-]+)*$/u
const label = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u

/**
 * Whether a text is `name@host` and nothing more: no quotes, commas, comments, spaces, routes or address literals, so
 * nothing that could split a header or an envelope.
 */
export function isMailbox(text: string): boolean {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  const host = text.slice(at + 1)
  if (at < 1 || local.length > maxLocalLength || host.length > maxHostLength) return false
  return localPart.test(local) && host.split('.').every((one) => label.test(one))
}

/** Whether a text is such an address, or one after a name: `Name <name@host>`, the name in quotes if it has commas. */
export function isNamedMailbox(text: string): boolean {
  const named = /^(?:"[^"\\\p{Cc}<>]*"|[^"\\\p{Cc}<>,;:@()]*)\s*<([^<>]+)>$/u.exec(text)
  return isMailbox(named?.[1] ?? text)
}

/** Whether somebody may have signed up with this address, also by an earlier and wider rule. */
export function mayBeMailbox(text: string): boolean {
  return text.length <= 320 && /^[^\s\p{C}"(),:;<>\\]+@[^\s\p{C}"(),:;<>\\]+$/u.test(text)
}
