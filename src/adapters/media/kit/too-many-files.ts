import { unavailable } from '#lib/errors.ts'

/** What is thrown when more files wait for a program than will be processed in time. */
export const tooManyFiles = () => unavailable('too_many_files_processing')
