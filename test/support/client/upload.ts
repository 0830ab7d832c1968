// Uploads as apps send them, and what is in the store afterwards.
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Ctx } from '#ports/ctx.ts'

export function uploadForm(bytes: Buffer, fields: Record<string, string | Buffer> = {}): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries({ file: bytes, ...fields })) {
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, new Blob([new Uint8Array(value)]), name)
  }
  return form
}

/** Paths of all files in a folder and below, in order; none when it is not there. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .toSorted()
}

/** Keys of all stored files. */
export const storedKeys = (ctx: Ctx) => filesBelow(path.join(ctx.config.dataDir, 'media'))

export const keyOfUrl = (url: string) => new URL(url).pathname.replace(/^\/media\//, '')
