// Web Push messages: encrypted and signed by the `web-push` library, sent through the guarded client alone.
import { readRetryAfter } from '#lib/net/retry-after.ts'
import type { Clock } from '#ports/clock.ts'
import type { Secrets } from '#ports/ctx.ts'
import { RemoteError, type HttpClient, type HttpRequest, type HttpResponse } from '#ports/http-client.ts'
import type { Push, PushMessage, PushOutcome } from '#ports/push.ts'

export interface WebPushOptions {
  http: HttpClient
  clock: Clock
  vapid: Secrets['vapid']
}

const timeout = 10_000
/** Nobody reads what push services say; a short text leaves the connection usable. */
const maxBytes = 4096
/** The service that stood here was closed in 2019, and the library would warn on the console each time. */
const closedService = 'https://android.googleapis.com/gcm/send'

export function createWebPush(options: WebPushOptions): Push {
  return {
    async send(message) {
      if (message.endpoint.startsWith(closedService)) return { result: 'gone' }
      const request = await encrypt(message, options.vapid)
      try {
        return outcomeOf(await options.http.send(request), options.clock.now())
      } catch (error) {
        if (error instanceof RemoteError) return failed(error)
        throw error
      }
    },
  }
}

/** Headers: RFC 8030, section 5; RFC 8291; RFC 8292. */
async function encrypt(message: PushMessage, vapid: Secrets['vapid']): Promise<HttpRequest> {
  // The library reads addresses by other rules than the client does: normalised, they mean the same to both, so that
  // nobody gets a signature for a push service that is not theirs.
  const endpoint = URL.parse(message.endpoint)?.href ?? message.endpoint
  const { default: webPush } = await import('web-push')
  const { headers, body } = webPush.generateRequestDetails(
    { endpoint, keys: message.keys },
    message.payload,
    {
      vapidDetails: { subject: message.contact, ...vapid },
      contentEncoding: message.standard ? 'aes128gcm' : 'aesgcm',
      TTL: message.ttl,
      urgency: 'normal',
      topic: message.topic,
    },
  )
  return {
    url: endpoint,
    method: 'POST',
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body,
    redirects: 0,
    timeout,
    maxBytes,
    longer: 'cut',
    // A second one takes the place of the first: they have the same topic.
    repeatable: true,
  }
}

function failed({ problem }: RemoteError): PushOutcome {
  return problem === 'forbidden' ? { result: 'gone' } : { result: 'silent', slow: problem === 'timeout' }
}

/** Client errors that say that it may work later. */
const temporary = new Set([408, 425, 429])

/** RFC 8030, sections 5 and 7.3. */
function outcomeOf({ status, headers }: HttpResponse, now: number): PushOutcome {
  if (status >= 200 && status < 300) return { result: 'delivered' }
  if (status === 404 || status === 410) return { result: 'gone' }
  if (status === 413) return { result: 'too-large' }
  if (status < 500 && !temporary.has(status)) return { result: 'refused', status }
  return { result: 'again', restUntil: readRetryAfter(headers.get('retry-after'), now) }
}
