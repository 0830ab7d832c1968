// The floor: a bare Hono server that sends the same number of bytes, and asks no database.
// Run as a process of its own, which tells its port: node bench/kit/floor.ts
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

// It ends with whoever has started it.
process.stdin.resume().on('close', () => process.kill(process.pid))
const bodies = new Map<number, string>()
const app = new Hono()
app.all('/:bytes', (c) => {
  const bytes = Number(c.req.param('bytes'))
  const body = bodies.get(bytes) ?? JSON.stringify('x'.repeat(Math.max(0, bytes - 2)))
  bodies.set(bytes, body)
  return c.body(body, 200, { 'content-type': 'application/json' })
})
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => process.stdout.write(`${port}\n`))
