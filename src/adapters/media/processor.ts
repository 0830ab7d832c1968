// Uploads: told by their bytes, checked against the limits, made into what is shown.
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isAppError } from '#lib/errors.ts'
import type { MediaFacts, MediaKind } from '#lib/media.ts'
import type { MediaFile, MediaPreview, MediaProcessor } from '#ports/media-processor.ts'
import type { Ffmpeg } from './ffmpeg/ffmpeg.ts'
import { videoFacts, audioFacts } from './facts.ts'
import { firstFrame, makeVideo } from './video.ts'
import type { ImageHeader } from './images/image-tasks.ts'
import type { ImageWorkers } from './images/image-workers.ts'
import { makeImage, makePreview } from './attachment-images.ts'
import { probe, type Probe } from './ffmpeg/probe.ts'
import * as rules from './rules.ts'
import { sniffFile, type Container, type Sniffed, type SniffedType } from './kit/sniff.ts'
import { extractCover, makeAudio } from './audio.ts'
import { inWorkspace } from './workspace.ts'
import { wrongType } from './kit/wrong-type.ts'

interface Parts {
  limits: rules.MediaLimits
  workers: ImageWorkers
  /** Null where it is not installed: then pictures are all that is taken. */
  ffmpeg: Ffmpeg | null
}

type Identified =
  | { kind: 'image' | 'gifv'; family: 'picture'; type: SniffedType; header: ImageHeader }
  | { kind: 'gifv' | 'video' | 'audio'; family: 'container'; type: Container; probed: Probe }

interface Made {
  kind: MediaKind
  original: MediaFile
  facts: MediaFacts
}

/** How long it may take to say its version, in milliseconds. */
const patience = 5_000

/** Asks once; while it is too busy to answer there is none. */
function askVersion(ffmpeg: Ffmpeg | null): () => Promise<string | null> {
  let known: string | null = null
  return async () => {
    if (!ffmpeg || known !== null) return known
    const run = { program: 'ffmpeg', args: ['-version'], folder: tmpdir(), deadline: patience } as const
    const said = await ffmpeg.run(run).catch(() => '')
    known = /^ffmpeg version (\S+)/.exec(said)?.[1] ?? null
    return known
  }
}

export function createMediaProcessor(parts: Parts): MediaProcessor {
  return {
    supportedTypes: async () => rules.supportedTypes({ hasFfmpeg: parts.ffmpeg !== null }),
    async identify(file) {
      const found = await identify(parts, path.resolve(file))
      return { kind: found.kind, facts: factsOf(found) }
    },
    async process(file, { directory, thumbnail }) {
      const source = path.resolve(file)
      const found = await identify(parts, source)
      return inWorkspace(directory, async (folder) => {
        const made = await makeOriginal(parts, found, { path: source, folder })
        const preview = await (thumbnail === undefined
          ? ownPreview(parts, found, { path: source, folder, made })
          : chosenPreview(parts, path.resolve(thumbnail), folder))
        return { result: { ...made, preview }, files: [made.original, preview && preview.file] }
      })
    },
    async preview(file, directory) {
      return inWorkspace(directory, async (folder) => {
        const preview = await chosenPreview(parts, path.resolve(file), folder)
        return { result: preview, files: [preview.file] }
      })
    },
    ffmpegVersion: askVersion(parts.ffmpeg),
  }
}

async function identify(parts: Parts, file: string): Promise<Identified> {
  const sniffed = await sniffFile(file)
  if (!sniffed) throw wrongType()
  return sniffed.family === 'picture'
    ? identifyImage(parts, file, sniffed)
    : identifyContainer(parts, file, sniffed)
}

async function identifyImage(parts: Parts, file: string, sniffed: Sniffed & { family: 'picture' }) {
  const { limits, workers, ffmpeg } = parts
  rules.assertBytes(sniffed.bytes, limits.imageBytes)
  const header = await workers.run('inspect', { path: file })
  rules.assertImage(header, limits)
  const isAnimation = sniffed.type === 'gif' && header.frames > 1
  if (isAnimation) rules.assertAnimation(header, limits)
  const kind = isAnimation && ffmpeg ? 'gifv' : 'image'
  return { kind, family: 'picture', type: sniffed.type, header } as const
}

async function identifyContainer(parts: Parts, file: string, sniffed: Sniffed & { family: 'container' }) {
  const { limits, ffmpeg } = parts
  if (!ffmpeg) throw wrongType('there is no ffmpeg')
  rules.assertBytes(sniffed.bytes, limits.videoBytes)
  const probed = await probe(ffmpeg, { path: file, format: sniffed.type, folder: path.dirname(file) })
  const kind = rules.kindOf(probed, sniffed.type)
  if (kind !== 'audio') rules.assertVideo(probed, limits)
  return { kind, family: 'container', type: sniffed.type, probed } as const
}

/** What headers tell, before anything is made of the file. */
function factsOf(found: Identified): MediaFacts {
  if (found.family === 'picture') return { width: found.header.width, height: found.header.height }
  return found.kind === 'audio' ? audioFacts(found.probed) : videoFacts(found.probed)
}

interface Place {
  path: string
  folder: string
}

async function makeOriginal(parts: Parts, found: Identified, place: Place): Promise<Made> {
  const { limits, workers } = parts
  const { kind } = found
  if (found.family === 'picture' && kind === 'image') {
    const { file, facts } = await makeImage(workers, { ...place, ...found }, limits)
    return { kind, original: file, facts }
  }
  const ffmpeg = parts.ffmpeg!
  const source =
    found.family === 'picture'
      ? { ...place, format: 'gif' as const, probed: await probe(ffmpeg, { ...place, format: 'gif' }) }
      : { ...place, format: found.type, probed: found.probed }
  const make = kind === 'audio' ? makeAudio : makeVideo
  const { file, facts } = await make(ffmpeg, source, limits)
  return { kind, original: file, facts }
}

/** From the finished file, of which nothing unexpected is left; from the uploaded one for a sound's cover. */
async function ownPreview(
  parts: Parts,
  found: Identified,
  { folder, made, path: source }: Place & { made: Made },
): Promise<MediaPreview | null> {
  const { limits, workers, ffmpeg } = parts
  if (made.kind === 'image' && found.family === 'picture') {
    return makePreview(workers, { path: made.original.path, type: found.type, folder }, limits)
  }
  if (found.kind === 'audio' && found.family === 'container') {
    const cover = await extractCover(ffmpeg!, {
      path: source,
      folder,
      format: found.type,
      probed: found.probed,
    })
    return cover === null ? null : chosenPreview(parts, cover, folder).catch(noneWhenInvalid)
  }
  const frame = await firstFrame(ffmpeg!, { path: made.original.path, folder, format: 'mov' })
  return makePreview(workers, { path: frame, type: 'jpeg', folder }, limits)
}

/** A cover that nobody can read is no reason to refuse the sound. */
function noneWhenInvalid(error: unknown): null {
  if (isAppError(error, 'invalid')) return null
  throw error
}

async function chosenPreview(parts: Parts, file: string, folder: string): Promise<MediaPreview> {
  const { limits, workers } = parts
  const sniffed = await sniffFile(file)
  if (sniffed?.family !== 'picture') throw wrongType()
  const { type } = await identifyImage(parts, file, sniffed)
  return makePreview(workers, { path: file, type, folder, withColors: true }, limits)
}
