// What is being written: a post, or a thread of several, with all that it can carry.
import type { MediaAttachment } from '#entities/media-attachment.ts'
import type { Draft } from '#entities/personal/draft.ts'
import type { Status } from '#entities/status.ts'

export type Visibility = Status['visibility']
export type QuotePolicy = 'public' | 'followers' | 'nobody'
export type ReplyPolicy = 'public' | 'followers' | 'following' | 'mentioned'

export interface WrittenMedia {
  readonly key: string
  readonly name: string
  readonly type: MediaAttachment['type']
  /** Until the server has it. */
  readonly file: File | null
  readonly attachment: MediaAttachment | null
  /** 0 to 1 of what is sent; null while nothing is. */
  readonly progress: number | null
  readonly problem: string | null
  readonly description: string
  readonly focus: { readonly x: number; readonly y: number } | null
  /** A picture to stand for it, until the server has it. */
  readonly thumbnail: File | null
  /** The server has the description and the rest as they are now. */
  readonly isTold: boolean
}

export interface WrittenPoll {
  readonly options: readonly string[]
  /** Seconds. */
  readonly expiresIn: number
  readonly multiple: boolean
  readonly hideTotals: boolean
}

export interface WrittenPost {
  readonly key: string
  readonly text: string
  /** Null where there is no warning. */
  readonly warning: string | null
  readonly sensitive: boolean
  /** Null until it is chosen. */
  readonly language: string | null
  readonly media: readonly WrittenMedia[]
  readonly poll: WrittenPoll | null
}

/** Of all posts of a thread alike, besides the posts. */
export interface Content {
  readonly posts: readonly WrittenPost[]
  /** Null until it is chosen. */
  readonly visibility: Visibility | null
  readonly quotePolicy: QuotePolicy | null
  readonly replyPolicy: ReplyPolicy | null
  readonly localOnly: boolean
  readonly isMarkdown: boolean
  readonly replyTo: Status | null
  readonly replyToId: string | null
  readonly quoted: Status | null
  readonly quotedId: string | null
}

export const newPost = (post: Partial<WrittenPost> = {}): WrittenPost => ({
  key: crypto.randomUUID(),
  text: '',
  warning: null,
  sensitive: false,
  language: null,
  media: [],
  poll: null,
  ...post,
})

export const newContent = (content: Partial<Content> = {}): Content => ({
  posts: [newPost()],
  visibility: null,
  quotePolicy: null,
  replyPolicy: null,
  localOnly: false,
  isMarkdown: false,
  replyTo: null,
  replyToId: null,
  quoted: null,
  quotedId: null,
  ...content,
})

export const newPoll = (): WrittenPoll => ({
  options: ['', ''],
  expiresIn: 86_400,
  multiple: false,
  hideTotals: false,
})

export const newMedia = (file: File): WrittenMedia => ({
  key: crypto.randomUUID(),
  name: file.name,
  type: kindOf(file.type),
  file,
  attachment: null,
  progress: null,
  problem: null,
  description: '',
  focus: null,
  thumbnail: null,
  isTold: true,
})

function kindOf(type: string): MediaAttachment['type'] {
  const [kind = ''] = type.split('/')
  return kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'unknown'
}

/** What the server has already. */
export const keptMedia = (attachment: MediaAttachment): WrittenMedia => ({
  key: attachment.id,
  name: '',
  type: attachment.type,
  file: null,
  attachment,
  progress: null,
  problem: null,
  description: attachment.description ?? '',
  focus: attachment.meta.focus ?? null,
  thumbnail: null,
  isTold: true,
})

const hasPoll = (poll: WrittenPoll | null): boolean =>
  poll?.options.some((option) => option.trim() !== '') ?? false

/** Whether a post says anything. */
export const isBlank = (post: WrittenPost): boolean =>
  post.text.trim() === '' && (post.warning ?? '').trim() === '' && post.media.length === 0 && !hasPoll(post.poll)

/** Whether two contents would be the same posts: what is no matter of theirs does not count. */
export const isSame = (one: Content, other: Content): boolean => markOf(one) === markOf(other)

const markOf = (content: Content): string =>
  JSON.stringify({
    ...content,
    replyTo: null,
    quoted: null,
    posts: content.posts.map(({ key: _, media, ...post }) => ({
      ...post,
      media: media.map(({ key, attachment, description, focus }) => [key, attachment?.id, description, focus]),
    })),
  })

/** A post as `POST /api/v1/drafts` takes it. */
function toDraftPost(post: WrittenPost, content: Content, index: number) {
  return {
    status: post.text,
    ...(post.warning !== null && { spoiler_text: post.warning }),
    ...(content.visibility !== null && { visibility: content.visibility }),
    ...(post.sensitive && { sensitive: true }),
    ...(post.language !== null && { language: post.language }),
    media_ids: post.media.flatMap(({ attachment }) => attachment?.id ?? []),
    ...(post.poll && {
      poll: {
        options: post.poll.options.filter((option) => option.trim() !== ''),
        expires_in: post.poll.expiresIn,
        multiple: post.poll.multiple,
        hide_totals: post.poll.hideTotals,
      },
    }),
    ...(index === 0 && content.quotedId !== null && { quoted_status_id: content.quotedId }),
    ...(content.quotePolicy !== null && { quote_approval_policy: content.quotePolicy }),
    ...(content.replyPolicy !== null && { reply_approval_policy: content.replyPolicy }),
    ...(content.isMarkdown && { content_type: 'text/markdown' }),
    ...(content.localOnly && { local_only: true }),
  }
}

export const toDraft = (content: Content) => ({
  ...(content.replyToId !== null && { in_reply_to_id: content.replyToId }),
  posts: content.posts.map((post, index) => toDraftPost(post, content, index)),
})

export function fromDraft(draft: Draft): Content {
  const [first] = draft.posts
  return newContent({
    replyToId: draft.in_reply_to_id,
    quotedId: first?.quoted_status_id ?? null,
    visibility: first?.visibility ?? null,
    quotePolicy: first?.quote_approval_policy ?? null,
    replyPolicy: first?.reply_approval_policy ?? null,
    localOnly: first?.local_only ?? false,
    isMarkdown: first?.content_type === 'text/markdown',
    posts: draft.posts.map((post) =>
      newPost({
        text: post.status,
        warning: post.spoiler_text === '' ? null : post.spoiler_text,
        sensitive: post.sensitive ?? false,
        language: post.language,
        media: post.media_attachments.map(keptMedia),
        poll: post.poll && {
          options: [...post.poll.options, '', ''].slice(0, Math.max(2, post.poll.options.length)),
          expiresIn: post.poll.expires_in ?? 86_400,
          multiple: post.poll.multiple ?? false,
          hideTotals: post.poll.hide_totals ?? false,
        },
      }),
    ),
  })
}
