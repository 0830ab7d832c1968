// Addresses, mentions and hashtags in Markdown: found before emphasis is, so that `@a_b_` and `/_x_` stay whole.

import type { StateInline } from 'markdown-it'
import type { LinkEntity } from '../text/links.ts'
import { extractEntities, type Replacement, type TextEntities } from '../text/text.ts'

export interface MarkdownEntity extends Replacement {
  /** Told of an entity that was read as one. */
  note?: () => void
}

/** What the parser is given along with a text: which entities of a paragraph count, and their HTML. */
interface Environment {
  choose(entities: TextEntities): MarkdownEntity[]
}

const ofParagraph = new WeakMap<StateInline, readonly MarkdownEntity[]>()

/** The entities of the paragraph that is being read, in order. */
function entitiesOf(state: StateInline): readonly MarkdownEntity[] {
  const known = ofParagraph.get(state)
  if (known) return known
  const { choose } = state.env as unknown as Environment
  const entities = extractEntities(state.src)
  const chosen = choose({ ...entities, links: entities.links.map(cutAtBracket) })
  chosen.sort((a, b) => a.start - b.start)
  ofParagraph.set(state, chosen)
  return chosen
}

/** In `[https://a.example](https://b.example)` the first address ends where the label does. */
function cutAtBracket(link: LinkEntity): LinkEntity {
  let open = 0
  for (let index = 0; index < link.url.length; index += 1) {
    if (link.url[index] === '[') open += 1
    if (link.url[index] === ']') open -= 1
    if (open < 0) return { url: link.url.slice(0, index), start: link.start, end: link.start + index }
  }
  return link
}

/** The first entity that begins at `position` or after it. */
function entityFrom(state: StateInline, position: number): MarkdownEntity | undefined {
  const entities = entitiesOf(state)
  let low = 0
  let high = entities.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (entities[middle]!.start < position) low = middle + 1
    else high = middle
  }
  return entities[low]
}

/** An entity that begins at `position` and may be linked there. */
function entityAt(state: StateInline, position: number): MarkdownEntity | null {
  const entity = entityFrom(state, position)
  const fits = entity?.start === position && entity.end <= state.posMax && state.linkLevel === 0
  return fits ? entity : null
}

function push(state: StateInline, entity: MarkdownEntity): void {
  const token = state.push('named', '', 0)
  token.content = entity.text
  token.markup = state.src.slice(entity.start, entity.end)
  token.meta = { entity }
}

/** A rule of markdown-it: an entity as a token of its own. */
export function readEntity(state: StateInline, silent: boolean): boolean {
  const entity = entityAt(state, state.pos)
  if (!entity) return false
  if (!silent) push(state, entity)
  state.pos = entity.end
  return true
}

/** A rule of markdown-it: `<https://…>` is the address without its brackets. */
export function readAngled(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos] !== '<') return false
  const entity = entityAt(state, state.pos + 1)
  if (!entity || state.src[entity.end] !== '>' || entity.end >= state.posMax) return false
  if (!silent) push(state, entity)
  state.pos = entity.end + 1
  return true
}

const special = /[\n!#$%&*+\-:<=>@[\\\]^_`{}~]/g

/** A rule of markdown-it: plain text up to what may be more, such as the beginning of an entity. */
export function readText(state: StateInline, silent: boolean): boolean {
  special.lastIndex = state.pos
  const mark = special.exec(state.src)?.index ?? state.posMax
  const entity = entityFrom(state, state.pos + 1)?.start ?? state.posMax
  const end = Math.min(mark, entity, state.posMax)
  if (end <= state.pos) return false
  if (!silent) state.pending += state.src.slice(state.pos, end)
  state.pos = end
  return true
}
