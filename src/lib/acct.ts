// Handles: `user` here, `user@domain` elsewhere. One spelling per host, so that blocks hold for all of them.

import { isIPv6 } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'

export interface Acct {
  username: string
  /** Normalised ASCII host, with a port where it is not the default one; null for this server. */
  domain: string | null
}

// Two steps instead of one pattern: the usual single expression backtracks on long names.
const nameCharacters = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/
const plainHost = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/
// What would turn a host into a path, a query, a login or another host when it is put into a URL.
const forbiddenInHost = /[\s\p{Cc}\p{Cf}/\\#?%@<>^|`"'(){},;]/u
const maxHandleLength = 2048

/** Whether a name may belong to an account of this server. */
export function isLocalUsername(text: string): boolean {
  return /^[A-Za-z0-9_]{1,30}$/.test(text)
}

/** Whether a name is one that other servers may use: dots and dashes are allowed inside. */
export function isUsername(text: string): boolean {
  return text.length <= maxHandleLength && nameCharacters.test(text) && /[A-Za-z0-9_]$/.test(text)
}

/** The form by which names are compared: only ASCII letters are lowered, so no other letter becomes one. */
export function normaliseUsername(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/**
 * Reads `user`, `@user`, `user@domain` or `@user@domain`; spaces around it are ignored. Null when it is no handle,
 * among them all whose host part holds a path, a query, a fragment, spaces or control characters.
 */
export function parseAcct(text: string): Acct | null {
  const handle = text.trim().replace(/^@/, '')
  if (handle.length > maxHandleLength) return null
  const at = handle.indexOf('@')
  const username = at < 0 ? handle : handle.slice(0, at)
  if (!isUsername(username)) return null
  if (at < 0) return { username, domain: null }
  const domain = normaliseDomain(handle.slice(at + 1))
  return domain === null ? null : { username, domain }
}

/** The handle as the API shows it: without a domain for this server, else with the domain in Unicode letters. */
export function formatAcct(username: string, domain: string | null): string {
  return domain === null ? username : `${username}@${displayDomain(domain)}`
}

/** A normalised domain in Unicode letters, for people to read; a port stays. */
export function displayDomain(domain: string): string {
  if (!domain.includes('xn--')) return domain
  const { host, port } = splitPort(domain)
  return joinPort(domainToUnicode(host) || host, port)
}

/** A domain and those above it: a block of a domain holds for what is below it. */
export function withParentDomains(domain: string): string[] {
  const labels = domain.split('.')
  return labels.map((_, index) => labels.slice(index).join('.'))
}

/**
 * The one spelling of a host: lower case, punycode, no trailing dot, no default port, canonical numbers for IP
 * addresses (UTS 46 and the WHATWG host parser). Null when it is no host name, or too long for DNS.
 */
export function normaliseDomain(text: string): string | null {
  if (text.length === 0 || text.length > maxHandleLength || forbiddenInHost.test(text)) return null
  const { host, port } = splitPort(text)
  if (port !== null && (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65535)) return null
  const ascii = asciiHost(host)
  if (ascii === null) return null
  return joinPort(ascii, port === null || isDefaultPort(Number(port)) ? null : String(Number(port)))
}

function isDefaultPort(port: number): boolean {
  return port === 443 || port === 80
}

function asciiHost(host: string): string | null {
  const lower = host.toLowerCase()
  if (lower.startsWith('['))
    return isIPv6(lower.slice(1, -1)) && lower.endsWith(']') ? canonical(lower) : null
  // The slow parser is for other scripts and for numbers, which may be an IP address in disguise.
  const easy = plainHost.test(lower) && !/(?:^|\.)(?:xn--|[0-9][0-9a-fx]*$)/.test(lower)
  const ascii = (easy ? lower : canonical(lower)).replace(/\.$/, '')
  if (ascii.length > 253 || !/^[a-z0-9._-]+$/.test(ascii)) return null
  return ascii.split('.').every(isLabel) ? ascii : null
}

function canonical(host: string): string {
  return domainToASCII(host)
}

function isLabel(label: string): boolean {
  return label.length > 0 && label.length <= 63 && !label.startsWith('-') && !label.endsWith('-')
}

function splitPort(text: string): { host: string; port: string | null } {
  const colon = text.lastIndexOf(':')
  if (colon < 0 || text.endsWith(']')) return { host: text, port: null }
  return { host: text.slice(0, colon), port: text.slice(colon + 1) }
}

function joinPort(host: string, port: string | null): string {
  return port === null ? host : `${host}:${port}`
}
