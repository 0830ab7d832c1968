// What the operating system refuses, in words that name the file and what to do.

const atFile: Readonly<Record<string, (file: string) => string>> = {
  ENOENT: (file) => `There is no ${file}: see that the name is right`,
  EACCES: (file) =>
    `This user may not get at ${file}: change its owner or its rights, or run this as its owner`,
  EPERM: (file) =>
    `This user may not change ${file}: change its owner or its rights, or run this as its owner`,
  EISDIR: (file) => `${file} is a folder: give the name of a file`,
  ENOTDIR: (file) => `${file} is no folder, or is below what is none: see that the name is right`,
  ENOTEMPTY: (file) => `${file} is not empty: give another name`,
  EEXIST: (file) => `${file} is there already: give another name`,
  EROFS: (file) => `${file} is where nothing can be written: give another place`,
  ENAMETOOLONG: (file) => `The name ${file} is too long: give another one`,
  ELOOP: (file) => `${file} is a link that leads to itself: give the file itself`,
  EBUSY: (file) => `${file} is in use: try again later`,
}

/** These come without a name now and then, as when a file that is open cannot grow. */
const anywhere: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full: make room, or give another place',
  EDQUOT: 'This user may not store any more: make room, or give another place',
  EFBIG: 'The file would be larger than is allowed here: give another place',
  EIO: 'The disk does not read or write as it should: look into the log of the system',
  EMFILE: 'Too many files are open: raise the limit (ulimit -n)',
  ENFILE: 'Too many files are open on this machine: try again later',
  EPIPE: 'Who was to read this has gone before all of it was written',
  EISDIR: 'A folder cannot be read as a file: give the name of a file',
}

const connecting: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'there is no way there',
  ENETUNREACH: 'there is no way there',
  ENOTFOUND: 'there is no such name',
  EAI_AGAIN: 'names cannot be looked up just now',
}

/** One line for an error of the operating system; null for any other one. */
export function describeSystemError(error: Error): string | null {
  // Both addresses of one name were tried.
  const first = error instanceof AggregateError ? (error.errors[0] as Error) : error
  const { code = '', path: file, dest, address, port, syscall } = first as SystemError
  const { hostname } = first as SystemError
  const reason = connecting[code]
  if (reason !== undefined && (syscall === 'connect' || hostname !== undefined)) {
    const where = hostname ?? [address, port].filter(Boolean).join(':')
    return `${where} cannot be reached: ${reason}. See that the service runs and that its address in the environment is right`
  }
  if (syscall === 'uv_cwd') return 'The folder this was started in is gone: change into another one'
  const general = anywhere[code]
  const named = file === undefined ? undefined : atFile[code]
  if (named !== undefined) return named(code === 'EEXIST' ? (dest ?? file ?? '') : (file ?? ''))
  if (general === undefined) return null
  return file === undefined ? general : `${general} (${file})`
}

interface SystemError extends NodeJS.ErrnoException {
  dest?: string
  address?: string
  port?: number
  hostname?: string
}
