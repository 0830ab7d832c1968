import type { Preferences } from '#entities/account.ts'
import type { OwnProfile } from '#domain/identity/accounts/queries.ts'
import { preferencesOf } from '#domain/identity/accounts/preferences.ts'

/** Preferences (https://docs.joinmastodon.org/entities/Preferences/). */
export function renderPreferences(own: Pick<OwnProfile, 'settings' | 'locked'>): Preferences {
  const preferences = preferencesOf(own.settings, own.locked)
  return {
    'posting:default:visibility': preferences.privacy,
    'posting:default:sensitive': preferences.sensitive,
    'posting:default:language': preferences.language,
    'posting:default:quote_policy': preferences.quotePolicy,
    'posting:default:reply_policy': preferences.replyPolicy,
    'reading:expand:media': preferences.expandMedia,
    'reading:expand:spoilers': preferences.expandSpoilers,
    'reading:autoplay:gifs': preferences.autoplayGifs,
  }
}
