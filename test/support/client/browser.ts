// A browser for pages: keeps cookies, finds forms, sends them as browsers do.
import { decode } from 'html-entities'
import type { Fetch } from './client.ts'

export interface Form {
  action: string
  method: string
  /** Names with their values, hidden ones too. */
  fields: Record<string, string>
}

export interface Seen {
  readonly status: number
  readonly headers: Headers
  /** The `Location` header. */
  readonly location: string | null
  readonly text: string
  readonly forms: Form[]
  /** The form that leads to this path. Fails the test when there is none. */
  form(action: string): Form
}

export interface Browser {
  /** Cookies by name. */
  readonly cookies: Map<string, string>
  get(path: string, headers?: Record<string, string>): Promise<Seen>
  /** Sends fields as they are. */
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Seen>
  /** Fills in a form and sends it. */
  submit(form: Form, fields?: Record<string, string>, headers?: Record<string, string>): Promise<Seen>
  /** Fills in a form with a file and sends it. */
  upload(form: Form, fields: Record<string, string>, file: { name: string; content: File }): Promise<Seen>
}

/** A browser that follows no redirects by itself. `origin` is that of the server. */
export function createBrowser(fetch: Fetch, origin: string): Browser {
  const cookies = new Map<string, string>()

  async function send(path: string, init: RequestInit & { headers: Record<string, string> }): Promise<Seen> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(path, { ...init, headers: { ...(cookie && { cookie }), ...init.headers } })
    for (const line of response.headers.getSetCookie()) keep(cookies, line)
    return toSeen(response)
  }

  const post: Browser['post'] = (path, fields, headers = {}) =>
    send(path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { origin, 'sec-fetch-site': 'same-origin', ...headers },
    })
  return {
    cookies,
    get: (path, headers = {}) => send(path, { headers }),
    post,
    submit: (form, fields = {}, headers = {}) => post(form.action, { ...form.fields, ...fields }, headers),
    upload(form, fields, file) {
      const body = new FormData()
      for (const [name, value] of Object.entries({ ...form.fields, ...fields })) {
        if (name !== file.name) body.append(name, value)
      }
      body.append(file.name, file.content)
      const headers = { origin, 'sec-fetch-site': 'same-origin' }
      return send(form.action, { method: 'POST', body, headers })
    },
  }
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = ''] = line.split(';')
  const name = pair.slice(0, pair.indexOf('='))
  if (/;\s*max-age=0/i.test(line)) cookies.delete(name)
  else cookies.set(name, pair.slice(name.length + 1))
}

async function toSeen(response: Response): Promise<Seen> {
  const text = await response.text()
  const forms = [...text.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, start = '', inside = '']) => ({
    action: attribute(start, 'action'),
    method: attribute(start, 'method'),
    fields: Object.fromEntries(
      [...inside.matchAll(/<input\b([^>]*)>/gs)].map(([, input = '']) => [
        attribute(input, 'name'),
        attribute(input, 'value'),
      ]),
    ),
  }))
  return {
    status: response.status,
    headers: response.headers,
    location: response.headers.get('location'),
    text,
    forms,
    form(action) {
      const found = forms.find((form) => form.action === action)
      if (!found) throw new Error(`${response.status}: no form to ${action} in ${text.slice(0, 3000)}`)
      return found
    },
  }
}

function attribute(tag: string, name: string): string {
  return decode(new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '')
}
