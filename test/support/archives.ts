// Archives made in memory: those that people bring along, and those of attackers.
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { pack, type Headers } from 'tar-stream'
import { openPromise } from 'yauzl'
import { ZipFile } from 'yazl'

export type Entries = Record<string, string | Buffer>

export async function makeZip(entries: Entries): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(entries)) zip.addBuffer(Buffer.from(content as string), name)
  zip.end()
  return buffer(zip.outputStream)
}

/** `more`: entries that are no plain files. */
export async function makeTarGz(
  entries: Entries,
  more: (Headers & { body?: string })[] = [],
): Promise<Buffer> {
  const archive = pack()
  for (const { body, ...header } of more) archive.entry(header, body ?? '')
  for (const [name, content] of Object.entries(entries))
    archive.entry({ name }, Buffer.from(content as string))
  archive.finalize()
  return gzipSync(await buffer(archive))
}

/** The files of a .zip on disk, by name, in its order. */
export async function readZip(path: string): Promise<Map<string, Buffer>> {
  const zip = await openPromise(path, { autoClose: false })
  const files = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry()) {
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  }
  zip.close()
  return files
}
