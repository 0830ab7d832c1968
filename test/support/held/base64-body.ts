// Bodies with a long file in Base64 are read.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readBody } from '#http/kit/body/body.ts'
import type { Watch } from './held.ts'

export interface LongBody {
  contentType: string
  /** What stands around the file. */
  frame: [string, string]
  /** Of which the file consists; each is 48 kB. */
  pieces: number
}

/** Returns the parameters of each. */
export async function work({ bodies }: { bodies: LongBody[] }, watch: Watch): Promise<unknown[]> {
  const directory = await mkdtemp(path.join(tmpdir(), 'stonechat-uploads-'))
  for (const body of bodies) await read({ ...body, pieces: 1 }, directory, () => {})
  watch.begin()
  const found: unknown[] = []
  for (const body of bodies) found.push(await read(body, directory, watch.look))
  await rm(directory, { recursive: true, force: true })
  return found
}

async function read({ contentType, frame, pieces }: LongBody, directory: string, look: () => void) {
  const piece = Buffer.alloc(48 * 1024, 7).toString('base64')
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(frame[0])
    for (let i = 1; i <= pieces; i++) {
      yield Buffer.from(piece)
      if (i % 64 === 0) look()
    }
    yield Buffer.from(frame[1])
  }
  const request = new Request('http://chat.example/', {
    method: 'POST',
    headers: { 'content-type': contentType },
    body: ReadableStream.from(body()),
    duplex: 'half',
  } as RequestInit)
  const limits = { text: 1024 * 1024, file: 64 * 1024 * 1024, directory }
  const { params, dispose } = await readBody(request, limits)
  look()
  await dispose()
  return params
}
