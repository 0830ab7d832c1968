import type { Config } from '#ports/ctx.ts'

/** Types of files that may be uploaded, as the Mastodon API lists them. */
const mimeTypes = [
  ...['jpeg', 'png', 'gif', 'heic', 'heif', 'webp', 'avif'].map((type) => `image/${type}`),
  ...['webm', 'mp4', 'quicktime', 'ogg'].map((type) => `video/${type}`),
  ...[
    'wave',
    'wav',
    'x-wav',
    'x-pn-wave',
    'vnd.wave',
    'ogg',
    'vorbis',
    'mpeg',
    'mp3',
    'webm',
    'flac',
    'aac',
  ].map((type) => `audio/${type}`),
  ...['m4a', 'x-m4a', 'mp4', '3gpp'].map((type) => `audio/${type}`),
  'video/x-ms-asf',
]

/** The limits that clients read, the same in both versions of the instance document. */
export function renderLimits({ limits }: Config) {
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
    },
    media_attachments: {
      description_limit: limits.mediaDescriptionCharacters,
      image_matrix_limit: limits.imagePixels,
      image_size_limit: limits.imageBytes,
      supported_mime_types: mimeTypes,
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
