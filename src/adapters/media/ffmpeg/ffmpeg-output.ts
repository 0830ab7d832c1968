// What all conversions by ffmpeg have in common.
import type { Machine } from '#adapters/machine.ts'
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

/** With less memory the server, its database and a film that is converted as usual do not fit beside each other. */
const ample = 2 ** 30

/**
 * Returns how films are encoded. A film of 1920 × 1080 takes 280 MB; 180 where memory is short, without looking ahead,
 * which costs some quality for the same bytes.
 */
export const encodingFor = ({ memory, cores }: Machine): { threads: number } & Record<string, number> =>
  memory < ample ? { threads: 1, 'rc-lookahead': 0 } : { threads: Math.min(2, cores) }
