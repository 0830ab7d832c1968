import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import aws4 from 'aws4'
import { runProcessSync, startProcess } from '#test/processes/processes.ts'

/** Debian's, for which its packages are. */
const python = '/usr/bin/python3'
const swift = fileURLToPath(new URL('swift-server.py', import.meta.url))
const s3rver = fileURLToPath(new URL('s3rver-program.ts', import.meta.url))
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

interface Credentials {
  accessKeyId: string
  secretAccessKey: string
}

const ofSwift: Credentials = { accessKeyId: 'stonechat:media', secretAccessKey: 'a-secret-of-tests' }
const ofS3rver: Credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

/** Starts an OpenStack Swift of its own with an empty bucket. */
export async function startS3(): Promise<S3Server> {
  if (!hasSwift) throw new Error('OpenStack Swift (python3-swift) does not run here')
  const { accessKeyId, secretAccessKey } = ofSwift
  return start(ofSwift, (folder) => [python, swift, folder, accessKeyId, secretAccessKey])
}

/** Starts an s3rver of its own with an empty bucket: another program than Swift, which starts fast. */
export const startS3rver = (): Promise<S3Server> =>
  start(ofS3rver, (folder) => [process.execPath, s3rver, folder])

async function start(
  credentials: Credentials,
  commandIn: (folder: string) => [string, ...string[]],
): Promise<S3Server> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stonechat-s3-'))
  const [program, ...args] = commandIn(folder)
  const child = startProcess(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
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
    throw new Error('The S3 store did not start')
  }
  const endpoint = `http://127.0.0.1:${port.trim()}`
  const request = (method: string, target: string) =>
    signedFetch(new URL(target, endpoint), { method, credentials })
  const made = await request('PUT', '/media')
  if (!made.ok) {
    await remove()
    throw new Error(`The S3 store does not make a bucket: ${made.status} ${await made.text()}`)
  }
  return { env: environment(endpoint, credentials), request, remove }
}

function environment(endpoint: string, credentials: Credentials): S3Server['env'] {
  return {
    S3_ENABLED: 'true',
    S3_BUCKET: 'media',
    S3_ENDPOINT: endpoint,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  }
}

function signedFetch(
  url: URL,
  { method, credentials }: { method: string; credentials: Credentials },
): Promise<Response> {
  const target = url.pathname + url.search
  const parts = { service: 's3', region: 'us-east-1', method, host: url.host, path: target } as const
  const { headers } = aws4.sign({ ...parts, headers: {} }, credentials)
  return fetch(url, { method, headers })
}
