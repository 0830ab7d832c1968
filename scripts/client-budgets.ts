/**
 * Holds what the web app loads until its first timeline to its budgets, from what is built: bytes as they are sent
 * (brotli), and requests. Builds the app when it is older than its sources.
 */
import { readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildApp } from '../client/build/build.ts'

interface Build {
  script: string
  stylesheet: string
  texts: Record<string, string>
}

/** Bytes of scripts and stylesheets, and requests, the document and pictures of the page included. */
export const budgets = { script: 80_000, stylesheet: 15_000, requests: 12 } as const
/** The document, the icon, and pictures that are seen first. */
const otherRequests = 6

const dist = resolve(import.meta.dirname, '../client/dist')
const sent = (path: string) => statSync(join(dist, `${path}.br`)).size

/** The chunks that a script imports by name: they are loaded before it runs. */
function withImports(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found
  found.add(path)
  const source = readFileSync(join(dist, path), 'utf8')
  for (const [, name = ''] of source.matchAll(
    /(?:^|[;}\s])(?:import|export)\s*(?:[^'"()]*?from)?\s*["']\.\/([^"']+)["']/g,
  ))
    withImports(join(path, '..', name), found)
  return found
}

/** What is over its budget, a line each. */
export function measureBuild(build: Build): { problems: string[]; told: string } {
  const texts = Object.values(build.texts).toSorted((a, b) => sent(b) - sent(a))
  const scripts = [...withImports(build.script), ...texts.slice(0, 1)]
  const found = {
    script: scripts.reduce((sum, path) => sum + sent(path), 0),
    stylesheet: sent(build.stylesheet),
    requests: scripts.length + 1 + otherRequests,
  }
  const names = Object.keys(budgets) as (keyof typeof budgets)[]
  return {
    problems: names
      .filter((name) => found[name] > budgets[name])
      .map((name) => `the web app is over its budget: ${name} ${found[name]} of ${budgets[name]}`),
    told: `web app: ${found.script} bytes of scripts, ${found.stylesheet} of styles, ${scripts.length} scripts until the first timeline`,
  }
}

if (import.meta.main) {
  await buildApp()
  const { problems, told } = measureBuild(JSON.parse(readFileSync(join(dist, 'build.json'), 'utf8')) as Build)
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
  else console.log(told)
}
