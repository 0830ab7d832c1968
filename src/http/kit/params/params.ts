// One tolerant reader of parameters for all routes: query, JSON, form and multipart, in every spelling apps use.
import { bare } from '#lib/collections.ts'

/** A parameter tree as clients spell it: strings at the leaves, unless JSON said otherwise. */
export type ParamTree = { [key: string]: ParamValue }
export type ParamValue = string | number | boolean | null | UploadedFile | ParamValue[] | ParamTree

/** A file of a multipart request, streamed to disk. It is removed when the request ends. */
export interface UploadedFile {
  readonly kind: 'file'
  readonly path: string
  readonly size: number
  readonly filename: string
  readonly contentType: string
}

const maxDepth = 6
const maxPairs = 1000
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])
/** Only what the reader of multipart bodies has written: JSON can look like anything, so it proves nothing. */
const uploads = new WeakSet<object>()

/** Vouches that this file was written for this request. Only the reader of bodies may say so. */
export function asUpload(file: UploadedFile): UploadedFile {
  uploads.add(file)
  return file
}

/** Turns `a[b][]=c` pairs into a tree. Odd or hostile names are left out, never an error. */
export function treeFromPairs(pairs: Iterable<readonly [string, ParamValue]>): ParamTree {
  const root = bare<ParamTree>()
  let count = 0
  for (const [name, value] of pairs) {
    if (++count > maxPairs) break
    const keys = splitName(name)
    if (keys) insert(root, keys, clean(value, keys.length))
  }
  return root
}

/**
 * What no part behind this can hold is left out: zero bytes, halves of characters (they become U+FFFD), names of
 * the language, and what is nested too deep.
 */
function clean(value: ParamValue, depth: number): ParamValue {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed()
  if (typeof value !== 'object' || value === null || isUploadedFile(value)) return value
  if (depth >= maxDepth) return null
  if (Array.isArray(value)) return value.map((item) => clean(item, depth + 1))
  const tree = bare<ParamTree>()
  for (const [key, item] of Object.entries(value)) {
    if (!forbiddenKeys.has(key)) tree[key] = clean(item, depth + 1)
  }
  return tree
}

/** `a[b][]` → ['a', 'b', '']. Null when it is no name. */
function splitName(name: string): string[] | null {
  const open = name.indexOf('[')
  if (open <= 0) return name === '' || forbiddenKeys.has(name) ? null : [name]
  const keys = [name.slice(0, open)]
  for (let start = open; start >= 0;) {
    const end = name.indexOf(']', start)
    if (end < 0) break
    keys.push(name.slice(start + 1, end))
    start = name.indexOf('[', end)
  }
  return keys.length > maxDepth || keys.some((key) => forbiddenKeys.has(key)) ? null : keys
}

function insert(root: ParamTree, keys: readonly string[], value: ParamValue): void {
  let node: ParamTree | ParamValue[] = root
  for (let i = 0; i < keys.length - 1; i++) {
    const next: ParamTree | ParamValue[] | null = Array.isArray(node)
      ? openItem(node, keys[i + 1] as string)
      : childOf(node, keys, i)
    if (!next) return
    node = next
  }
  if (Array.isArray(node)) node.push(value)
  else node[keys.at(-1) as string] = value
}

/** What stands under a key, made when missing. Null when a plain value is in the way. */
function childOf(node: ParamTree, keys: readonly string[], i: number): ParamTree | ParamValue[] | null {
  const key = keys[i] as string
  const existing = node[key]
  if (existing === undefined) return (node[key] = keys[i + 1] === '' ? [] : bare<ParamTree>())
  return Array.isArray(existing) || isTree(existing) ? existing : null
}

/** The object that `a[][key]` writes to: the last one, or a new one once it has that key, as Rack does. */
function openItem(list: ParamValue[], key: string): ParamTree {
  const last = list.at(-1)
  if (isTree(last) && !(key in last)) return last
  const made = bare<ParamTree>()
  list.push(made)
  return made
}

export function isTree(value: unknown): value is ParamTree {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isUploadedFile(value)
}

export function isUploadedFile(value: unknown): value is UploadedFile {
  return typeof value === 'object' && value !== null && uploads.has(value)
}

/** Later trees win, name by name. */
export function mergeTrees(...trees: ParamTree[]): ParamTree {
  const merged = bare<ParamTree>()
  for (const tree of trees) for (const name in tree) merged[name] = tree[name] as ParamValue
  return merged
}

/** A JSON body as a tree; keys may themselves be spelled with brackets, as some apps do. */
export function treeFromJson(body: unknown): ParamTree {
  return isTree(body) ? treeFromPairs(Object.entries(body)) : bare<ParamTree>()
}

/** An array from `a[]=1&a[]=2`, `a[0]=1`, `a=1` or JSON; `undefined` when not given. */
export function asArray(value: ParamValue | undefined): ParamValue[] | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (Array.isArray(value)) return value
  if (isTree(value)) return Object.values(value)
  return [value]
}
