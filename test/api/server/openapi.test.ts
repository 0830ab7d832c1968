// The document that describes the REST API.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { routes } from '#http/routes.ts'
import type { OpenApiDocument, Operation } from '#http/openapi.ts'
import { useApp } from '#test/app/app.ts'

const app = useApp()

async function readDocument(): Promise<OpenApiDocument> {
  return (await app.fetch('/api/openapi.json')).json() as Promise<OpenApiDocument>
}

const operationsOf = (document: OpenApiDocument): [string, string, Operation][] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, Operation] => [
      path,
      method,
      operation,
    ]),
  )

describe('/api/openapi.json', () => {
  test('has every route and nothing else', async () => {
    const document = await readDocument()
    const listed = operationsOf(document).map(([path, method]) => `${method.toUpperCase()} ${path}`)
    const declared = routes.map(
      (route) => `${route.method} ${route.path.replaceAll(/:(\w+)(\{[^}]*\})?/g, '{$1}')}`,
    )
    expect(listed.toSorted()).toEqual([...new Set(declared)].toSorted())
  })

  test('has the shape of OpenAPI 3.1', async () => {
    const document = await readDocument()
    expect(document.openapi).toMatch(/^3\.1\.\d+$/)
    expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) })
    const ids: string[] = []
    for (const [path, method, operation] of operationsOf(document)) {
      expect(path).toMatch(/^\/[^:]*$/)
      expect(['get', 'post', 'put', 'patch', 'delete']).toContain(method)
      ids.push(operation.operationId)
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      const parameters = operation.parameters as {
        name: string
        in: string
        required: boolean
        schema: object
      }[]
      expect(parameters.filter((item) => item.in === 'path').map((item) => item.name)).toEqual(inPath)
      expect(parameters.every((item) => item.in !== 'path' || item.required)).toBe(true)
      expect(new Set(parameters.map((item) => item.name)).size).toBe(parameters.length)
      expect([path, method === 'get' && operation.requestBody !== undefined]).toEqual([path, false])
      const { responses } = operation
      expect(Object.keys(responses).filter((status) => !/^[2345]\d\d$/.test(status))).toEqual([])
      const references = Object.values(responses).flatMap(
        (response) => (response as { $ref?: string }).$ref ?? [],
      )
      const shared = references.map((text) => text.split('/').at(-1))
      expect(Object.keys(document.components['responses'] ?? {})).toEqual(expect.arrayContaining(shared))
    }
    expect(ids.toSorted()).toEqual([...new Set(ids)].toSorted())
  })

  test('says who may call: any one of the scopes, or nobody in particular', async () => {
    const { paths, components } = await readDocument()
    expect(paths['/api/v1/statuses']?.['post']?.security).toEqual([
      { oauth2: ['write'] },
      { oauth2: ['write:statuses'] },
    ])
    expect(paths['/api/v1/timelines/public']?.['get']?.security?.[0]).toEqual({})
    expect(paths['/api/v1/instance']?.['get']?.security).toEqual([])
    expect(JSON.stringify(components['securitySchemes'])).toContain('write:statuses')
  })

  test('parameters come from the schemas that validate', async () => {
    const { paths } = await readDocument()
    const listing = paths['/api/v1/accounts/{id}/statuses']?.['get']
    expect(listing?.parameters).toContainEqual(
      expect.objectContaining({ name: 'exclude_replies', in: 'query', required: false }),
    )
    const posting = JSON.stringify(paths['/api/v1/statuses']?.['post']?.requestBody)
    expect(posting).toContain('in_reply_to_id')
    expect(posting).toContain('application/x-www-form-urlencoded')
  })

  test('answers come from what the routes return, entities by their names', async () => {
    const { paths, components } = await readDocument()
    type Content = Record<string, { schema?: object }>
    const answerOf = (path: string, method: string, status = '200') =>
      (paths[path]?.[method]?.responses[status] as { content?: Content } | undefined)?.content
    expect(answerOf('/api/v1/statuses/{id}', 'get')).toEqual({
      'application/json': { schema: { $ref: '#/components/schemas/Status' } },
    })
    expect(answerOf('/api/v1/timelines/home', 'get')).toEqual({
      'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Status' } } },
    })
    expect(answerOf('/api/v2/media', 'post', '202')).toEqual(answerOf('/api/v2/media', 'post'))
    expect(answerOf('/media/{key}', 'get')).toHaveProperty(['image/*'])
    expect(paths['/media_proxy/{id}/{part}']?.['get']?.responses).toHaveProperty('302')
    const schemas = components['schemas'] as Record<string, { required?: string[] }>
    expect(Object.keys(schemas).filter((name) => !/^[A-Z]\w+$/.test(name))).toEqual([])
    expect(schemas['Account']?.required).toEqual(expect.arrayContaining(['id', 'acct', 'last_status_at']))
    const names = [...JSON.stringify({ paths, components }).matchAll(/"#\/components\/schemas\/([^"]+)"/g)]
    expect(names.map(([, name]) => name).filter((name) => !schemas[name as string])).toEqual([])
    const silent = operationsOf({ paths } as OpenApiDocument).filter(
      ([, , { responses }]) =>
        !Object.entries(responses).some(([status, one]) => status.startsWith('3') || 'content' in one),
    )
    expect(silent.map(([path, method]) => `${method} ${path}`)).toEqual([])
  })

  test('every schema of the document compiles', async () => {
    const { components } = await readDocument()
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema({ $id: 'document', components })
    for (const name of Object.keys(components['schemas'] ?? {})) {
      expect([name, typeof ajv.getSchema(`document#/components/schemas/${name}`)]).toEqual([name, 'function'])
    }
  })

  test('a cached copy is not sent again', async () => {
    const first = await app.fetch('/api/openapi.json')
    const etag = first.headers.get('etag') as string
    const second = await app.fetch('/api/openapi.json', { headers: { 'if-none-match': etag } })
    expect(second.status).toBe(304)
  })
})
