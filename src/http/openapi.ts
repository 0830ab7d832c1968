// The OpenAPI 3.1 document of the REST API, made from the schemas that validate requests.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { versionText } from '#domain/server/instance/document-version.ts'
import type { Config, Ctx } from '#ports/ctx.ts'
import type { HttpApp } from './kit/app.ts'
import { isRaw, schemaOf, type Route } from './kit/route.ts'

interface Schema {
  [key: string]: unknown
  $ref?: string
  $defs?: Record<string, Schema>
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
}

export interface Operation {
  operationId: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters: object[]
  requestBody?: object
  responses: Record<string, object>
}

export interface OpenApiDocument {
  openapi: '3.1.0'
  info: object
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Record<string, object>
}

/** `/api/openapi.json`. Made when it is first asked for. */
export function addOpenApi(app: HttpApp, ctx: Ctx, routes: readonly Route[]): void {
  let made: { text: string; etag: string } | undefined
  app.get('/api/openapi.json', (c) => {
    made ??= withEtag(JSON.stringify(renderOpenApi(ctx.config, routes)))
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=300',
      etag: made.etag,
    }
    if (c.req.header('if-none-match')?.includes(made.etag.slice(2)))
      return new Response(null, { status: 304, headers })
    return new Response(made.text, { headers })
  })
}

function withEtag(text: string): { text: string; etag: string } {
  return { text, etag: `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
}

/** The document for these routes (https://spec.openapis.org/oas/v3.1.0). */
function renderOpenApi(config: Config, routes: readonly Route[]): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {}
  const { entities, answers } = describeAnswers(routes)
  for (const route of routes) {
    const path = templateOf(route.path)
    const operation = renderOperation(route, answers.get(route))
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${config.localDomain}: REST API`,
      version: versionText,
      description: 'Speaks the Mastodon client API. Lists are paged by their Link header.',
    },
    servers: [{ url: config.baseUrl }],
    paths,
    components: {
      securitySchemes: { oauth2: renderSecurityScheme(config, routes) },
      schemas: { Error: errorSchema, ...entities },
      responses: errorResponses(),
    },
  }
}

/** `/api/v1/statuses/:id` → `/api/v1/statuses/{id}`; a pattern behind the name is left out. */
function templateOf(path: string): string {
  return path.replaceAll(/:(\w+)(\{[^}]*\})?\??/g, '{$1}')
}

function renderOperation(route: Route, answer: Schema | undefined): Operation {
  const inPath = [...templateOf(route.path).matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string)
  const schema = paramsSchema(route)
  const properties = schema.properties ?? {}
  const others = Object.keys(properties).filter((name) => !inPath.includes(name))
  const inQuery = route.method === 'GET' || route.method === 'DELETE'
  const isNeeded = (name: string) => schema.required?.includes(name) ?? false
  const operation: Operation = {
    operationId: operationId(route),
    tags: [tagOf(route.path)],
    security: securityOf(route),
    parameters: [
      ...inPath.map((name) => ({
        name,
        in: 'path',
        required: true,
        schema: { ...properties[name], type: 'string' },
      })),
      ...(inQuery ? others : []).map((name) =>
        queryParameter(name, properties[name] as Schema, isNeeded(name)),
      ),
    ],
    responses: { ...answersOf(route, answer), ...refusalsOf(route) },
  }
  if (inQuery || others.length === 0) return operation
  const fields = Object.fromEntries(others.map((name) => [name, properties[name] as Schema]))
  const required = others.filter(isNeeded)
  const content = bodyContent(route, {
    type: 'object',
    properties: fields,
    ...(required.length > 0 && { required }),
  })
  return { ...operation, requestBody: { required: required.length > 0, content } }
}

/** The schemas of what operations answer, and of all entities in these by their names. */
function describeAnswers(routes: readonly Route[]) {
  const returned = routes.flatMap((route) => {
    const schema = schemaOf(route)
    return schema ? [{ route, schema }] : []
  })
  // One schema of them all, so that each entity is described once.
  const shape = Object.fromEntries(returned.map(({ schema }, index) => [String(index), schema]))
  const { $defs = {}, properties = {} } = toComponents(
    z.toJSONSchema(z.object(shape), { override: (made) => loosen(made.jsonSchema) }) as Schema,
  )
  return {
    entities: $defs,
    answers: new Map(returned.map(({ route }, index) => [route, properties[index] as Schema])),
  }
}

/** Later versions may add keys, which clients are to pass over; and that integers are exact goes without saying. */
function loosen(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}

/** With references as an OpenAPI document has them, past names that zod gives to what is but a reference itself. */
function toComponents({ $defs = {}, ...schema }: Schema): Schema {
  const aliases = Object.entries($defs).filter(([, { $ref }]) => $ref !== undefined)
  const named = Object.fromEntries(Object.entries($defs).filter(([, { $ref }]) => $ref === undefined))
  let text = JSON.stringify({ ...schema, $defs: named })
  for (const [name, { $ref }] of aliases) text = text.replaceAll(`"#/$defs/${name}"`, JSON.stringify($ref))
  return JSON.parse(text.replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/'))
}

/** What zod cannot say in JSON Schema, such as an uploaded file, becomes a schema that takes anything. */
function paramsSchema(route: Route): Schema {
  if (!route.params) return {}
  const { $schema: _, ...schema } = z.toJSONSchema(route.params, { io: 'input', unrepresentable: 'any' })
  return schema as Schema
}

function queryParameter(name: string, schema: Schema, required: boolean): object {
  if (schema.type !== 'array') return { name, in: 'query', required, schema }
  return { name: `${name}[]`, in: 'query', required, schema, style: 'form', explode: true }
}

function bodyContent(route: Route, schema: Schema): object {
  const types = ['application/json', 'application/x-www-form-urlencoded']
  if (route.uploads) types.push('multipart/form-data')
  return Object.fromEntries(types.map((type) => [type, { schema }]))
}

/** Any one of a route's scopes suffices, so each is an alternative of its own. */
function securityOf(route: Route): Record<string, string[]>[] {
  if (route.auth === 'none') return []
  const scopes = route.scopes.length > 0 ? route.scopes.map((scope) => [scope]) : [[]]
  const needed = scopes.map((list) => ({ oauth2: list }))
  return route.auth === 'optional' ? [{}, ...needed] : needed
}

function renderSecurityScheme(config: Config, routes: readonly Route[]): object {
  const names = [...new Set(routes.flatMap((route) => route.scopes))].toSorted()
  const scopes = Object.fromEntries(names.map((name) => [name, `Allows ${name}`]))
  const tokenUrl = `${config.baseUrl}/oauth/token`
  return {
    type: 'oauth2',
    flows: {
      authorizationCode: { authorizationUrl: `${config.baseUrl}/oauth/authorize`, tokenUrl, scopes },
      clientCredentials: { tokenUrl, scopes },
    },
  }
}

/** `GET /api/v1/statuses/:id/context` → `get_v1_statuses_id_context`. */
function operationId(route: Route): string {
  const words =
    templateOf(route.path)
      .replace(/^\/api\//, '')
      .match(/[A-Za-z0-9]+/g) ?? []
  return [route.method.toLowerCase(), ...words].join('_')
}

/** The first word of the path that says what it is about. */
function tagOf(path: string): string {
  const segments = path.split('/').filter((segment) => !/^(api|v\d+(_alpha)?|)$/.test(segment))
  return segments[0]?.replace(/^\./, '') ?? 'other'
}

const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: { type: 'string', description: 'What went wrong, for people.' },
    error_description: { type: 'string' },
    details: { type: 'object', description: 'Problems by field.' },
  },
}

const errors = {
  BadRequest: ['400', 'A parameter is missing.'],
  Unauthorized: ['401', 'There is no valid token.'],
  Forbidden: ['403', 'The token or the user may not do this.'],
  NotFound: ['404', 'There is no such thing, or the caller may not see it.'],
  Invalid: ['422', 'A parameter is wrong.'],
  TooMany: ['429', 'A rate limit is used up.'],
  Unavailable: ['503', 'The server cannot answer just now.'],
} as const

function errorResponses(): Record<string, object> {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
  return Object.fromEntries(
    Object.entries(errors).map(([name, [, description]]) => [name, { description, content }]),
  )
}

/** What the operation says when it succeeds. */
function answersOf(route: Route, schema: Schema | undefined): Record<string, object> {
  const types = isRaw(route.returns) ? route.returns.types : []
  const content = {
    ...(schema && { 'application/json': { schema } }),
    ...Object.fromEntries(types.map((type) => [type, {}])),
  }
  const answer = { description: 'Done.', ...(Object.keys(content).length > 0 && { content }) }
  return Object.fromEntries(route.statuses.map((status) => [status, answer]))
}

function refusalsOf(route: Route): Record<string, object> {
  const possible = Object.entries(errors).filter(([name]) => {
    if (name === 'Unauthorized' || name === 'Forbidden') return route.auth !== 'none'
    if (name === 'NotFound') return route.path.includes(':')
    return name === 'BadRequest' || name === 'Invalid' ? route.params !== undefined : true
  })
  return Object.fromEntries(
    possible.map(([name, [status]]) => [status, { $ref: `#/components/responses/${name}` }]),
  )
}
