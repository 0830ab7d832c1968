/**
 * Writes docs/routes.md from the route table, so that one look finds the file of any endpoint, and counts the
 * table against the operations of the reference OpenAPI. With --check it only fails when the page is stale.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export interface ListedRoute {
  method: string
  /** '/api/v1/statuses/:id' */
  path: string
  /** 'src/http/api/v1/statuses/show.ts' */
  file: string
}

/** As in src/http/activitypub/endpoint.ts. */
interface ListedEndpoint extends ListedRoute {
  besidePage?: boolean
}

/** A document at the address of a page is another thing than the page. */
function nameDocument(endpoint: ListedEndpoint): ListedRoute {
  return endpoint.besidePage ? { ...endpoint, method: `${endpoint.method} (document)` } : endpoint
}

/** WebSocket and server-sent events: what is below the streaming path. */
const toStream = (path: string): ListedRoute => ({
  method: 'GET',
  path: `/api/v1/streaming/${path}`,
  file: 'src/streaming/streams.ts',
})

/** What balancers and monitors ask for. */
const probes: readonly ListedRoute[] = [
  { method: 'GET', path: '/api/v1/streaming', file: 'src/streaming/streaming.ts' },
  { method: 'GET', path: '/api/v1/streaming/health', file: 'src/streaming/upgrade-router.ts' },
  { method: 'GET', path: '/health', file: 'src/http/health.ts' },
  { method: 'GET', path: '/metrics', file: 'src/http/metrics.ts' },
]

interface ReferencePaths {
  paths: Record<string, Record<string, unknown>>
}

/** 'GET /api/v1/statuses/{}' for both `:id` and `{id}`, whatever the parameter's name and pattern. */
function normalise(method: string, path: string): string {
  const plain = path.replaceAll(/:\w+(\{[^/]*\})?|\{\w+\}/g, '{}')
  return `${method.toUpperCase()} ${plain}`
}

/** What stands between the version and the next slash; the first segment for paths outside the API. */
function areaOf(path: string): string {
  const [first = '', ...rest] = path.split('/').slice(1)
  if (first !== 'api')
    return first.startsWith(':') || first.startsWith('@') ? '(profile pages)' : first || '(root)'
  const [area = first, sub] = rest.filter((segment) => !/^v\d/.test(segment))
  return area === 'admin' && sub !== undefined ? `admin/${sub}` : area
}

function byText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

function table(routes: readonly ListedRoute[]): string {
  const rows = routes
    .toSorted((a, b) => byText(a.path, b.path) || byText(a.method, b.method))
    .map(({ method, path, file }) => `| ${method} \`${path}\` | [${file}](../${file}) |`)
  return ['| operation | file |', '| --- | --- |', ...rows].join('\n')
}

/** The operations of the reference, each with whether a route answers it. */
export function compare(routes: readonly ListedRoute[], reference: ReferencePaths) {
  const own = new Set(routes.map(({ method, path }) => normalise(method, path)))
  const all = Object.entries(reference.paths).flatMap(([path, verbs]) =>
    Object.keys(verbs).map((verb) => ({ method: verb.toUpperCase(), path })),
  )
  const missing = all.filter(({ method, path }) => !own.has(normalise(method, path)))
  return { total: all.length, present: all.length - missing.length, missing }
}

/** The whole page. The same table always gives the same text. */
export function renderRoutes(routes: readonly ListedRoute[], reference: ReferencePaths): string {
  const areas = Map.groupBy(routes, ({ path }) => areaOf(path))
  const { total, present, missing } = compare(routes, reference)
  const sections = [...areas.keys()]
    .toSorted(byText)
    .map((area) => `## ${area}\n\n${table(areas.get(area) ?? [])}`)
  const lacking = missing
    .toSorted((a, b) => byText(a.path, b.path) || byText(a.method, b.method))
    .map(({ method, path }) => `- ${method} \`${path}\``)
  return [
    '# Routes',
    'Generated from `src/http/routes.ts`, `src/http/web/pages.ts`, `src/http/activitypub/endpoints.ts` and `src/streaming/streams.ts` by `scripts/routes.ts`; do not edit.',
    `${routes.length} routes. ${present} of the ${total} operations of the reference API.`,
    ...sections,
    ...(lacking.length > 0 ? ['## Missing from the reference API', lacking.join('\n')] : []),
  ]
    .join('\n\n')
    .concat('\n')
}

/** What is wrong with the table itself: the same operation twice, or a file that is not there. */
export function tableProblems(routes: readonly ListedRoute[], exists: (file: string) => boolean): string[] {
  const operations = Map.groupBy(routes, ({ method, path }) => normalise(method, path))
  const twice = [...operations].filter(([, found]) => found.length > 1)
  const gone = routes.filter(({ file }) => !exists(file))
  return [
    ...twice.map(([name, found]) => `${name} is declared in ${found.map(({ file }) => file).join(' and ')}`),
    ...gone.map(({ method, path, file }) => `${method} ${path}: there is no ${file}`),
  ]
}

async function main(root: string, check: boolean): Promise<string[]> {
  const { routes: operations }: { routes: readonly ListedRoute[] } = await import(
    join(root, 'src/http/routes.ts')
  )
  const { pages }: { pages: readonly ListedRoute[] } = await import(join(root, 'src/http/web/pages.ts'))
  const { endpoints }: { endpoints: readonly ListedEndpoint[] } = await import(
    join(root, 'src/http/activitypub/endpoints.ts')
  )
  const { streamPaths }: { streamPaths: readonly string[] } = await import(
    join(root, 'src/streaming/streams.ts')
  )
  const routes = [
    ...operations,
    ...pages,
    ...endpoints.map(nameDocument),
    ...streamPaths.map(toStream),
    ...probes,
  ]
  const reference: ReferencePaths = JSON.parse(
    readFileSync(join(root, 'test/support/openapi/reference.json'), 'utf8'),
  )
  const page = join(root, 'docs/routes.md')
  const text = renderRoutes(routes, reference)
  const { present, total } = compare(routes, reference)
  console.log(`routes: ${routes.length}, of the reference's operations ${present} of ${total}`)
  const problems = tableProblems(routes, (file) => existsSync(join(root, file)))
  if (!check) writeFileSync(page, text)
  else if (!existsSync(page) || readFileSync(page, 'utf8') !== text) {
    problems.push('docs/routes.md is stale: run scripts/routes.ts')
  }
  return problems
}

if (import.meta.main) {
  const problems = await main(resolve(import.meta.dirname, '..'), process.argv.includes('--check'))
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}
