// Archives made in memory: those that people bring along, and those of attackers.
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { pack, type Header } from 'tar-stream'
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
  more: (Partial<Header> & { name: string; body?: string })[] = [],
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

const home = 'https://old.example'
const me = `${home}/users/ann`
const everybody = 'https://www.w3.org/ns/activitystreams#Public'
const audiences = {
  public: { to: [everybody], cc: [`${me}/followers`] },
  unlisted: { to: [`${me}/followers`], cc: [everybody] },
  private: { to: [`${me}/followers`], cc: [] as string[] },
  direct: { to: [] as string[], cc: [] as string[] },
}

/** A post of ann@old.example as Mastodon writes it into an archive. `more` replaces properties of the note. */
export function archivedPost(
  id: string,
  published: string,
  html: string,
  more: Record<string, unknown> & { visibility?: keyof typeof audiences } = {},
): Record<string, unknown> {
  const { visibility = 'public', ...properties } = more
  const note = {
    id: `${me}/statuses/${id}`,
    type: 'Note',
    summary: null,
    inReplyTo: null,
    published,
    url: `${home}/@ann/${id}`,
    attributedTo: me,
    ...audiences[visibility],
    sensitive: false,
    atomUri: `${me}/statuses/${id}`,
    inReplyToAtomUri: null,
    conversation: `tag:old.example,2020-01-01:objectId=${id}:objectType=Conversation`,
    content: html,
    contentMap: { en: html },
    attachment: [],
    tag: [],
    replies: { id: `${me}/statuses/${id}/replies`, type: 'Collection' },
    ...properties,
  }
  return {
    id: `${note.id}/activity`,
    type: 'Create',
    actor: me,
    published,
    to: note.to,
    cc: note.cc,
    object: note,
    signature: {
      type: 'RsaSignature2017',
      creator: `${me}#main-key`,
      created: published,
      signatureValue: 'c2ln',
    },
  }
}

/** A boost by ann@old.example. */
export const archivedBoost = (id: string, published: string, object: string) => ({
  id: `${me}/statuses/${id}/activity`,
  type: 'Announce',
  actor: me,
  published,
  to: [everybody],
  cc: [`${home}/users/other`, `${me}/followers`],
  object,
})

/** The address of one of her posts. */
export const archivedUri = (id: string) => `${me}/statuses/${id}`

export const outboxOf = (items: readonly unknown[]) =>
  JSON.stringify({
    '@context': ['https://www.w3.org/ns/activitystreams', { ostatus: 'http://ostatus.org#' }],
    id: 'outbox.json',
    type: 'OrderedCollection',
    totalItems: items.length,
    orderedItems: items,
  })
