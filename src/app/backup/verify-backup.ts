// `stonechat restore --verify`: reads a backup from end to end and touches nothing.
import { stat } from 'node:fs/promises'
import { readArchive } from './archive-reader.ts'
import type { Head, Keys, Manifest, ShowProgress } from './format.ts'
import { countRows, unpackRows } from './rows.ts'

export interface VerifiedBackup {
  head: Head
  keys: Keys
  manifest: Manifest
}

/** Checks sums, counts, and that every row can be read. Throws an Error of one line when something is wrong. */
export async function verifyBackup(file: string, progress: ShowProgress): Promise<VerifiedBackup> {
  const shown = progress('Bytes checked', await sizeOf(file))
  const found: { head?: Head; keys?: Keys } = {}
  const rows: Record<string, number> = {}
  const media = { files: 0, bytes: 0 }
  const damaged = (what: string) => new Error(`${file} is damaged: ${what}`)
  const manifest = await readArchive(file, {
    head(head) {
      found.head = head
      for (const table of head.tables) rows[table.name] = 0
    },
    keys: (keys) => void (found.keys = keys),
    async table(name, part) {
      const table = found.head?.tables.find((one) => one.name === name)
      const text = await unpackRows(part).catch(() => null)
      const count = table && text && countRows(text, table)
      if (typeof count !== 'number') throw damaged(`rows of ${name} cannot be read`)
      rows[name] = (rows[name] ?? 0) + count
    },
    async media(_key, _size, source) {
      for await (const piece of source) media.bytes += piece.length
      media.files++
    },
    progress: (bytes) => shown.advance(bytes),
  })
  shown.done()
  const { head, keys } = found
  if (!head || !keys) throw damaged('its keys are missing')
  const short = head.tables.find(({ name }) => rows[name] !== manifest.rows[name])
  if (short)
    throw damaged(`${short.name} has ${rows[short.name]} rows instead of ${manifest.rows[short.name]}`)
  if (media.files !== manifest.media.files || media.bytes !== manifest.media.bytes) {
    throw damaged(`it has ${media.files} files instead of ${manifest.media.files}`)
  }
  return { head, keys, manifest }
}

/** Zero when there is no file: reading it says so. */
const sizeOf = (file: string) =>
  stat(file).then(
    (found) => found.size,
    () => 0,
  )
