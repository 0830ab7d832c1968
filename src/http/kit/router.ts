import type { Result, Router } from 'hono/router'
import { TrieRouter } from 'hono/router/trie-router'

/** In the paths of routes: a parameter, or any rest. */
const variable = /[:*]/

/**
 * Finds routes as Hono's own router does that takes every form of path. What it finds for a path of a route without
 * parameters is the same each time, and kept: there are no more of these than routes and methods.
 */
export function createRouter<T>(): Router<T> {
  const trie = new TrieRouter<T>()
  const literal = new Set<string>()
  const kept = new Map<string, Result<T>>()
  return {
    name: 'KeptRouter',
    add(method, path, handler) {
      trie.add(method, path, handler)
      if (!variable.test(path)) literal.add(path)
      kept.clear()
    },
    match(method, path) {
      if (!literal.has(path)) return trie.match(method, path)
      const key = `${method} ${path}`
      const known = kept.get(key)
      if (known) return known
      const result = trie.match(method, path)
      kept.set(key, result)
      return result
    },
  }
}
