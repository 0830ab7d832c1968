// Who is signed in, and the server, as the first answers say.
import type { CredentialAccount, Preferences } from '#entities/account.ts'
import type { Instance } from '#entities/instance/instance.ts'
import { computed } from '@preact/signals'
import { wantsLessMotion } from '../core/motion.ts'
import { isSignedIn } from '../core/start.ts'
import { invalidate, load, queryState } from './query.ts'

const paths = {
  instance: '/api/v2/instance',
  account: '/api/v1/accounts/verify_credentials',
  preferences: '/api/v1/preferences',
} as const

export const instance = queryState<Instance>(paths.instance)
export const account = queryState<CredentialAccount>(paths.account)
export const preferences = queryState<Preferences>(paths.preferences)

/** Whether what is animated moves by itself: where somebody wishes it, and nothing of theirs asks for less motion. */
export const movesByItself = (): boolean =>
  (preferences.value.data?.['reading:autoplay:gifs'] ?? false) && !wantsLessMotion()

/** What is no work of staff: inviting, feeds, letting in without approval (permission flags of Mastodon's Role). */
const ofEverybody = 0x10000n | 0x100000n | 0x200000n

/** `administrator` and `manage_users`. */
const ofModerators = 0x1n | 0x400n

const permissions = computed(() => BigInt(account.value.data?.role?.permissions ?? 0))

/** Whether there is anything on the staff's desk for them. */
export const isStaff = computed(() => (permissions.value & ~ofEverybody) !== 0n)

/** Whether they see accounts on the staff's desk. */
export const isModerator = computed(() => (permissions.value & ofModerators) !== 0n)

/** Reads what came with the document: at once, unless there is no network. */
export async function loadSession(): Promise<void> {
  await Promise.all(Object.values(paths).map(load))
}

/** Hears from now on what was changed in another window or on another device: when this one is seen again. */
export function followSession(): void {
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || !isSignedIn()) return
    invalidate(paths.account)
    invalidate(paths.preferences)
  })
}
