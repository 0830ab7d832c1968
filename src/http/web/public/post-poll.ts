import type { Poll } from '#entities/poll.ts'
import { html } from 'hono/html'
import type { Language } from '#lib/messages/catalogue.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { numberText, renderName, renderTime } from './post-parts.ts'
import type { Html } from '../kit/html.ts'

/** The answers of a poll with their shares, but for those that the author keeps back. Voting is for apps. */
export function renderPoll(language: Language, poll: Poll | null): Html | string {
  if (!poll) return ''
  const max = Math.max(...poll.options.map((option) => option.votes_count ?? 0))
  const options = poll.options.map((option) => {
    const leads = poll.expired && max > 0 && option.votes_count === max
    const title = renderName(option.title, poll.emojis)
    return html`<li>
      <span class="answer">${leads ? html`<strong>${title}</strong>` : title}</span>
      ${renderShare(language, poll, option)}
    </li>`
  })
  return html`<ul class="poll">
      ${options}
    </ul>
    <p class="soft">${renderFacts(language, poll)}</p>`
}

/** Of the people where they are known: each may have several answers. */
function renderShare(language: Language, poll: Poll, option: Poll['options'][number]): Html | string {
  if (option.votes_count === null) return ''
  const base = Math.max(poll.voters_count ?? poll.votes_count, 1)
  const share = Math.min(Math.round((option.votes_count / base) * 100), 100)
  const votes = textsIn(language).pages.public.votes({
    count: option.votes_count,
    shown: numberText(language, option.votes_count),
  })
  return html`<span class="share" title="${votes}">${share} %</span>
    <progress max="100" value="${share}" aria-hidden="true"></progress>`
}

function renderFacts(language: Language, poll: Poll): Html {
  const t = textsIn(language).pages.public
  const { voters_count: people, votes_count: votes, expires_at: ends } = poll
  const turnout =
    people === null
      ? t.votes({ count: votes, shown: numberText(language, votes) })
      : t.voters({ count: people, shown: numberText(language, people) })
  const facts: (Html | string)[] = [turnout]
  if (poll.multiple) facts.push(t.pollMultiple)
  if (poll.expired) facts.push(t.pollEnded)
  else if (ends !== null) facts.push(html`${t.pollEnds} ${renderTime(language, ends, 'exact')}`)
  if (poll.options.some((option) => option.votes_count === null)) facts.push(t.pollHidden)
  return html`${facts.map((fact, index) => html`${index === 0 ? '' : ' · '}${fact}`)}`
}
