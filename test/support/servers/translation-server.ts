// Stands for the services that translate, in the forms that LibreTranslate and DeepL document.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

export interface AskedTranslation {
  path: string
  authorization: string | undefined
  // oxlint-disable-next-line no-explicit-any -- looked at by assertions
  body: any
}

export interface TranslationServer {
  readonly endpoint: string
  /** Requests for translations, in order; those for languages are only counted. */
  readonly asked: AskedTranslation[]
  languageRequests: number
  /** Answers all requests with this status while it is set. */
  status: number | null
  /** Answers all requests with this body while it is set. */
  answer: string | null
  /** Makes of one text its translation. */
  translate: (text: string) => string
  close(): Promise<void>
}

/** "Translates" by capital letters, but for tags and what stands in `translate="no"`. */
export function shout(html: string): string {
  return html
    .split(/(<span translate="no">[^<]*<\/span>|<[^>]*>|&[a-z0-9#]+;)/i)
    .map((part, index) => (index % 2 === 0 ? part.toUpperCase() : part))
    .join('')
}

const libreLanguages = [
  { code: 'en', name: 'English', targets: ['de', 'en', 'fr', 'zh-Hans'] },
  { code: 'de', name: 'German', targets: ['de', 'en'] },
  { code: 'pt-BR', name: 'Portuguese (Brazil)', targets: ['en', 'pt-BR'] },
  { code: 'zh-Hans', name: 'Chinese', targets: ['en', 'zh-Hans'] },
]
const deeplLanguages = {
  source: ['DE', 'EN', 'PT', 'ZH'],
  target: ['DE', 'EN-GB', 'EN-US', 'PT-BR', 'PT-PT', 'ZH', 'ZH-HANS', 'ZH-HANT'],
}

/** Starts it on a port of its own. */
export async function startTranslationServer(): Promise<TranslationServer> {
  const server = createServer((request, response) => void respond(state, request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const state: TranslationServer = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    languageRequests: 0,
    status: null,
    answer: null,
    translate: shout,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return state
}

async function respond(state: TranslationServer, request: IncomingMessage, response: ServerResponse) {
  const url = new URL(request.url ?? '/', state.endpoint)
  // oxlint-disable-next-line no-explicit-any -- as it came
  const body: any = request.method === 'POST' ? await json(request) : null
  if (url.pathname.endsWith('/languages')) state.languageRequests += 1
  else state.asked.push({ path: url.pathname, authorization: request.headers.authorization, body })
  response.writeHead(state.status ?? 200, { 'content-type': 'application/json' })
  response.end(state.answer ?? JSON.stringify(answerTo(state, url, body)))
}

// oxlint-disable-next-line no-explicit-any -- as it came
function answerTo(state: TranslationServer, url: URL, body: any): unknown {
  if (url.pathname === '/languages') return libreLanguages
  if (url.pathname === '/v2/languages') {
    const type = url.searchParams.get('type') as keyof typeof deeplLanguages
    return deeplLanguages[type].map((language) => ({ language, name: language }))
  }
  if (url.pathname === '/v2/translate') {
    const text = (one: string) => ({
      detected_source_language: body.source_lang ?? 'DE',
      text: state.translate(one),
    })
    return { translations: body.text.map(text) }
  }
  const detected = body.q.map(() => ({ confidence: 90, language: 'de' }))
  return {
    translatedText: body.q.map(state.translate),
    ...(body.source === 'auto' && { detectedLanguage: detected }),
  }
}
