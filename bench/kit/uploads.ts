// Pictures and films that people upload.
import sharp from 'sharp'
import { generator } from './random.ts'
import { token } from './seed.ts'
import type { BenchServer } from './server.ts'

export const [width, height] = [4000, 3000]

/** As large as a photograph: soft shapes under fine noise. */
export async function makePhotograph(): Promise<Buffer> {
  const random = generator(17)
  const pixels = Buffer.alloc(width * height * 3)
  for (let at = 0; at < pixels.length; at += 3) {
    const [x, y] = [(at / 3) % width, Math.floor(at / 3 / width)]
    const light = 128 + 90 * Math.sin(x / 310) * Math.cos(y / 230) + random() * 18
    pixels[at] = light
    pixels[at + 1] = light * 0.9
    pixels[at + 2] = light * 0.7 + 20
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer()
}

export interface Upload {
  bytes: Buffer
  type: 'image/jpeg' | 'video/webm'
}

/** Has the first of the people upload it. Returns milliseconds until it is ready; throws where it is refused. */
export async function upload(server: BenchServer, { bytes, type }: Upload): Promise<number> {
  const begun = performance.now()
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)], { type }), `upload.${type.split('/')[1]}`)
  const headers = { authorization: `Bearer ${token(0)}` }
  const answer = await fetch(`${server.base}/api/v2/media`, { method: 'POST', headers, body: form })
  const { id } = (await answer.json()) as { id: string }
  for (let { status } = answer; status !== 200;) {
    if (status !== 202 && status !== 206) throw new Error(`the upload was answered with ${status}`)
    // A twentieth of the time: asking costs the server something.
    await new Promise((resolve) => setTimeout(resolve, Math.max(10, (performance.now() - begun) / 20)))
    status = (await fetch(`${server.base}/api/v1/media/${id}`, { headers })).status
  }
  return performance.now() - begun
}
