// The browser's side of a session: two cookies, and the keys of forms that hang on them.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { parse, serialize } from 'hono/utils/cookie'
import { recordActivity } from '#domain/identity/accounts/record-activity.ts'
import {
  endSession,
  findSession,
  renewSession,
  sessionLifetime,
  startSession,
  type FoundSession,
} from '#domain/identity/oauth/sessions.ts'
import { ticketLifetimes, type Holder } from '#domain/identity/two-factor/tickets.ts'
import { newSecret } from '#lib/secrets.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { UserId } from '#lib/id.ts'

/** What the cookies of one request say, and the cookies that its answer sets. */
export interface Browser {
  session: FoundSession | null
  /** The secret that forms are bound to: that of the session, or for strangers one of their own. */
  formSecret: string
  /** What it keeps for some minutes, sealed: see domain/identity/two-factor/tickets.ts. */
  tickets: Partial<Record<TicketCookie, string>>
  /** What the last form did, for the next page to say, as it was sent: see flash.ts. */
  flash: string
  /** `Set-Cookie` headers of the answer. */
  readonly cookies: string[]
}

/**
 * `attempt`: the password was right, and a second factor is waited for. `proof`: it was given again just now. `provider`:
 * the browser is at a provider of identities. `newcomer`: that provider said who somebody is who has no account here.
 */
const ticketCookies = ['attempt', 'proof', 'provider', 'newcomer'] as const
export type TicketCookie = (typeof ticketCookies)[number]

const secretForm = /^[A-Za-z0-9_-]{43}$/

/** With https the name itself makes browsers refuse it from subdomains and without Secure (RFC 6265bis 4.1.3.2). */
const nameOf = (ctx: Ctx, name: string) => (ctx.config.https ? `__Host-${name}` : name)
const sessionCookie = (ctx: Ctx) => nameOf(ctx, 'stonechat_session')
const formCookie = (ctx: Ctx) => nameOf(ctx, 'stonechat_form')
const flashCookie = (ctx: Ctx) => nameOf(ctx, 'stonechat_flash')
const ticketCookie = (ctx: Ctx, name: TicketCookie) => nameOf(ctx, `stonechat_${name}`)

/** Finds out who is signed in in this browser. One query when there is a session cookie, none without. */
export async function readBrowser(ctx: Ctx, request: Request): Promise<Browser> {
  const sent = parse(request.headers.get('cookie') ?? '')
  const tickets = Object.fromEntries(
    ticketCookies.map((name) => [name, sent[ticketCookie(ctx, name)] ?? '']),
  ) as Browser['tickets']
  const flash = sent[flashCookie(ctx)] ?? ''
  const secret = sent[sessionCookie(ctx)] ?? ''
  const session = secretForm.test(secret) ? await findSession(ctx, secret) : null
  if (session) {
    const browser: Browser = { session, formSecret: secret, tickets, flash, cookies: [] }
    await keepAlive(ctx, browser, session, secret)
    return browser
  }
  const known = sent[formCookie(ctx)] ?? ''
  if (secretForm.test(known)) return { session: null, formSecret: known, tickets, flash, cookies: [] }
  const browser: Browser = { session: null, formSecret: '', tickets, flash, cookies: [] }
  resetForms(ctx, browser)
  return browser
}

async function keepAlive(ctx: Ctx, browser: Browser, session: FoundSession, secret: string): Promise<void> {
  await recordActivity(ctx, session.viewer, session.lastActiveAt)
  if (!session.renewable) return
  await renewSession(ctx, session.id)
  setCookie(ctx, browser, { name: sessionCookie(ctx), value: secret, maxAge: sessionLifetime / 1000 })
}

/**
 * Signs this browser in: a session with a new secret, never one that was known before (session fixation). An older
 * session of the browser ends. The caller has checked that the user may sign in. `passwordHash`: null for a new account.
 */
export async function signInBrowser(
  ctx: Ctx,
  browser: Browser,
  user: { userId: UserId; address: string; userAgent: string | null; passwordHash: string | null },
): Promise<void> {
  const before = browser.session
  const started = await ctx.transaction(async (tx) => {
    if (before) await endSession(tx, before.id)
    return startSession(tx, user)
  })
  browser.formSecret = started.secret
  setCookie(ctx, browser, { name: sessionCookie(ctx), value: started.secret, maxAge: sessionLifetime / 1000 })
  setCookie(ctx, browser, { name: formCookie(ctx), value: '', maxAge: 0 })
  forgetTickets(ctx, browser)
}

/** Who holds the tickets that this browser keeps. */
export const holderOf = (browser: Browser): Holder => ({ secret: browser.formSecret })

/** Has the browser keep a ticket for as long as it holds. */
export function keepTicket(ctx: Ctx, browser: Browser, name: TicketCookie, ticket: string): void {
  browser.tickets = { ...browser.tickets, [name]: ticket }
  const maxAge = ticketLifetimes[name] / 1000
  setCookie(ctx, browser, { name: ticketCookie(ctx, name), value: ticket, maxAge })
}

/** Has the browser forget a ticket, if it has one. */
export function forgetTicket(ctx: Ctx, browser: Browser, name: TicketCookie): void {
  if (browser.tickets[name]) setCookie(ctx, browser, { name: ticketCookie(ctx, name), value: '', maxAge: 0 })
  browser.tickets = { ...browser.tickets, [name]: '' }
}

function forgetTickets(ctx: Ctx, browser: Browser): void {
  for (const name of ticketCookies) forgetTicket(ctx, browser, name)
}

const flashLifetime = 300

/** Has the browser keep what the next page says; `''`: it was said. */
export function keepFlash(ctx: Ctx, browser: Browser, flash: string): void {
  browser.flash = flash
  setCookie(ctx, browser, { name: flashCookie(ctx), value: flash, maxAge: flash === '' ? 0 : flashLifetime })
}

/** Signs this browser out: its session is dead on the server too. */
export async function signOutBrowser(ctx: Ctx, browser: Browser): Promise<void> {
  const { session } = browser
  if (session) await ctx.transaction((tx) => endSession(tx, session.id))
  browser.session = null
  setCookie(ctx, browser, { name: sessionCookie(ctx), value: '', maxAge: 0 })
  forgetTickets(ctx, browser)
  resetForms(ctx, browser)
}

function resetForms(ctx: Ctx, browser: Browser): void {
  browser.formSecret = newSecret()
  setCookie(ctx, browser, { name: formCookie(ctx), value: browser.formSecret })
}

/**
 * The token that a form of this browser carries: known to the page, and to nobody who only can send requests. Written in
 * other letters each time, so that the size of a compressed page tells nothing of it (BREACH).
 */
export function formToken(ctx: Ctx, browser: Browser): string {
  const mask = randomBytes(tokenBytes)
  return Buffer.concat([mask, masked(formKey(ctx, browser), mask)]).toString('base64url')
}

const tokenBytes = 32

const formKey = (ctx: Ctx, browser: Browser): Buffer =>
  createHmac('sha256', ctx.secrets.secretKeyBase).update(`form\0${browser.formSecret}`).digest()

const masked = (bytes: Uint8Array, mask: Uint8Array): Buffer =>
  Buffer.from(bytes.map((byte, index) => byte ^ (mask[index] as number)))

function isFormToken(ctx: Ctx, browser: Browser, token: string): boolean {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== 2 * tokenBytes) return false
  const key = masked(bytes.subarray(tokenBytes), bytes.subarray(0, tokenBytes))
  return timingSafeEqual(key, formKey(ctx, browser))
}

/**
 * Whether a request that changes something came from a page of this server, in this browser: by what the browser
 * says of its origin, and by the form's token. Both must hold.
 */
export function isOwnForm(ctx: Ctx, request: Request, browser: Browser, token: string | null): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && site !== 'none') return false
  const origin = request.headers.get('origin')
  if (
    origin !== null &&
    origin !== new URL(ctx.config.baseUrl).origin &&
    origin !== new URL(request.url).origin
  )
    return false
  return token !== null && isFormToken(ctx, browser, token)
}

interface Cookie {
  name: string
  value: string
  /** Seconds; without it until the browser is closed. */
  maxAge?: number
}

function setCookie(ctx: Ctx, browser: Browser, { name, value, maxAge }: Cookie): void {
  const common = { path: '/', httpOnly: true, sameSite: 'Lax', secure: ctx.config.https } as const
  browser.cookies.push(serialize(name, value, maxAge === undefined ? common : { ...common, maxAge }))
}
