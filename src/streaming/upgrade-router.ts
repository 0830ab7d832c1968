// What of a server's requests is streaming's: served here, or led to where streaming lives.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '#ports/ctx.ts'
import { preflightHeaders } from '#lib/net/preflight.ts'
import { parseRequestUrl } from '#lib/net/request-path.ts'
import { refuseUpgrade, type SocketUpgrade } from './sockets.ts'
import { streamingPath, type Streaming } from './streaming.ts'

export interface UpgradeRouter {
  /** Takes the request. False: it is none of streaming's. */
  request(request: IncomingMessage, response: ServerResponse): boolean
  /** Whether an upgrade is wanted that streaming answers. Others are requests like any other. */
  wantsUpgrade(request: IncomingMessage): boolean
  upgrade(upgrade: SocketUpgrade): void
}

const openToBrowsers = { 'access-control-allow-origin': '*', 'x-content-type-options': 'nosniff' }
/**
 * `streaming`: null in a process without that role. With a streaming address of its own, requests under any other name
 * are redirected there by the web role.
 */
export function createUpgradeRouter(config: Config, streaming: Streaming | null): UpgradeRouter {
  return {
    request(request, response) {
      const url = streamingUrl(request)
      if (!url) return false
      const target = redirectOf(config, request, url)
      if (request.method === 'OPTIONS') response.writeHead(204, preflight(request)).end()
      else if (target !== null) response.writeHead(301, { ...openToBrowsers, location: target }).end()
      else if (url.pathname === `${streamingPath}/health` && streaming) answerHealth(response)
      else if (!streaming || !isServed(request, url)) notFound(response)
      else void streaming.handle(request, response, url).catch(() => fail(response))
      return true
    },
    wantsUpgrade: (request) =>
      request.headers.upgrade?.toLowerCase() === 'websocket' && streamingUrl(request) !== null,
    upgrade(upgrade) {
      const { request, socket } = upgrade
      const url = streamingUrl(request)
      const target = url && redirectOf(config, request, url)
      if (target) refuseUpgrade(socket, { error: '', status: 301 }, { location: target })
      else if (!url || !streaming) refuseUpgrade(socket, { error: 'Not found', status: 404 })
      else {
        streaming.upgrade(upgrade, url).catch(() => {
          refuseUpgrade(socket, { error: 'Something went wrong', status: 500 })
        })
      }
    },
  }
}

/** Null when it is not below the streaming path. */
function streamingUrl(request: IncomingMessage): URL | null {
  const target = request.url ?? ''
  // Most requests are none of streaming's: they are told by a look, in whatever spelling.
  if (!/^[^?#]*streaming/.test(target)) return null
  const url = parseRequestUrl(target, 'http://streaming.invalid')
  const isBelow = url?.pathname === streamingPath || url?.pathname.startsWith(`${streamingPath}/`)
  return isBelow ? url : null
}

/** Where the request is to go instead, or null. A process that only streams is where it went. */
function redirectOf(config: Config, request: IncomingMessage, url: URL): string | null {
  const { streamingRedirect: base } = config
  if (base === null || !config.roles.includes('web')) return null
  const isThere = config.roles.includes('streaming') && request.headers.host === new URL(base).host
  return isThere ? null : `${base}${url.pathname}${url.search}`
}

/** The path alone is where WebSockets are opened: without a stream there is nothing to read. */
function isServed(request: IncomingMessage, url: URL): boolean {
  return request.method === 'GET' && (url.pathname !== streamingPath || url.searchParams.has('stream'))
}

function preflight({ headers }: IncomingMessage): Record<string, string> {
  const asked = headers['access-control-request-headers']
  return { ...openToBrowsers, ...preflightHeaders('GET, OPTIONS', asked) }
}

function answerHealth(response: ServerResponse): void {
  response.writeHead(200, { ...openToBrowsers, 'content-type': 'text/plain', 'cache-control': 'no-store' })
  response.end('OK')
}

function notFound(response: ServerResponse): void {
  response.writeHead(404, { ...openToBrowsers, 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify({ error: 'Not found' }))
}

function fail(response: ServerResponse): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  response.writeHead(500, { ...openToBrowsers, 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify({ error: 'Something went wrong' }))
}
