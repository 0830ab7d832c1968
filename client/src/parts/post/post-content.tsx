// What a post says and what is attached to it, behind its warning where it has one.
import { useId, useState } from 'preact/hooks'
import type { Status } from '#entities/status.ts'
import { t } from '../../core/texts.ts'
import { preferences } from '../../data/session.ts'
import { inTranslation } from '../../data/translations.ts'
import { Button } from '../controls/button.tsx'
import { PlainText, RichText } from '../text/rich-text.tsx'
import { PostCard } from './post-card.tsx'
import { PostMedia } from './media/post-media.tsx'
import { PostPoll } from './post-poll.tsx'
import { PostQuote } from './post-quote.tsx'
import { PostTranslation } from './post-translation.tsx'
import css from './post-content.module.css'

export interface PostContentProps {
  status: Status
  /** Media are covered whatever their author says. */
  blurred?: boolean
  /** It stands in another post: what it quotes is not shown. */
  quoted?: boolean
}

export function PostContent({ status: original, blurred = false, quoted = false }: PostContentProps) {
  const status = inTranslation(original)
  const expands = preferences.value.data?.['reading:expand:spoilers'] ?? false
  const [isOpen, setOpen] = useState(expands)
  const id = useId()
  const body = (
    <>
      <Body status={status} blurred={blurred} quoted={quoted} />
      {!quoted && <PostTranslation status={original} />}
    </>
  )
  if (status.spoiler_text === '') return body
  return (
    <>
      <div class={css['warning']}>
        <p data-plays dir="auto" {...(status.language && { lang: status.language })}>
          <PlainText text={status.spoiler_text} emojis={status.emojis} />
        </p>
        <Button
          data-action="warning"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t.post.showLess : t.post.showMore}
        </Button>
      </div>
      <div id={id} class={css['body']} hidden={!isOpen}>
        {isOpen && body}
      </div>
    </>
  )
}

function Body({ status, blurred, quoted }: Required<PostContentProps>) {
  const { media_attachments: media, poll, card, quote } = status
  return (
    <div class={css['body']}>
      <RichText
        html={status.content}
        emojis={status.emojis}
        mentions={status.mentions}
        lang={status.language}
        hasQuote={quote?.quoted_status != null}
      />
      {poll && <PostPoll statusId={status.id} poll={poll} />}
      {media.length > 0 && <PostMedia media={media} covered={blurred || status.sensitive} />}
      {quote && !quoted && <PostQuote quote={quote} />}
      {card && media.length === 0 && !quote && <PostCard card={card} />}
    </div>
  )
}
