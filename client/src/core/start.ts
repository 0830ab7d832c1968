// What came with the document: src/http/web/app/start.ts of the server makes it.

export interface StartAnswer {
  status: number
  body: unknown
  /** Its headers `Link` and `Mastodon-Async-Refresh`. */
  link?: string
  refresh?: string
}

interface StartBlock {
  language: string
  token: string | null
  formToken: string | null
  streaming: string
  players: readonly string[]
  answers: Record<string, StartAnswer>
}

function readBlock(): StartBlock {
  const block = document.getElementById('start')
  const start = JSON.parse(block?.textContent ?? '{}') as StartBlock
  // Nothing that is loaded later finds it.
  block?.remove()
  return start
}

const block = readBlock()
const bearer = block.token === null ? null : unveil(block.token)

export const language = block.language
/** For forms of the server. */
export const formToken = block.formToken
export const streamingUrl = block.streaming
/** Sites whose players may be shown. */
export const players = block.players

/** Whether somebody is signed in. Not so without a network: then there is what was kept. */
export const isSignedIn = (): boolean => bearer !== null

/** The header that says who asks. The token itself is nowhere else: not in storage, and in no address. */
export const authorization = (): Record<string, string> =>
  bearer === null ? {} : { authorization: `Bearer ${bearer}` }

/** For the sub-protocol of a stream, where browsers can put it. */
export const streamingProtocols = (): string[] => (bearer === null ? [] : [bearer])

/** Whether the answer came with the document, and was not taken yet: it is as old as the page. */
export const isInDocument = (path: string): boolean => block.answers[path] !== undefined

/** Takes the answer that came with the document, once. */
export function takeAnswer(path: string): StartAnswer | null {
  const answer = block.answers[path]
  if (!answer) return null
  delete block.answers[path]
  return answer
}

/** The pad and the token with the pad over it. */
function unveil(text: string): string {
  const bytes = (text.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))
  const half = bytes.length / 2
  return String.fromCharCode(...bytes.slice(half).map((byte, index) => byte ^ (bytes[index] ?? 0)))
}
