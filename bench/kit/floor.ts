// The floor: a bare Hono server that sends the same number of bytes after one trivial database round trip.
// Run as a process of its own: node bench/kit/floor.ts PORT DATABASE_URL
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import pg from 'pg'

const [port = '0', databaseUrl = ''] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 })
const bodies = new Map<number, string>()
const app = new Hono()
app.all('/:bytes', async (c) => {
  const bytes = Number(c.req.param('bytes'))
  await pool.query('select 1')
  const body = bodies.get(bytes) ?? JSON.stringify('x'.repeat(Math.max(0, bytes - 2)))
  bodies.set(bytes, body)
  return c.body(body, 200, { 'content-type': 'application/json' })
})
serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' }, () => process.stdout.write('ready\n'))
