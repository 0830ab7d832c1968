// Linked data in web pages (https://schema.org/NewsArticle), as much of it as a preview shows.
import { cleanText } from '../text/text.ts'

export interface LinkedData {
  title: string
  description: string
  language: string | null
  siteName: string
  author: { name: string; url: string | null } | null
  publishedAt: string | null
  image: string | null
}

/** Better kinds first. */
const kinds = [
  ['NewsArticle', 'ReportageNewsArticle', 'AnalysisNewsArticle', 'OpinionNewsArticle', 'LiveBlogPosting'],
  ['Article', 'BlogPosting', 'SocialMediaPosting', 'TechArticle'],
  ['WebPage', 'VideoObject'],
]
const maxNodes = 200

/** The best description of a page in its scripts; empty where there is none. Never fails. */
export function parseLinkedData(scripts: readonly string[]): LinkedData {
  const nodes = scripts.flatMap((script) => flatten(parse(script))).slice(0, maxNodes)
  const node =
    kinds.map((kind) => nodes.find((one) => isOf(one, kind))).find((one) => one !== undefined) ?? {}
  const author = first(node['author'])
  return {
    title: textOf(node['headline']) || textOf(node['name']),
    description: textOf(node['description']),
    language: textOf(node['inLanguage']) || null,
    siteName: nameOf(first(node['publisher'])),
    author: author === undefined ? null : { name: nameOf(author), url: urlOf(author) },
    publishedAt: textOf(node['datePublished']) || null,
    image: urlOf(first(node['image'])) ?? (urlOf(first(node['thumbnailUrl'])) || null),
  }
}

type Node = Record<string, unknown>

function parse(script: string): unknown {
  try {
    // Some pages hide it from ancient browsers.
    return JSON.parse(script.replace(/^\s*(?:<!\[CDATA\[|<!--)/, '').replace(/(?:\]\]>|-->)\s*$/, ''))
  } catch {
    return null
  }
}

function flatten(value: unknown): Node[] {
  if (Array.isArray(value)) return value.slice(0, maxNodes).flatMap((one) => flattenOne(one))
  return flattenOne(value)
}

function flattenOne(value: unknown): Node[] {
  if (!isNode(value)) return []
  const graph = value['@graph']
  return [value, ...(Array.isArray(graph) ? graph.filter(isNode) : [])]
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isOf(node: Node, kind: readonly string[]): boolean {
  const types = Array.isArray(node['@type']) ? node['@type'] : [node['@type']]
  return types.some((type) => kind.includes(String(type)))
}

const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value)

function textOf(value: unknown): string {
  const one = first(value)
  return typeof one === 'string' ? cleanText(one).trim() : ''
}

const nameOf = (value: unknown): string => (isNode(value) ? textOf(value['name']) : textOf(value))

function urlOf(value: unknown): string | null {
  const text = isNode(value) ? textOf(value['url']) || textOf(value['contentUrl']) : textOf(value)
  return /^https?:|^\//i.test(text) ? text : null
}
