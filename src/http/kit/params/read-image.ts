// The picture that came with a request.
import { readFile } from 'node:fs/promises'
import { invalid } from '#lib/errors.ts'
import type { Field } from '#lib/messages/describe-error.ts'
import type { UploadedFile } from './params.ts'

/** Returns the bytes of an uploaded picture. Throws `invalid` for one of more than `maxBytes`. */
export async function readImage(
  name: Field,
  given: UploadedFile | undefined,
  maxBytes: number,
): Promise<Buffer | undefined> {
  if (given === undefined) return undefined
  if (given.size > maxBytes)
    throw invalid(name, 'too_many_megabytes', { megabytes: Math.floor(maxBytes / 2 ** 20) })
  return readFile(given.path)
}
