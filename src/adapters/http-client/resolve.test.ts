import { createSocket } from 'node:dgram'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createDnsResolve, resolveBySystem } from './resolve.ts'

const types = { A: 1, AAAA: 28 }

type Records = Record<string, { A?: string; AAAA?: string }>

/** A name server (RFC 1035) with one record of a type at most for a name; AAAA is written out in hex. */
async function startNameServer(records: Records): Promise<string> {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const labels: string[] = []
    let at = 12
    while (query[at] !== 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!))
      at += 1 + query[at]!
    }
    const type = query.readUInt16BE(at + 1)
    const found = records[labels.join('.').toLowerCase()]
    const data =
      type === types.A ? found?.A?.split('.').map(Number) : found?.AAAA && [...Buffer.from(found.AAAA, 'hex')]
    const head = Buffer.from(query.subarray(0, 12))
    head.writeUInt16BE(found ? 0x8180 : 0x8183, 2)
    for (const [index, count] of [1, data ? 1 : 0, 0, 0].entries()) head.writeUInt16BE(count, 4 + index * 2)
    const answer = data ? [0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length, ...data] : []
    socket.send(Buffer.concat([head, query.subarray(12, at + 5), Buffer.from(answer)]), port, address)
  })
  await new Promise<void>((resolve) => void socket.bind(0, '127.0.0.1', resolve))
  onTestFinished(() => void socket.close())
  return `127.0.0.1:${socket.address().port}`
}

async function writeHosts(text: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stonechat-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'hosts')
  await writeFile(file, text)
  return file
}

test('addresses of both families come from the name servers, errors of one do not hide the other', async () => {
  const server = await startNameServer({
    'both.example': { A: '192.0.2.1', AAAA: '20010db8000000000000000000000001' },
    'four.example': { A: '192.0.2.2' },
    'neither.example': {},
  })
  const resolve = createDnsResolve({ servers: [server], hostsFile: '/nowhere' })
  expect(await resolve('both.example')).toEqual(['2001:db8::1', '192.0.2.1'])
  expect(await resolve('four.example')).toEqual(['192.0.2.2'])
  await expect(resolve('neither.example')).rejects.toThrow('neither.example has no address')
  await expect(resolve('missing.example')).rejects.toThrow('missing.example has no address')
})

test('the hosts file comes first', async () => {
  const server = await startNameServer({ 'a.example': { A: '192.0.2.1' }, 'b.example': { A: '192.0.2.2' } })
  const hostsFile = await writeHosts(
    '# 10.0.0.9 b.example\n10.0.0.1\tx A.example # us\n\n0:0::1 a.example\nbad',
  )
  const resolve = createDnsResolve({ servers: [server], hostsFile })
  expect(await resolve('a.example')).toEqual(['10.0.0.1', '::1'])
  expect(await resolve('b.example')).toEqual(['192.0.2.2'])
})

test('the system knows this machine', async () => {
  expect(await resolveBySystem('localhost')).toContain('127.0.0.1')
  await expect(resolveBySystem('no-such-host.invalid')).rejects.toThrow(/ENOTFOUND|EAI_AGAIN/)
})
