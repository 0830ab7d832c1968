// Posts as they are on real servers: what they say and what they carry, the same each time for the same seed.
import { generator } from './random.ts'

export interface Post {
  author: number
  visibility: 'public' | 'unlisted' | 'private'
  text: string
  content: string
  spoiler: string
  /** The place of the post it answers, or null. */
  parent: number | null
  /** The place of the post it boosts: then it says and carries nothing of its own. */
  boost: number | null
  /** The place of the post it quotes. */
  quote: number | null
  mentions: number[]
  tags: number[]
  /** How many pictures. */
  media: number
  card: number | null
  poll: boolean
}

export const tagCount = 200
export const emojiCount = 60
export const cardCount = 2000
/** The base of links in the texts, whatever the server's is: whoever reads them resolves none. */
const site = 'http://127.0.0.1:3999'

const words =
  'river stone morning coffee server garden winter music paper train cloud bridge small quiet bread window northern signal letter market orange silver engine harbor lantern meadow puzzle kernel thread ocean ticket velvet wander yellow zebra against between another because forever nothing outside perhaps quickly rather simply through under within walking reading writing building finding losing making taking asking'.split(
    ' ',
  )

export interface Dice {
  (): number
  below(n: number): number
  chance(share: number): boolean
  words(characters: number): string
}

export function createDice(seed: number): Dice {
  const random = generator(seed)
  const below = (n: number) => Math.floor(random() * n)
  return Object.assign(() => random(), {
    below,
    chance: (share: number) => random() < share,
    words(characters: number) {
      let text = words[below(words.length)] as string
      while (text.length < characters) text += ` ${words[below(words.length)]}`
      return text
    },
  })
}

/**
 * `count` posts by `people`, a few of whom write much. Texts of 20 to 500 characters; one in ten is a boost and one in
 * four an answer; two in five carry pictures, three in ten a card; further ones a poll, a quote, emoji, mentions, tags.
 */
export function writePosts(count: number, people: number): Post[] {
  const dice = createDice(11)
  const posts: Post[] = []
  for (let place = 0; place < count; place++) posts.push(writePost(dice, people, posts))
  return posts
}

function writePost(dice: Dice, people: number, earlier: readonly Post[]): Post {
  const author = Math.floor(dice() ** 1.5 * people)
  const near = (within: number) => pickOpen(dice, earlier, within)
  const boost = dice.chance(0.1) ? near(4000) : null
  if (boost !== null) return { ...nothing, author, boost }
  const parent = dice.chance(0.25) ? near(1500) : null
  const media = dice.chance(0.4) ? 1 + (dice.chance(0.25) ? dice.below(4) : 0) : 0
  const mentions = new Set<number>()
  if (parent !== null) mentions.add((earlier[parent] as Post).author)
  if (dice.chance(0.15)) for (let n = dice.below(2); n >= 0; n--) mentions.add(dice.below(people))
  const tags = new Set<number>()
  if (dice.chance(0.4)) for (let n = dice.below(3); n >= 0; n--) tags.add(Math.floor(dice() ** 3 * tagCount))
  const post: Post = {
    ...nothing,
    author,
    visibility: dice.chance(0.8) ? 'public' : dice.chance(0.6) ? 'unlisted' : 'private',
    spoiler: dice.chance(0.03) ? dice.words(20) : '',
    parent,
    quote: dice.chance(0.03) ? near(4000) : null,
    mentions: [...mentions],
    tags: [...tags],
    media,
    card: dice.chance(0.3) ? dice.below(cardCount) : null,
    poll: media === 0 && dice.chance(0.03),
  }
  return { ...post, ...say(dice, post) }
}

const nothing: Post = {
  author: 0,
  visibility: 'public',
  text: '',
  content: '',
  spoiler: '',
  parent: null,
  boost: null,
  quote: null,
  mentions: [],
  tags: [],
  media: 0,
  card: null,
  poll: false,
}

/** A post of the last `within` that anybody may answer, boost or quote. */
function pickOpen(dice: Dice, earlier: readonly Post[], within: number): number | null {
  const place = earlier.length - 1 - dice.below(Math.min(within, Math.max(1, earlier.length)))
  const post = earlier[place]
  return post && post.visibility !== 'private' && post.boost === null ? place : null
}

function say(dice: Dice, { mentions, tags }: Post): Pick<Post, 'text' | 'content'> {
  const paragraphs = [dice.words(20 + Math.floor(dice() ** 2 * 320))]
  if (dice.chance(0.25)) paragraphs.push(dice.words(20 + dice.below(120)))
  if (dice.chance(0.1)) paragraphs[0] += ` :stone${dice.below(emojiCount)}:`
  const named = mentions.map((index) => `@person${index}`)
  const tagged = tags.map((index) => `#tag${index + 1}`)
  const text = [[...named, paragraphs[0]].join(' '), ...paragraphs.slice(1), tagged.join(' ')]
  const html = [
    [...mentions.map(mentionHtml), paragraphs[0]].join(' '),
    ...paragraphs.slice(1),
    tags.map(tagHtml).join(' '),
  ]
  return {
    text: text.filter(Boolean).join('\n\n'),
    content: html
      .filter(Boolean)
      .map((paragraph) => `<p>${paragraph}</p>`)
      .join(''),
  }
}

const mentionHtml = (index: number) =>
  `<span class="h-card" translate="no"><a href="${site}/@person${index}" class="u-url mention">@<span>person${index}</span></a></span>`

const tagHtml = (index: number) =>
  `<a href="${site}/tags/tag${index + 1}" class="mention hashtag" rel="tag">#<span>tag${index + 1}</span></a>`

export interface Profile {
  displayName: string
  note: string
  noteHtml: string
  /** JSON of the fields, as the column has them. */
  fields: string
  key: string
}

/** Profiles as people fill them in: names with emoji, notes of some sentences, up to four fields, mostly pictures. */
export function writeProfile(index: number): Profile {
  const dice = createDice(1000 + index)
  const note = dice.words(60 + Math.floor(dice() ** 2 * 400))
  const link = `https://person${index}.example/`
  const html = `<a href="${link}" target="_blank" rel="nofollow noopener me" translate="no"><span class="invisible">https://</span><span class="">person${index}.example/</span><span class="invisible"></span></a>`
  const fields = [
    { name: 'Website', value: link, html, verified_at: '2026-01-01T00:00:00.000Z' },
    { name: 'Pronouns', value: 'they/them', html: 'they/them', verified_at: null },
    {
      name: 'Code',
      value: `${link}code`,
      html: html.replaceAll('.example/', '.example/code'),
      verified_at: null,
    },
    { name: 'Place', value: dice.words(20), html: dice.words(20), verified_at: null },
  ]
  return {
    displayName: `Person ${index}${dice.chance(0.2) ? ` :stone${dice.below(emojiCount)}:` : ''}`,
    note,
    noteHtml: `<p>${note}</p>`,
    fields: JSON.stringify(fields.slice(0, dice.below(5))),
    key: dice.chance(0.9) ? `accounts/${index}` : '',
  }
}
