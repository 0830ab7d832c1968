// What holds for every JSON body under /api/, whatever the entity: the forms of identifiers and of times.

const decimal = /^-?\d{1,19}$/
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
const day = /^\d{4}-\d{2}-\d{2}$/

/** Keys that end in `_id` and are no record's identifier, but a name chosen for a client. */
const opaque = new Set(['client_id'])

/** Keys that end in `_at` and hold seconds since 1970 as a number, as OAuth has it. */
const epochSeconds = new Set(['created_at', 'client_secret_expires_at', 'expires_at'])

function idProblem(key: string, value: unknown): string | undefined {
  if (typeof value !== 'string') return 'is an identifier and must be a string'
  return opaque.has(key) || decimal.test(value)
    ? undefined
    : 'is an identifier and must hold a 64-bit integer'
}

function timeProblem(key: string, value: unknown, holder: object): string | undefined {
  if (key === 'last_status_at') {
    return typeof value === 'string' && day.test(value) ? undefined : 'must be a day, YYYY-MM-DD'
  }
  const isOAuth = 'access_token' in holder || 'client_secret' in holder
  if (isOAuth && epochSeconds.has(key) && typeof value === 'number') return undefined
  return typeof value === 'string' && instant.test(value) ? undefined : 'must be YYYY-MM-DDTHH:MM:SS.mmmZ'
}

function keyProblem(key: string, value: unknown, holder: object): string | undefined {
  if (value === null) return undefined
  if (key === 'id' || key.endsWith('_id')) return idProblem(key, value)
  if (key.endsWith('_ids') && Array.isArray(value)) {
    return value.map((item) => idProblem(key, item)).find((problem) => problem !== undefined)
  }
  return key.endsWith('_at') ? timeProblem(key, value, holder) : undefined
}

/** Names under which keys are data (an error's fields, settings), or whose `id` is an opaque handle. */
const unchecked = new Set(['details', 'async_refresh'])

/** One line per identifier or time of the wrong form, as `/path/to/key must …`. Null stands for "none". */
export function conventionProblems(body: unknown, path = ''): string[] {
  if (Array.isArray(body)) return body.flatMap((item, index) => conventionProblems(item, `${path}/${index}`))
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([key, value]) => {
    if (unchecked.has(key)) return []
    const problem = keyProblem(key, value, body)
    const own = problem === undefined ? [] : [`${path}/${key} ${problem}`]
    return [...own, ...conventionProblems(value, `${path}/${key}`)]
  })
}
