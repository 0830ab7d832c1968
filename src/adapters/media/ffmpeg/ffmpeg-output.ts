// What all conversions by ffmpeg have in common.
import { optionsOf } from './ffmpeg-options.ts'
import type { InputFormat } from './ffmpeg-input.ts'

export interface Source {
  path: string
  format: InputFormat
  /** Where files are made. */
  folder: string
}

/** Seconds of processor time, so that a conversion that lost its server ends by itself. */
export const processorTime = optionsOf({ nostdin: true, timelimit: 1200 })

/** Nothing but pictures and sound is taken along: no titles, places, devices, chapters, subtitles, data, files. */
export const withoutMetadata = optionsOf({
  map_metadata: -1,
  'map_metadata:s': -1,
  map_chapters: -1,
  fflags: '+bitexact',
  flags: '+bitexact',
  sn: true,
  dn: true,
})
