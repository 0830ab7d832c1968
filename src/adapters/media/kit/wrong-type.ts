import { AppError } from '#lib/errors.ts'

/** For a file of a type that is not taken, in the words of Mastodon. */
export const wrongType = (cause?: string): AppError =>
  new AppError('invalid', 'Validation failed: File content type is invalid, File is invalid', { cause })
