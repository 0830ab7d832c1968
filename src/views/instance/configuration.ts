import type { Config, Ctx } from '#ports/ctx.ts'
import type { Settings } from '#domain/instance/settings.ts'
import { mostReactions } from '#domain/statuses/reactions.ts'

/** The limits that clients read, the same in both versions of the instance document. */
export function renderLimits({ config: { limits }, media }: Ctx, settings: Settings) {
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
    reactions: { max_reactions: settings.emoji_reactions ? mostReactions : 0 },
    media_attachments: {
      description_limit: limits.mediaDescriptionCharacters,
      image_matrix_limit: limits.imagePixels,
      image_size_limit: limits.imageBytes,
      supported_mime_types: media.supportedTypes,
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

/** Who may read which public feed. */
export function renderTimelinesAccess(config: Config) {
  const closed = config.disallowUnauthenticatedApi || config.limitedFederation
  const both = (access: string) => ({ local: access, remote: access })
  return {
    live_feeds: both(config.timelinePreview && !closed ? 'public' : 'authenticated'),
    hashtag_feeds: both(config.timelinePreview && !closed ? 'public' : 'authenticated'),
    trending_link_feeds: both(closed ? 'authenticated' : 'public'),
  }
}
