const usualHeaders = 'Authorization, Content-Type, Idempotency-Key, X-Requested-With'
/** Names of headers with commas between them (RFC 9110 section 5.6.2). */
const headerNames = /^[\w!#$%&'*+.^`|~\-, ]{1,1000}$/

/**
 * Headers of the answer to a preflight that asks for `asked`. Pages may send what they like: `*` would leave out
 * `Authorization`, so what is asked for is answered.
 */
export const preflightHeaders = (methods: string, asked: string | undefined): Record<string, string> => ({
  vary: 'Access-Control-Request-Headers',
  'access-control-allow-methods': methods,
  'access-control-allow-headers': headerNames.test(asked ?? '') ? (asked as string) : usualHeaders,
  'access-control-max-age': '86400',
})
