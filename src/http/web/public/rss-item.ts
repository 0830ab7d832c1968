// One post in a feed (RSS 2.0, https://www.rssboard.org/rss-specification, and https://www.rssboard.org/media-rss).
import type { MediaAttachment } from '#entities/media-attachment.ts'
import type { Poll } from '#entities/poll.ts'
import type { Status } from '#entities/status.ts'
import { mediaTypeOf } from '#lib/net/content-type.ts'
import { escapeHtml } from '#lib/html/html.ts'
import type { Language } from '#lib/messages/catalogue.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { emojify } from '../kit/emojify.ts'

/** Bytes of attachments by their ids, as far as they are known. */
export type MediaSizes = ReadonlyMap<string, number>

export function renderItem(language: Language, post: Status, sizes: MediaSizes): string {
  const link = post.url ?? post.uri
  const isVeiled = post.sensitive || post.spoiler_text !== ''
  return element(
    'item',
    [
      `<guid isPermaLink="${post.url !== null}">${xml(link)}</guid>`,
      element('link', xml(link)),
      element('pubDate', new Date(post.created_at).toUTCString()),
      element('description', xml(describe(language, post))),
      ...post.media_attachments.map((item) => renderMedia(item, sizes.get(item.id), isVeiled)),
      ...post.tags.map((tag) => element('category', xml(tag.name))),
    ].join('\n'),
  )
}

/** HTML as feed readers show it: they cannot fold, so a warning stands before the text. */
function describe(language: Language, post: Status): string {
  const t = textsIn(language).pages.public
  const warning =
    post.spoiler_text === ''
      ? ''
      : `<p><strong>${t.warning}</strong> ${emojify(escapeHtml(post.spoiler_text), post.emojis)}</p><hr>`
  return warning + emojify(post.content, post.emojis) + renderPoll(post.poll)
}

function renderPoll(poll: Poll | null): string {
  if (!poll) return ''
  const options = poll.options.map((option) => `<li>${emojify(escapeHtml(option.title), poll.emojis)}</li>`)
  return `<ul>${options.join('')}</ul>`
}

/** As an enclosure for readers that know no more, where its type and size are known: both have to be told. */
function renderMedia(item: MediaAttachment, bytes: number | undefined, isVeiled: boolean): string {
  const { url, type, description } = item
  if (url === null || type === 'unknown') return ''
  const contentType = mediaTypeOf(url) ?? mediaTypeOf(item.remote_url ?? '')
  const hasAll = contentType !== null && bytes !== undefined
  const enclosure = hasAll ? `<enclosure${attributes({ url, length: bytes, type: contentType })}/>\n` : ''
  const { width, height, duration } = item.meta?.original ?? {}
  const facts = {
    url,
    type: contentType,
    fileSize: bytes,
    medium: type === 'gifv' ? 'video' : type,
    width,
    height,
    duration: duration === undefined ? undefined : Math.round(duration),
  }
  const inside = [
    `<media:rating scheme="urn:simple">${isVeiled ? 'adult' : 'nonadult'}</media:rating>`,
    description ? `<media:description type="plain">${xml(description)}</media:description>` : '',
    item.preview_url ? `<media:thumbnail${attributes({ url: item.preview_url })}/>` : '',
  ]
  return `${enclosure}<media:content${attributes(facts)}>${inside.join('')}</media:content>`
}

function attributes(values: Record<string, string | number | null | undefined>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => ` ${name}="${xml(String(value))}"`)
    .join('')
}

export const element = (name: string, inside: string) => `<${name}>${inside}</${name}>`

// oxlint-disable-next-line no-control-regex -- these are what is taken out
const unwritable = /[\0-\x08\v\f\x0E-\x1F\uFFFE\uFFFF]/g

/** Text for XML 1.0, which cannot hold control characters even escaped. */
export const xml = (text: string) => escapeHtml(text.toWellFormed().replaceAll(unwritable, ''))
