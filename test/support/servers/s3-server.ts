import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import aws4 from 'aws4'
import { runProcessSync, startProcess } from '#test/processes/processes.ts'

/** Debian's, for which its packages are. */
const python = '/usr/bin/python3'
const program = fileURLToPath(new URL('swift-server.py', import.meta.url))
// Swift keeps what it knows of an object in extended attributes of its file.
const probe = `
import os, sys, tempfile, eventlet, swift.proxy
with tempfile.TemporaryDirectory(dir=sys.argv[1]) as folder:
    os.setxattr(folder, 'user.probe', b'')
`
const hasSwift = runProcessSync(python, ['-c', probe, tmpdir()]).status === 0

/** Why tests that need an S3 store cannot run here; null when they can. Continuous integration must have it. */
export const s3Missing =
  hasSwift || process.env['CI'] === 'true'
    ? null
    : 'OpenStack Swift (python3-swift) is not installed, or there are no extended attributes in the temporary folder'

export interface S3Server {
  /** What an operator sets to use it. */
  env: Record<string, string>
  /** A signed request that is no part of the adapter, to a path such as `/bucket/key`. */
  request(method: string, target: string): Promise<Response>
  /** Ends it and removes its folder. */
  remove(): Promise<void>
}

const credentials = { accessKeyId: 'stonechat:media', secretAccessKey: 'a-secret-of-tests' }

/** Starts an OpenStack Swift of its own with an empty bucket. */
export async function startS3(): Promise<S3Server> {
  if (!hasSwift) throw new Error('OpenStack Swift (python3-swift) does not run here')
  const folder = await mkdtemp(path.join(tmpdir(), 'stonechat-s3-'))
  const { accessKeyId, secretAccessKey } = credentials
  const child = startProcess(python, [program, folder, accessKeyId, secretAccessKey], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const remove = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
    await rm(folder, { recursive: true, force: true })
  }
  let port = ''
  for await (const chunk of child.stdout) {
    port += String(chunk)
    if (port.endsWith('\n')) break
  }
  if (!/^\d+\n$/.test(port)) {
    await remove()
    throw new Error('OpenStack Swift did not start')
  }
  const endpoint = `http://127.0.0.1:${port.trim()}`
  const request = (method: string, target: string) => signedFetch(new URL(target, endpoint), method)
  const made = await request('PUT', '/media')
  if (!made.ok) {
    await remove()
    throw new Error(`Swift does not make a bucket: ${made.status} ${await made.text()}`)
  }
  return { env: environment(endpoint), request, remove }
}

function environment(endpoint: string): S3Server['env'] {
  return {
    S3_ENABLED: 'true',
    S3_BUCKET: 'media',
    S3_ENDPOINT: endpoint,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  }
}

function signedFetch(url: URL, method: string): Promise<Response> {
  const parts = { service: 's3', region: 'us-east-1', method, host: url.host, path: url.pathname } as const
  const { headers } = aws4.sign({ ...parts, headers: {} }, credentials)
  return fetch(url, { method, headers })
}
