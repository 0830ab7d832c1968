import type { Params, Result, Router } from 'hono/router'
import { TrieRouter } from 'hono/router/trie-router'
import { bare } from '#lib/collections.ts'
import { createShapes } from './route-shapes.ts'

/** Shapes of paths that are kept: all that there are of real requests, and an end to made up ones. */
const maxKept = 4_000

/** What was added, with where the segments stand that are its parameters. */
interface Added<T> {
  handler: T
  params: readonly (readonly [name: string, index: number])[]
}

/**
 * Finds routes as Hono's own router does that takes every form of path. What it finds follows from the shape of a path
 * (route-shapes.ts), so that it is looked for once for each shape; the parameters are the path's own.
 */
export function createRouter<T>(): Router<T> {
  const trie = new TrieRouter<Added<T>>()
  const shapes = createShapes()
  const kept = new Map<string, Added<T>[]>()
  /** Of paths that routes name from end to end: nothing in them is a parameter. */
  const whole = new Map<string, Result<T>>()
  return {
    name: 'KeptRouter',
    add(method, path, handler) {
      trie.add(method, path, { handler, params: shapes.add(path) })
      kept.clear()
      whole.clear()
    },
    match(method, path): Result<T> {
      const same = whole.get(method + path)
      if (same) return same
      const segments = splitPath(path)
      const shape = shapes.of(segments)
      if (shape === null)
        return [matchTrie(trie, method, path).map(([{ handler }, params]) => [handler, params])]
      const key = method + shape
      const known = kept.get(key)
      const found = known ?? matchTrie(trie, method, path).map(([added]) => added)
      if (!known && kept.size < maxKept) kept.set(key, found)
      const result: Result<T> = [found.map((added) => [added.handler, paramsOf(added, segments)])]
      if (shape === path && whole.size < maxKept) whole.set(method + path, result)
      return result
    },
  }
}

/** A trie tells parameters by their names, not by places in a list. */
const matchTrie = <T>(trie: TrieRouter<T>, method: string, path: string): [T, Params][] =>
  trie.match(method, path)[0] as [T, Params][]

const splitPath = (path: string): string[] => (path.startsWith('/') ? path.slice(1) : path).split('/')

const none = bare<Params>()

function paramsOf({ params }: Added<unknown>, segments: readonly string[]): Params {
  if (params.length === 0) return none
  const found = bare<Params>()
  for (const [name, index] of params) found[name] = segments[index] ?? ''
  return found
}
