/**
 * Checks answers of the server against the reference OpenAPI of the Mastodon API and the project's conventions,
 * so that every test that talks to the API also tests the form of what it gets.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ErrorObject, ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import { conventionProblems } from './conventions.ts'
import { createOperationFinder } from './operations.ts'
import type { FoundOperation } from './operations.ts'
import { loadReference } from './schemas.ts'
import type { Reference, Schema } from './schemas.ts'

export interface CheckedRequest {
  method: string
  /** Absolute, or a path; the query is ignored. */
  url: string
}

export interface CheckedResponse {
  status: number
  contentType: string | null
  /** The parsed JSON; anything when the content type is not JSON. */
  body: unknown
}

export interface ResponseValidator {
  /** One line per problem; empty when the answer is as documented. Operations of our own are held to the conventions. */
  check(request: CheckedRequest, response: CheckedResponse): string[]
  /** How often each operation of the reference has been checked, by name. */
  seen(): { operation: string; count: number }[]
}

const maxProblems = 20

/** These three stand for "done", "accepted" and "not ready yet" of the same answer. */
const interchangeable = new Set([200, 202, 206])

function createCompiler(reference: Reference): (schema: Schema) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true })
  formats.default(ajv)
  ajv.addFormat('iso-639-1', /^[a-z]{2,3}(-[A-Za-z]+)*$/)
  ajv.addSchema({ components: reference.components }, 'reference')
  const compiled = new Map<string, ValidateFunction>()
  return (schema) => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"reference#/')
    const known = compiled.get(text)
    if (known !== undefined) return known
    const validate = ajv.compile(JSON.parse(text))
    compiled.set(text, validate)
    return validate
  }
}

function describe(error: ErrorObject): string {
  const { params } = error
  const allowed: unknown = params.allowedValues ?? params.allowedValue
  if (error.keyword === 'not') return `${error.instancePath} has a key that must not be there`
  return `${error.instancePath} ${error.message}${allowed === undefined ? '' : `: ${JSON.stringify(allowed)}`}`
}

/** That no branch of an anyOf fits says less than why each did not; null branches only add noise. */
function listErrors(errors: ErrorObject[]): string[] {
  const telling = errors.filter((error) => !(error.keyword === 'type' && error.params.type === 'null'))
  return [...new Set((telling.length > 0 ? telling : errors).map(describe))]
}

/** The schema to hold an answer to; 'undocumented' when the operation should not answer with this status. */
function chooseSchema({ operation }: FoundOperation, status: number): Schema | undefined | 'undocumented' {
  if (status >= 400) return status === 500 ? 'undocumented' : { $ref: '#/components/schemas/AnyError' }
  if (status < 200 || status >= 300) return undefined
  const { responses } = operation
  const exact = responses[status]
  if (exact !== undefined) return exact.content?.['application/json']?.schema
  const variant = Object.keys(responses).find((other) => interchangeable.has(Number(other)))
  if (!interchangeable.has(status) || variant === undefined) return 'undocumented'
  return responses[variant]?.content?.['application/json']?.schema
}

/**
 * A validator that reads the reference once and compiles a schema when it is first needed. `compatBlockedBy` says
 * that the server runs with COMPAT_BLOCKED_BY; without it relationships must not have the key.
 */
export function createResponseValidator(options: { compatBlockedBy?: boolean } = {}): ResponseValidator {
  const reference = loadReference({ compatBlockedBy: options.compatBlockedBy ?? false })
  const find = createOperationFinder(reference)
  const compile = createCompiler(reference)
  const counts = new Map<string, number>()

  function schemaProblems(found: FoundOperation, { status, contentType, body }: CheckedResponse): string[] {
    const schema = chooseSchema(found, status)
    if (schema === 'undocumented') return ['the reference has no such status here']
    if (schema === undefined) return []
    if (!isJson(contentType)) return [`the content type is ${contentType}, not application/json`]
    const validate = compile(schema)
    return validate(body) ? [] : listErrors(validate.errors ?? [])
  }

  return {
    check(request, response) {
      const method = request.method.toUpperCase()
      const found = find(method, request.url)
      if (found !== undefined) counts.set(found.name, (counts.get(found.name) ?? 0) + 1)
      const { pathname } = new URL(request.url, 'http://localhost')
      const hasBody = method !== 'HEAD'
      const general = pathname.startsWith('/api/') && isJson(response.contentType) && hasBody
      const problems = [
        ...(found !== undefined && hasBody ? schemaProblems(found, response) : []),
        ...(general ? conventionProblems(response.body) : []),
      ]
      const name = `${found?.name ?? `${method} ${pathname}`} ${response.status}`
      return problems.slice(0, maxProblems).map((problem) => `${name}: ${problem.trim()}`)
    },
    seen() {
      return [...counts].map(([operation, count]) => ({ operation, count })).toSorted(byName)
    },
  }
}

const byName = (a: { operation: string }, b: { operation: string }): number =>
  a.operation < b.operation ? -1 : 1

function isJson(contentType: string | null): boolean {
  return /^application\/json\b/i.test(contentType ?? '')
}
