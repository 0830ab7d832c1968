// Staff who work through the pages of the desk, as a browser without scripts does.
import { decode } from 'html-entities'
import { expect } from 'vitest'
import type { TestApp } from '#test/app/app.ts'
import type { Browser, Seen } from '#test/client/browser.ts'
import type { Person } from './people.ts'
import { personWithPassword, signedIn } from './sign-in.ts'

type Fields = Record<string, string>

export interface Desk {
  person: Person
  browser: Browser
  /** What a page shows. Fails the test where there is none. */
  see(path: string): Promise<Seen>
  /** Fills in the form of a page that leads to `action` (by default the page itself), and returns what is answered. */
  fill(path: string, fields: Fields, action?: string): Promise<Seen>
  /** `fill` where it is done: returns what the page that follows shows. */
  done(path: string, fields: Fields, action?: string): Promise<Seen>
  /** Sends a form where none stands, such as one that a page before has asked about. */
  send(action: string, fields?: Fields): Promise<Seen>
  /** The newest rows of the audit log about a kind of thing: `action label`. */
  logged(targetType: string): Promise<string[]>
}

/** The desk of somebody with a role. */
export async function atDesk(
  app: TestApp,
  name = 'warden',
  role: 'Owner' | 'Admin' | 'Moderator' = 'Owner',
): Promise<Desk> {
  const person = await personWithPassword(app, name, { role })
  const browser = await signedIn(app, person)

  async function see(path: string): Promise<Seen> {
    const seen = await browser.get(path)
    expect([path, seen.status]).toEqual([path, 200])
    return seen
  }

  async function follow(sent: Seen): Promise<Seen> {
    expect([sent.status, sent.status === 303 ? '' : told(sent)]).toEqual([303, ''])
    return see(sent.location ?? '')
  }

  const desk: Desk = {
    person,
    browser,
    see,
    async fill(path, fields, action = path) {
      const seen = await see(path)
      return browser.post(action, { ...filledIn(seen, action), ...fields })
    },
    async done(path, fields, action) {
      return follow(await desk.fill(path, fields, action))
    },
    async send(action, fields = {}) {
      const { forms } = await see('/settings/sessions')
      const token = forms[0]?.fields['authenticity_token'] ?? ''
      return browser.post(action, { authenticity_token: token, ...fields })
    },
    async logged(targetType) {
      const rows = await person.get('/api/v1/admin/audit_log', { target_type: targetType, limit: 20 })
      return (rows.ok() as { action: string; target_label: string }[]).map((row) =>
        `${row.action} ${row.target_label}`.trim(),
      )
    },
  }
  return desk
}

/** What a page says is wrong. */
export const told = (seen: Seen): string =>
  [...seen.text.matchAll(/class="problem"[^>]*>([^<]*)</g)]
    .map(([, text = '']) => decode(text).trim())
    .join('; ')

/** What a browser sends of a form that nobody changes. */
function filledIn(seen: Seen, action: string): Fields {
  const forms = [...seen.text.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)]
  const inside = forms.find(([, start = '']) => attribute(start, 'action') === action)?.[2]
  if (inside === undefined) throw new Error(`no form to ${action} in ${seen.text.slice(-5000)}`)
  const fields: Fields = {}
  for (const [, input = ''] of inside.matchAll(/<input\b([^>]*)>/gs)) {
    const isOff = /type="(checkbox|radio)"/.test(input) && !/\bchecked\b/.test(input)
    if (!isOff && !/type="file"/.test(input)) fields[attribute(input, 'name')] = attribute(input, 'value')
  }
  for (const [, start = '', text = ''] of inside.matchAll(/<textarea\b([^>]*)>\n?(.*?)<\/textarea>/gs))
    fields[attribute(start, 'name')] = decode(text)
  for (const [, start = '', options = ''] of inside.matchAll(/<select\b([^>]*)>(.*?)<\/select>/gs)) {
    const [first] = /<option\b[^>]*>/.exec(options) ?? ['']
    const [chosen] = /<option\b[^>]*\bselected\b[^>]*>/.exec(options) ?? [first]
    fields[attribute(start, 'name')] = attribute(chosen, 'value')
  }
  return fields
}

const attribute = (tag: string, name: string) =>
  decode(new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '')
