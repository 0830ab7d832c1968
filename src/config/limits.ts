import type { EnvReader } from '#config/env.ts'

/** Advertised in the instance document. Characters are what the API counts as such; bytes and pixels are totals. */
export interface Limits {
  statusCharacters: number
  /** What any link counts as. */
  urlCharacters: number
  mediaAttachments: number
  pinnedStatuses: number
  pollOptions: number
  pollOptionCharacters: number
  pollMinSeconds: number
  pollMaxSeconds: number
  imageBytes: number
  imagePixels: number
  videoBytes: number
  videoPixels: number
  videoFramesPerSecond: number
  videoFrames: number
  mediaDescriptionCharacters: number
  avatarBytes: number
  emojiBytes: number
  displayNameCharacters: number
  bioCharacters: number
  profileFields: number
  profileFieldCharacters: number
  featuredTags: number
}

const mebibyte = 1024 * 1024

/** Mastodon's values, of which the administrator may change some. */
export function readLimits(reader: EnvReader): Limits {
  return {
    statusCharacters: reader.integer('MAX_STATUS_CHARS', { min: 1, max: 100_000, fallback: 500 }),
    urlCharacters: 23,
    mediaAttachments: reader.integer('MAX_MEDIA_ATTACHMENTS', { min: 1, max: 64, fallback: 4 }),
    pinnedStatuses: 5,
    pollOptions: reader.integer('MAX_POLL_OPTIONS', { min: 2, max: 100, fallback: 4 }),
    pollOptionCharacters: reader.integer('MAX_POLL_OPTION_CHARS', { min: 1, max: 1000, fallback: 50 }),
    pollMinSeconds: 300,
    pollMaxSeconds: 2_629_746,
    imageBytes: reader.integer('MAX_IMAGE_BYTES', {
      min: 1024,
      max: 1024 * mebibyte,
      fallback: 16 * mebibyte,
    }),
    imagePixels: 7680 * 4320,
    videoBytes: reader.integer('MAX_VIDEO_BYTES', {
      min: 1024,
      max: 64 * 1024 * mebibyte,
      fallback: 99 * mebibyte,
    }),
    videoPixels: 3840 * 2160,
    videoFramesPerSecond: 120,
    videoFrames: 36_000,
    mediaDescriptionCharacters: 1500,
    avatarBytes: 8 * mebibyte,
    emojiBytes: 256 * 1024,
    displayNameCharacters: reader.integer('MAX_DISPLAY_NAME_CHARS', { min: 1, max: 2048, fallback: 30 }),
    bioCharacters: 500,
    profileFields: reader.integer('MAX_PROFILE_FIELDS', { min: 0, max: 50, fallback: 4 }),
    profileFieldCharacters: 255,
    featuredTags: 10,
  }
}
