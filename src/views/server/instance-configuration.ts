import type { Config, Ctx } from '#ports/ctx.ts'
import type { FeedAccess, Settings } from '#domain/server/instance/settings.ts'
import { maxReactions } from '#domain/content/statuses/interactions/reactions.ts'
import { accessOf, type FeedKind } from '#domain/reading/timelines/feed-access.ts'

/** The limits that clients read, the same in both versions of the instance document. */
export async function viewLimits({ config: { limits }, media }: Ctx, settings: Settings) {
  return {
    accounts: {
      max_display_name_length: limits.displayNameCharacters,
      max_note_length: limits.bioCharacters,
      max_avatar_description_length: limits.mediaDescriptionCharacters,
      max_header_description_length: limits.mediaDescriptionCharacters,
      max_featured_tags: limits.featuredTags,
      max_pinned_statuses: limits.pinnedStatuses,
      max_profile_fields: limits.profileFields,
      profile_field_name_limit: limits.profileFieldCharacters,
      profile_field_value_limit: limits.profileFieldCharacters,
    },
    statuses: {
      max_characters: limits.statusCharacters,
      max_media_attachments: limits.mediaAttachments,
      characters_reserved_per_url: limits.urlCharacters,
      ...renderExtensions(settings),
    },
    reactions: { max_reactions: settings.emoji_reactions ? maxReactions : 0 },
    media_attachments: {
      description_limit: limits.mediaDescriptionCharacters,
      image_matrix_limit: limits.imagePixels,
      image_size_limit: limits.imageBytes,
      supported_mime_types: await media.supportedTypes(),
      video_frame_rate_limit: limits.videoFramesPerSecond,
      video_matrix_limit: limits.videoPixels,
      video_size_limit: limits.videoBytes,
    },
    polls: {
      max_options: limits.pollOptions,
      max_characters_per_option: limits.pollOptionCharacters,
      min_expiration: limits.pollMinSeconds,
      max_expiration: limits.pollMaxSeconds,
    },
  }
}

/** What of a status is not Mastodon's. Clients of other servers look for the same keys. */
function renderExtensions(settings: Settings) {
  return {
    supported_mime_types: ['text/plain', ...(settings.markdown_statuses ? ['text/markdown'] : [])],
    local_only: settings.local_only_statuses,
  }
}

/** Who may read which public feed. What is closed to strangers as a whole is never `public`. */
export function renderTimelinesAccess(config: Config, settings: Settings) {
  const isClosed = config.disallowUnauthenticatedApi || config.limitedFederation
  const isHidden = isClosed || !config.timelinePreview
  const say = (access: FeedAccess) => (access === 'public' && isHidden ? 'authenticated' : access)
  const both = (kind: FeedKind) => {
    const { local, remote } = accessOf(settings, kind)
    return { local: say(local), remote: say(remote) }
  }
  return { live_feeds: both('live'), hashtag_feeds: both('topic'), trending_link_feeds: both('topic') }
}
