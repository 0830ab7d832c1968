// Answers lie where they were written until the system has taken all of them (src/lib/json/json-writer.ts).
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase } from '#test/app/databases.ts'
import { startLiveApp, type LiveApp } from '#test/app/live-app.ts'
import { lendJson } from '#lib/json/json-writer.ts'
import { patience } from '#test/run/patience.ts'
import { openRaw, requestHead } from '#test/client/raw-http.ts'

let app: LiveApp
let drop: () => Promise<void>

beforeAll(async () => {
  const database = await freshDatabase()
  drop = database.drop
  // However late: nobody is cut off for it here.
  const times = { headers: patience, request: patience, stall: patience, idle: patience }
  app = await startLiveApp({ databaseUrl: database.url, worker: false, times })
})
afterAll(async () => {
  await app?.close()
  await drop?.()
})

/** Of each answer, when all have come. */
function bodiesOf(received: string): string[] {
  const bodies: string[] = []
  for (let at = 0; at < received.length;) {
    const begin = received.indexOf('\r\n\r\n', at) + 4
    const length = Number(/content-length: (\d+)/i.exec(received.slice(at, begin))?.[1])
    if (begin < 4 || received.length < begin + length) break
    bodies.push(received.slice(begin, begin + length))
    at = begin + length
  }
  return bodies
}

/** As many as there are at once: what is lent lies in more memory than it takes, what is copied does not. */
function countFreePlaces(): number {
  const json = Buffer.alloc(20_000, ' ')
  const all = Array.from({ length: 20 }, () => lendJson((out) => out.bytes(json)))
  const lent = all.filter((one) => typeof one === 'object' && 'giveBack' in one)
  for (const one of lent) one.giveBack(true)
  return lent.length
}

describe('somebody who does not wait for the answer', () => {
  test.each([1, 3])('takes no place of others, having asked %i times', async (times) => {
    const person = await app.person(`hasty${times}`)
    for (let i = 0; i < 20; i++) await person.say('word '.repeat(80))
    const path = `/api/v1/accounts/${person.accountId}/statuses?limit=20`
    const head = requestHead(`GET ${path}`, { host: 'chat.example', authorization: `Bearer ${person.token}` })
    for (let i = 0; i < 40; i++) {
      const { socket } = await openRaw(app.port)
      socket.write(head.repeat(times), () => socket.destroy())
    }
    for (let i = 0; i < 20; i++) await person.get(path)
    await expect.poll(countFreePlaces).toBe(8)
  })
})

describe('somebody who reads late', () => {
  test('gets what they asked for, whatever others are answered meanwhile [ACC-15]', async () => {
    const late = await app.person('late')
    const busy = await app.person('busy')
    for (const [person, word] of [
      [late, 'late '],
      [busy, 'busy '],
    ] as const)
      for (let i = 0; i < 20; i++) await person.say(word.repeat(80))
    const path = ({ accountId }: typeof late) => `/api/v1/accounts/${accountId}/statuses?limit=20`
    const whole = async (person: typeof late) =>
      Buffer.from(JSON.stringify((await person.get(path(person))).ok())).toString('latin1')
    const expected = await whole(late)
    const other = await whole(busy)

    // More than what the system keeps for a connection.
    const count = Math.ceil((16 * 2 ** 20) / expected.length)
    const { socket, received } = await openRaw(app.port)
    socket.pause()
    const head = requestHead(`GET ${path(late)}`, {
      host: 'chat.example',
      authorization: `Bearer ${late.token}`,
    })
    socket.write(head.repeat(count))
    for (let i = 0; i < 60; i++) expect(await whole(busy)).toBe(other)
    socket.resume()
    await expect.poll(() => bodiesOf(received()).length).toBe(count)
    expect(new Set(bodiesOf(received()))).toEqual(new Set([expected]))
    socket.destroy()
  })
})
