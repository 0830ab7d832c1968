// The inboxes of many servers on addresses of their own, 250 of them in 127.0.5.0/24 and as many in each after it, in one
// process: node bench/kit/inboxes.ts HOSTS DEAD [PORT]. Of the dead ones half refuse connections and half never answer.
// Prints its port, which is the same for all and, at 127.0.0.1, tells what arrived.
import http from 'node:http'

// It ends with whoever has started it.
process.stdin.resume().on('close', () => process.kill(process.pid))
const [hosts = 200, dead = 0, wanted = 0] = process.argv.slice(2).map(Number)
let arrived = 0
let latencies: number[] = []

function take(request: http.IncomingMessage, response: http.ServerResponse): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const published = /"published":"([^"]+)"/.exec(Buffer.concat(chunks).toString('latin1'))?.[1]
    arrived += 1
    if (published !== undefined) latencies.push(Date.now() - Date.parse(published))
    response.writeHead(202).end()
  })
}

/** What arrived since the last time, with percentiles of the time since it was published, in milliseconds. */
function report(response: http.ServerResponse): void {
  const sorted = latencies.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  response.end(JSON.stringify({ arrived, p50: at(0.5), p95: at(0.95), max: at(1) }))
}

const control = http.createServer((request, response) => {
  if (request.method === 'DELETE') [arrived, latencies] = [0, []]
  report(response)
})
await new Promise<void>((resolve) => void control.listen(wanted, '127.0.0.1', resolve))
const { port } = control.address() as { port: number }
for (let index = 0; index < hosts; index += 1) {
  if (index < dead / 2) continue
  const server = http.createServer(index < dead ? () => {} : take)
  const address = `127.0.${5 + Math.floor(index / 250)}.${1 + (index % 250)}`
  await new Promise<void>((resolve) => void server.listen(port, address, resolve))
}
process.stdout.write(`${port}\n`)
