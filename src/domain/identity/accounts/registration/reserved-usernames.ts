import { canBeRead } from '#domain/identity/sign-up-restrictions/username-forms.ts'

/** Names that would let somebody pass for the people who run the server. */
const reserved =
  `abuse account accounts admin administration administrator administrators admins help helpdesk hostmaster instance
  mod moderation moderator moderators mods noreply owner owners postmaster root security server staff stonechat support
  sysadmin system webmaster`.split(/\s+/)

/** Whether nobody may choose this name, however it is written: case, digits for letters, `_` anywhere. */
export function isReservedUsername(username: string): boolean {
  const plain = username.replaceAll('_', '')
  return reserved.some((word) => canBeRead(plain, word))
}
