import { createSocket } from 'node:dgram'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createDns } from './dns.ts'

const codes = { noError: 0, failure: 2, noSuchName: 3 }
const types: Record<number, 'A' | 'MX' | 'AAAA'> = { 1: 'A', 15: 'MX', 28: 'AAAA' }

interface Entry {
  A?: string
  /** Preference and host. */
  MX?: [number, string][]
  fails?: boolean
}

/** A name server (RFC 1035). Names without an entry do not exist. */
async function startNameServer(entries: Record<string, Entry>): Promise<string> {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const labels: string[] = []
    let at = 12
    while (query[at] !== 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!))
      at += 1 + query[at]!
    }
    const number = query.readUInt16BE(at + 1)
    const entry = entries[labels.join('.').toLowerCase()]
    const records = entry && !entry.fails ? recordsOf(entry, types[number]) : []
    const head = Buffer.from(query.subarray(0, 12))
    const code = entry ? (entry.fails ? codes.failure : codes.noError) : codes.noSuchName
    head.writeUInt16BE(0x8180 | code, 2)
    for (const [index, count] of [1, records.length, 0, 0].entries()) head.writeUInt16BE(count, 4 + index * 2)
    const answers = records.map((data) =>
      Buffer.from([0xc0, 12, 0, number, 0, 1, 0, 0, 0, 60, data.length >> 8, data.length & 0xff, ...data]),
    )
    socket.send(Buffer.concat([head, query.subarray(12, at + 5), ...answers]), port, address)
  })
  await new Promise<void>((resolve) => void socket.bind(0, '127.0.0.1', resolve))
  onTestFinished(() => void socket.close())
  return `127.0.0.1:${socket.address().port}`
}

function recordsOf(entry: Entry, type: 'A' | 'MX' | 'AAAA' | undefined): Buffer[] {
  if (type === 'A' && entry.A) return [Buffer.from(entry.A.split('.').map(Number))]
  if (type !== 'MX') return []
  return (entry.MX ?? []).map(([preference, host]) => {
    const labels = host === '' ? [] : host.split('.')
    const name = labels.map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]))
    return Buffer.concat([Buffer.from([preference >> 8, preference & 0xff]), ...name, Buffer.from([0])])
  })
}

test('hosts that take mail come best first; a domain that takes none says so', async () => {
  const server = await startNameServer({
    'two.example': {
      MX: [
        [20, 'second.example'],
        [10, 'first.example'],
      ],
    },
    'none.example': { MX: [[0, '']] },
    'plain.example': { A: '192.0.2.1' },
    'broken.example': { fails: true },
  })
  const dns = createDns({ servers: [server], hostsFile: '/nowhere' })
  expect(await dns.findMailHosts('two.example')).toEqual(['first.example', 'second.example'])
  expect(await dns.findMailHosts('none.example')).toEqual(['.'])
  expect(await dns.findMailHosts('plain.example')).toEqual([])
  expect(await dns.findMailHosts('missing.example')).toEqual([])
  await expect(dns.findMailHosts('broken.example')).rejects.toThrow()
})

test('addresses come from the hosts file or the name servers; that there are none is no failure', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'stonechat-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const hostsFile = path.join(folder, 'hosts')
  await writeFile(hostsFile, '10.0.0.1 listed.example\n')
  const server = await startNameServer({
    'plain.example': { A: '192.0.2.1' },
    'empty.example': {},
    'broken.example': { fails: true },
  })
  const dns = createDns({ servers: [server], hostsFile })
  expect(await dns.findAddresses('plain.example')).toEqual(['192.0.2.1'])
  expect(await dns.findAddresses('listed.example')).toEqual(['10.0.0.1'])
  expect(await dns.findAddresses('empty.example')).toEqual([])
  expect(await dns.findAddresses('missing.example')).toEqual([])
  await expect(dns.findAddresses('broken.example')).rejects.toThrow()
})
