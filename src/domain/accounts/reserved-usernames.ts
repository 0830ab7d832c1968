/** Names that would let somebody pass for the people who run the server. */
const reserved = new Set(
  `abuse account accounts admin administration administrator administrators admins help helpdesk hostmaster instance
  mod moderation moderator moderators mods noreply owner owners postmaster root security server staff stonechat support
  sysadmin system webmaster`.split(/\s+/),
)

const lookAlikes: Record<string, string> = {
  0: 'o',
  1: 'i',
  2: 'z',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  8: 'b',
  9: 'g',
}

/** Whether nobody may choose this name, however it is written: case, digits for letters, `_` anywhere. */
export function isReservedUsername(username: string): boolean {
  const plain = username.toLowerCase().replaceAll('_', '')
  const folded = plain.replace(/\d/g, (digit) => lookAlikes[digit] ?? digit)
  const withL = plain.replaceAll('1', 'l').replace(/\d/g, (digit) => lookAlikes[digit] ?? digit)
  return reserved.has(plain) || reserved.has(folded) || reserved.has(withL)
}
