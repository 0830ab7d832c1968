// What the server asks of the process that reads pictures. Types only: the server must not load the image library.
import type { MediaColors } from '#lib/media.ts'
import type { Reason } from '#lib/messages/describe-error.ts'
import type { ResizedImage, ResizeOptions } from '#ports/images.ts'
import type { SniffedType } from '../kit/sniff.ts'

export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif'

export interface ImageHeader {
  /** Pixels as it is to be shown, of one frame. */
  width: number
  height: number
  frames: number
  /** Whether the bytes are compressed in a way that can be read here: HEVC in HEIC cannot. */
  isReadable: boolean
}

export interface ConvertInput {
  path: string
  /** The file to write. */
  target: string
  format: ImageFormat
  /** Width × height that the input may have at most, as a bound for the decoder. */
  maxPixels: number
  /** Width × height that the result has at most. */
  pixels: number
  /** Keeps all frames of a GIF. */
  animated?: boolean
  /** Also looks for the colours of a preview. */
  withColors?: boolean
}

export interface ConvertedImage {
  bytes: number
  width: number
  height: number
}

export interface ConvertedPreview extends ConvertedImage {
  blurhash: string
  /** Null unless they were asked for. */
  colors: MediaColors | null
}

export interface ImageTasks {
  resizeImage: {
    input: { bytes: Buffer; type: SniffedType; options: ResizeOptions }
    output: ResizedImage
  }
  inspect: { input: { path: string }; output: ImageHeader }
  convert: { input: ConvertInput; output: ConvertedImage }
  preview: { input: ConvertInput; output: ConvertedPreview }
}

export type TaskName = keyof ImageTasks

export interface TaskRequest<K extends TaskName = TaskName> {
  name: K
  input: ImageTasks[K]['input']
}

/** `ready` comes once, when the process can take tasks. A `reason` is safe to show; a `cause` is for the log. */
export type TaskReply = 'ready' | { output: unknown } | { reason: Reason | null; cause: string }
