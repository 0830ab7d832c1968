import { AppError, problem } from '#lib/errors.ts'

/** For a file of a type that is not taken, in the words of Mastodon. */
export const wrongType = (cause?: string): AppError =>
  new AppError(
    'invalid',
    { problems: [problem('file', 'wrong_content_type'), problem('file', 'invalid')] },
    { cause },
  )
