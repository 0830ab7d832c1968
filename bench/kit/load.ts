import http from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { openConnection, toRequest } from './connection.ts'

export interface Shot {
  method?: string
  path: string
  token?: string | undefined
  body?: Record<string, unknown>
}

export interface Result {
  requests: number
  errors: number
  perSecond: number
  p50: number
  p99: number
  bytes: number
}

/**
 * A request at a pace: milliseconds on the clock of `performance` at which it was to begin, what it took from then, and how
 * much of that was gone when this process came to send it.
 */
export interface Sample {
  begun: number
  took: number
  late: number
  failed: boolean
}

interface Pace {
  perSecond: number
  stopped: () => boolean
}

/**
 * Sends requests at a steady pace, whether those before are answered or not, until `stopped`: as people do, who do not
 * ask less because a server is slow. Returns all of them in their order once they are answered.
 */
export async function pace(base: string, how: Pace, shotOf: (index: number) => Shot): Promise<Sample[]> {
  const samples: Sample[] = []
  await keepPace(base, how, shotOf, (sample) => samples.push(sample))
  return samples.toSorted((one, other) => one.begun - other.begun)
}

/**
 * The same for as long as one likes: whoever `hears` of an answer keeps of it what they want. A million kept objects hold
 * up the process that measures, which then takes that for the server's slowness.
 */
export async function keepPace(
  base: string,
  { perSecond, stopped }: Pace,
  shotOf: (index: number) => Shot,
  hears: (sample: Sample) => void,
): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })
  const underWay = new Set<Promise<void>>()
  const started = performance.now()
  try {
    for (let index = 0; !stopped(); index++) {
      const begun = started + (index * 1000) / perSecond
      const early = begun - performance.now()
      if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
      // Whoever is behind and only sends would hear of no answer any more.
      else if (index % 8 === 0) await setImmediate()
      const late = Math.max(0, performance.now() - begun)
      const answered: Promise<void> = shoot(base, agent, shotOf(index)).then(({ status }) => {
        underWay.delete(answered)
        hears({ begun, took: performance.now() - begun, late, failed: status >= 400 })
      })
      underWay.add(answered)
    }
    await Promise.all(underWay)
  } finally {
    agent.destroy()
  }
}

/** What a share of the times lie under. */
export function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

interface Load {
  total: number
  concurrency: number
  /** Milliseconds after which no further one begins. */
  forMs?: number
}

/** Sends `total` requests, `concurrency` at a time, over kept connections. Times are milliseconds. */
export async function load(base: string, options: Load, shotOf: (index: number) => Shot): Promise<Result> {
  const times: number[] = []
  let errors = 0
  let bytes = 0
  let next = 0
  const started = performance.now()
  const askOver = async () => {
    let connection = await openConnection(base)
    try {
      while (next < options.total && !(performance.now() - started > (options.forMs ?? Infinity))) {
        const request = toRequest(base, shotOf(next++))
        const begun = performance.now()
        if (connection.isClosed()) connection = await openConnection(base)
        const answer = await connection.ask(request)
        times.push(performance.now() - begun)
        bytes += answer.bytes
        if (answer.status >= 400) errors++
      }
    } finally {
      connection.close()
    }
  }
  await Promise.all(Array.from({ length: options.concurrency }, askOver))
  const seconds = (performance.now() - started) / 1000
  return {
    requests: times.length,
    errors,
    perSecond: times.length / seconds,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    bytes: bytes / times.length,
  }
}

export function shoot(
  base: string,
  agent: http.Agent,
  shot: Shot,
): Promise<{ status: number; bytes: number; text: string }> {
  const body = shot.body === undefined ? undefined : JSON.stringify(shot.body)
  const method = shot.method ?? 'GET'
  return new Promise((resolve, reject) => {
    const fail = (cause: Error) => reject(new Error(`${method} ${shot.path}: ${cause.message}`, { cause }))
    const request = http.request(
      base + shot.path,
      {
        agent,
        method,
        headers: {
          ...(shot.token && { authorization: `Bearer ${shot.token}` }),
          ...(body !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          }),
        },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const all = Buffer.concat(chunks)
          resolve({ status: response.statusCode ?? 0, bytes: all.length, text: all.toString() })
        })
        response.on('error', fail)
      },
    )
    request.on('error', fail)
    request.end(body)
  })
}
