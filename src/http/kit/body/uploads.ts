// Files of one request: written while they arrive, removed when it ends.
import { randomUUID } from 'node:crypto'
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { badRequest, tooLarge } from '#lib/errors.ts'
import { newSecret } from '#lib/secrets.ts'
import { asUpload, type UploadedFile } from '../params/params.ts'

/** So many files may be in one request. */
export const maxFiles = 5
/** So many files of one request may be as large as one may be. */
export const maxFullFiles = 2

export interface Uploads {
  /** Makes the folder. Before any `newPath`. */
  prepare(): Promise<void>
  /** A new place for a file, which `dispose` removes. */
  newPath(): string
  /** Begins a file that the body carries as text. Throws `bad_request` when there are too many. */
  begin(contentType: string): Promise<Written>
  /** What stands for a file in the text: the file, else the text. */
  resolve<T>(value: T): T | UploadedFile
  /** Whether any text may stand for a file. */
  readonly any: boolean
  dispose(): Promise<void>
}

/** A file being written. */
export interface Written {
  /** Throws `too_large`. */
  write(bytes: Uint8Array): Promise<void>
  /** Returns the text that stands for the file: nobody outside can know it before, so nobody can forge it. */
  finish(): Promise<string>
  close(): Promise<void>
}

export function createUploads({ directory, file: maxBytes }: { directory: string; file: number }): Uploads {
  const paths: string[] = []
  const files = new Map<unknown, UploadedFile>()
  let total = 0
  let begun = 0

  const prepare = async () => void (await mkdir(directory, { recursive: true, mode: 0o700 }))

  function newPath(): string {
    const made = path.join(directory, randomUUID())
    // Before it is opened, so that it is removed whatever happens.
    paths.push(made)
    return made
  }

  function createWritten(target: string, handle: FileHandle, contentType: string): Written {
    let size = 0
    let isOpen = true
    const close = async () => {
      if (isOpen) await handle.close()
      isOpen = false
    }
    return {
      async write(bytes) {
        size += bytes.length
        total += bytes.length
        if (size > maxBytes || total > maxFullFiles * maxBytes) throw tooLarge('file_too_large')
        await handle.appendFile(bytes)
      },
      async finish() {
        await close()
        const token = newSecret()
        files.set(token, asUpload({ kind: 'file', path: target, size, filename: '', contentType }))
        return token
      },
      close,
    }
  }

  return {
    prepare,
    newPath,
    async begin(contentType) {
      if (++begun > maxFiles) throw badRequest('too_many_parts')
      await prepare()
      const target = newPath()
      return createWritten(target, await open(target, 'wx', 0o600), contentType)
    },
    resolve: (value) => files.get(value) ?? value,
    get any() {
      return files.size > 0
    },
    async dispose() {
      await Promise.all(paths.map((file) => rm(file, { force: true })))
    },
  }
}
