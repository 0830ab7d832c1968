export type ResizedType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif'

export interface ResizeOptions {
  /** Pixels of the result, see `fit`. */
  width: number
  height: number
  /**
   * `cover`: exactly `width` × `height`, cutting what does not fit around the middle. `inside`: the whole picture in
   * its own proportions, at most `width` × `height`, and never made larger.
   */
  fit: 'cover' | 'inside'
  /** Width × height that one frame of the input may have at most. */
  maxPixels: number
}

export interface ResizedImage {
  body: Buffer
  contentType: ResizedType
  animated: boolean
  /** A PNG of the first frame when `animated`, else null. */
  still: { body: Buffer; contentType: 'image/png' } | null
}

/** Pictures of people and emoji: small, bounded, free of metadata. */
export interface Images {
  /**
   * Makes a picture of the wanted size. The type is told by the bytes, never by a name; the pixels
   * are limited before anything is decoded; orientation is applied; all metadata (EXIF, XMP, GPS) is dropped.
   * An animation stays one unless its frames have more than `maxPixels` together: then the first one is taken.
   * Throws AppError `invalid` when it is no picture of a known type, is broken, or has too many pixels or frames, and
   * `unavailable` when too many others wait.
   */
  resizeImage(input: Buffer, options: ResizeOptions): Promise<ResizedImage>
}
