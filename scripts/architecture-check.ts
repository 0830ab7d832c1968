/**
 * Checks src/ and client/ against architecture.mjs: layers, the order of the domain, restricted packages, cycles, and imports
 * that lead nowhere. An own program, because dependency-cruiser reads TypeScript through the compiler's JavaScript
 * interface (TypeScript below 7) and this project has TypeScript 7, which has none: it would see no .ts file.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { domainWings, folderSizes, layers, restrictedPackages, restrictedTexts } from '../architecture.mjs'
import { isNode, visitNodes } from './syntax.ts'
import type { SyntaxNode } from './syntax.ts'

interface Import {
  specifier: string
  line: number
  /** True when the import leaves nothing at run time. */
  typeOnly: boolean
}

interface Edge extends Import {
  /** Path from the root, with slashes. */
  from: string
  /** Path from the root, or the package's name. */
  to: string
  kind: 'file' | 'package' | 'missing'
}

interface Manifest {
  imports?: Record<string, string>
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** An import whose every name is marked `type` is one of types, whether or not the whole is marked. */
function isTypeOnly(node: SyntaxNode): boolean {
  if (node.type === 'TSImportType' || node.importKind === 'type' || node.exportKind === 'type') return true
  const names = Array.isArray(node.specifiers) ? node.specifiers.filter(isNode) : []
  return names.length > 0 && names.every((name) => name.importKind === 'type' || name.exportKind === 'type')
}

const importing = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
  'TSExternalModuleReference',
])

/** All imports of a source text: static, re-exports, dynamic with a literal, `import('x').T` and `import type`. */
export function listImports(source: string, lang: 'ts' | 'tsx' = 'ts'): Import[] {
  const found: Import[] = []
  const look = (node: SyntaxNode) => {
    const target = node.source ?? node.expression
    if (!importing.has(String(node.type)) || !isNode(target) || typeof target.value !== 'string') return
    const line = source.slice(0, Number(node.start)).split('\n').length
    found.push({ specifier: target.value, line, typeOnly: isTypeOnly(node) })
  }
  visitNodes(source, look, lang)
  return found
}

function listFiles(root: string): string[] {
  return readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]s$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .toSorted()
}

/** The file that a `#name/*` specifier stands for, after package.json's "imports". */
function mapAlias(manifest: Manifest, specifier: string): string | undefined {
  for (const [pattern, target] of Object.entries(manifest.imports ?? {})) {
    const [before = '', after = ''] = pattern.split('*')
    if (!pattern.includes('*') && specifier === pattern) return target
    if (pattern.includes('*') && specifier.startsWith(before) && specifier.endsWith(after)) {
      return target.replaceAll('*', specifier.slice(before.length, specifier.length - after.length))
    }
  }
  return undefined
}

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

function toEdge(root: string, manifest: Manifest, from: string, found: Import): Edge {
  const { specifier } = found
  if (!/^[.#/]/.test(specifier)) return { ...found, from, to: packageName(specifier), kind: 'package' }
  const mapped = specifier.startsWith('#') ? mapAlias(manifest, specifier) : undefined
  const path = mapped === undefined ? resolve(root, dirname(from), specifier) : resolve(root, mapped)
  const known = !(specifier.startsWith('#') && mapped === undefined) && existsSync(path)
  return {
    ...found,
    from,
    to: relative(root, path).split(sep).join('/'),
    kind: known && /\.\w+$/.test(path) ? 'file' : 'missing',
  }
}

const isTest = (file: string): boolean => file.endsWith('.test.ts')

/** As `content/polls`, in the order in which they may import each other. */
const domainOrder = Object.entries(domainWings).flatMap(([wing, capabilities]) =>
  capabilities.map((capability) => `${wing}/${capability}`),
)

/** 'src/domain/content/polls/vote.ts' → layer 'domain', capability 'content/polls'; 'src/main.ts' → layer 'main.ts'. */
function locate(file: string): { layer: string; capability: string | undefined } {
  const [, layer = '', wing, capability, ...rest] = file.split('/')
  return { layer, capability: layer === 'domain' && rest.length > 0 ? `${wing}/${capability}` : undefined }
}

function placeProblems(file: string): string[] {
  const { layer, capability } = locate(file)
  if (!Object.hasOwn(layers, layer)) return [`${file}: src/${layer} is not in architecture.mjs`]
  if (layer !== 'domain') return []
  if (capability === undefined)
    return [`${file}: files of the domain belong in the folder of a capability, in its wing`]
  return domainOrder.includes(capability)
    ? []
    : [`${file}: the capability ${capability} is not in the wings of the domain`]
}

function domainProblem(edge: Edge): string | undefined {
  const [from, to] = [locate(edge.from).capability ?? '', locate(edge.to).capability ?? '']
  if (from === to || domainOrder.indexOf(to) < domainOrder.indexOf(from)) return undefined
  return `the capability ${from} must not import ${to}, which comes after it`
}

function fileProblem(edge: Edge): string | undefined {
  if (!edge.to.startsWith('src/')) {
    const allowed = edge.to === 'package.json' || (isTest(edge.from) && edge.to.startsWith('test/'))
    return allowed ? undefined : `${edge.to} is not for the program: only tests may import test/`
  }
  if (isTest(edge.to)) return `${edge.to} is a test`
  const [from, to] = [locate(edge.from).layer, locate(edge.to).layer]
  if (from === to) return from === 'domain' ? domainProblem(edge) : undefined
  const layer = layers[from]
  if (layer === undefined || layer.imports.includes(to)) return undefined
  if (!layer.typesOnly?.includes(to)) return `${from} must not import ${to}`
  return edge.typeOnly ? undefined : `${from} may import only types of ${to}`
}

function packageProblem(edge: Edge, manifest: Manifest): string | undefined {
  if (edge.to.startsWith('node:')) return undefined
  const { layer } = locate(edge.from)
  const rule = restrictedPackages.find(
    ({ name }) => name === edge.to || (name.endsWith('/*') && edge.to.startsWith(name.slice(0, -1))),
  )
  if (rule !== undefined && !rule.folders.includes(layer)) {
    if (!rule.typesOnly.includes(layer)) return `${layer} must not import ${edge.to}`
    if (!edge.typeOnly) return `${layer} may import only types of ${edge.to}`
  }
  const installed = { ...manifest.dependencies, ...manifest.optionalDependencies }
  if (isTest(edge.from) || edge.typeOnly || Object.hasOwn(installed, edge.to)) return undefined
  return `${edge.to} is not among the dependencies in package.json`
}

function textProblems(file: string, text: string): string[] {
  return restrictedTexts.flatMap(({ pattern, folders, instead }) => {
    if (isTest(file) || folders.includes(locate(file).layer)) return []
    const place = text.search(pattern)
    return place < 0 ? [] : [`${file}:${text.slice(0, place).split('\n').length}: ${instead}`]
  })
}

function edgeProblem(edge: Edge, manifest: Manifest): string | undefined {
  if (edge.kind === 'missing') return `${edge.specifier} leads to no file`
  return edge.kind === 'file' ? fileProblem(edge) : packageProblem(edge, manifest)
}

const clientSources = (root: string): string[] =>
  readdirSync(join(root, 'client/src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .toSorted()

/** Data and styles that the server reads as files for its pages. */
const isSharedWithPages = (file: string): boolean =>
  file === 'client/tokens.css' || /^client\/shared\/[\w-]+\.(?:css|json)$/.test(file)

/** What a file of the web app may import: its own, types of what the API answers, and what is built into it. */
function clientProblem(edge: Edge, manifest: Manifest): string | undefined {
  if (edge.to.startsWith('client/src/')) return undefined
  if (edge.to.startsWith('src/entities/'))
    return edge.typeOnly ? undefined : 'the web app may import only types of entities'
  if (edge.kind === 'file')
    return isSharedWithPages(edge.to) ? undefined : `the web app must not import ${edge.to}`
  if (edge.kind === 'missing') return `${edge.specifier} leads to no file`
  if (edge.specifier.startsWith('virtual:')) return undefined
  return Object.hasOwn({ ...manifest.dependencies, ...manifest.devDependencies }, edge.to)
    ? undefined
    : `${edge.to} is not among the dependencies in package.json`
}

/** One line per import of the web app that is not allowed. The program may not import the app: see `fileProblem`. */
function clientProblems(root: string, manifest: Manifest): string[] {
  if (!existsSync(join(root, 'client/src'))) return []
  return clientSources(root).flatMap((file) => {
    const found = listImports(readFileSync(join(root, file), 'utf8'), file.endsWith('.tsx') ? 'tsx' : 'ts')
    return found.flatMap((one) => {
      const problem = clientProblem(toEdge(root, manifest, file, one), manifest)
      return problem === undefined ? [] : [`${file}:${one.line}: ${problem}`]
    })
  })
}

/** One line per pair of folders that import each other, naming an import of each. Tests may import what they like. */
function mutualProblems(edges: Edge[]): string[] {
  const between = new Map<string, Edge>()
  for (const edge of edges) {
    const [from, to] = [dirname(edge.from), dirname(edge.to)]
    if (edge.kind === 'file' && from !== to && !isTest(edge.from)) between.set(`${from} ${to}`, edge)
  }
  return [...between].flatMap(([pair, edge]) => {
    const [from = '', to = ''] = pair.split(' ')
    const back = between.get(`${to} ${from}`)
    if (!back || from > to) return []
    return [
      `${edge.from}:${edge.line}: ${from} imports ${to}, which imports it at ${back.from}:${back.line}: put what both need into a third folder`,
    ]
  })
}

/** One line per folder with more files of its own than `folderSizes` allows, and per exemption that is not needed. */
function sizeProblems(root: string): string[] {
  const sizes = new Map<string, number>()
  for (const top of folderSizes.in.filter((name) => existsSync(join(root, name)))) {
    for (const entry of readdirSync(join(root, top), { recursive: true, withFileTypes: true })) {
      const folder = relative(root, entry.parentPath).split(sep).join('/')
      if (entry.isFile()) sizes.set(folder, (sizes.get(folder) ?? 0) + 1)
    }
  }
  const { max, crowded } = folderSizes
  const over = [...sizes].filter(([folder, size]) => size > max && !Object.hasOwn(crowded, folder))
  return [
    ...over.map(([folder, size]) => `${folder}: ${size} files: a folder has at most ${max}`),
    ...Object.keys(crowded)
      .filter((folder) => (sizes.get(folder) ?? Infinity) <= max)
      .map((folder) => `${folder}: has at most ${max} files and needs no exemption in architecture.mjs`),
  ]
}

/** One line per knot of files that import each other, naming a shortest way round. */
function cycleProblems(edges: Edge[]): string[] {
  const next = Map.groupBy(
    edges.filter((edge) => edge.kind === 'file'),
    (edge) => edge.from,
  )
  const reported = new Set<string>()
  const problems: string[] = []
  for (const start of next.keys()) {
    if (reported.has(start)) continue
    const cycle = shortestCycle(start, next)
    if (cycle === undefined) continue
    for (const file of cycle) reported.add(file)
    problems.push(`${start}: cycle: ${[...cycle, start].join(' → ')}`)
  }
  return problems
}

function shortestCycle(start: string, next: Map<string, Edge[]>): string[] | undefined {
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (const file of queue) {
    for (const { to } of next.get(file) ?? []) {
      if (to === start) return wayBack(file, start, cameFrom)
      if (cameFrom.has(to)) continue
      cameFrom.set(to, file)
      queue.push(to)
    }
  }
  return undefined
}

function wayBack(end: string, start: string, cameFrom: Map<string, string>): string[] {
  const way = [end]
  while (way[0] !== start && way[0] !== undefined) way.unshift(cameFrom.get(way[0]) ?? start)
  return way
}

interface Source {
  manifest: Manifest
  files: string[]
  texts: (readonly [file: string, text: string])[]
  edges: Edge[]
}

/** Every source file under `root`/src with what it imports. Throws when a file cannot be parsed. */
function readSource(root: string): Source {
  const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const files = listFiles(root)
  const texts = files.map((file) => [file, readFileSync(join(root, file), 'utf8')] as const)
  const edges = texts.flatMap(([file, text]) =>
    listImports(text).map((found) => toEdge(root, manifest, file, found)),
  )
  return { manifest, files, texts, edges }
}

/**
 * Looks at every source file under `root`/src, counts the files of all folders, and returns one line per violation, as
 * `file:line: what`. An empty list means that the tree follows architecture.mjs. Throws when a file cannot be parsed.
 */
export function checkArchitecture(root: string, source = readSource(root)): string[] {
  const { manifest, files, texts, edges } = source
  const wrong = edges.flatMap((edge) => {
    const problem = edgeProblem(edge, manifest)
    return problem === undefined ? [] : [`${edge.from}:${edge.line}: ${problem}`]
  })
  return [
    ...files.flatMap(placeProblems),
    ...wrong,
    ...texts.flatMap(([file, text]) => textProblems(file, text)),
    ...cycleProblems(edges),
    ...mutualProblems(edges),
    ...sizeProblems(root),
    ...clientProblems(root, manifest),
  ]
}

/** How many pairs of capabilities of the domain there are of which one imports the other, tests left out. */
function countArrows(edges: readonly Edge[]): number {
  const pairs = edges.flatMap(({ from, to }) => {
    const [one, other] = [locate(from).capability, locate(to).capability]
    return one && other && one !== other && !isTest(from) ? [`${one} ${other}`] : []
  })
  return new Set(pairs).size
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, '..')
  const source = readSource(root)
  const problems = checkArchitecture(root, source)
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
  else {
    const arrows = countArrows(source.edges)
    console.log(
      `architecture: as in architecture.mjs; ${arrows} arrows between ${domainOrder.length} capabilities`,
    )
  }
}
