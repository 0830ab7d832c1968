import http from 'node:http'

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

/** Sends `total` requests, `concurrency` at a time, over kept connections. Times are milliseconds. */
export async function load(
  base: string,
  options: { total: number; concurrency: number },
  shotOf: (index: number) => Shot,
): Promise<Result> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: options.concurrency })
  const times: number[] = []
  let errors = 0
  let bytes = 0
  let next = 0
  const started = performance.now()
  const one = async () => {
    while (next < options.total) {
      const index = next++
      const begun = performance.now()
      const answer = await shoot(base, agent, shotOf(index))
      times.push(performance.now() - begun)
      bytes += answer.bytes
      if (answer.status >= 400) errors++
    }
  }
  await Promise.all(Array.from({ length: options.concurrency }, one))
  const seconds = (performance.now() - started) / 1000
  agent.destroy()
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return {
    requests: times.length,
    errors,
    perSecond: times.length / seconds,
    p50: at(0.5),
    p99: at(0.99),
    bytes: bytes / times.length,
  }
}

export function shoot(
  base: string,
  agent: http.Agent,
  shot: Shot,
): Promise<{ status: number; bytes: number; text: string }> {
  const body = shot.body === undefined ? undefined : JSON.stringify(shot.body)
  return new Promise((resolve, reject) => {
    const request = http.request(
      base + shot.path,
      {
        agent,
        method: shot.method ?? 'GET',
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
        response.on('error', reject)
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}
