import { useId, useState } from 'preact/hooks'
import type { Poll } from '#entities/poll.ts'
import { now } from '../../core/clock.ts'
import { formatDateTime, formatPercent } from '../../core/format.ts'
import { t } from '../../core/texts.ts'
import { vote } from '../../data/status-actions.ts'
import { Button } from '../controls/button.tsx'
import { Icon } from '../controls/icon.tsx'
import { PlainText } from '../text/rich-text.tsx'
import css from './post-poll.module.css'

export interface PostPollProps {
  statusId: string
  poll: Poll
}

/** A question: with boxes to tick for those who may answer, else with what was answered. */
export function PostPoll({ statusId, poll }: PostPollProps) {
  const [isPeeking, setPeeking] = useState(false)
  const isOver = poll.expired || (poll.expires_at !== null && Date.parse(poll.expires_at) <= now.value)
  const isOpen = !isOver && poll.voted !== true
  return (
    <div class={css['poll']}>
      {isOpen && !isPeeking ? <Ballot statusId={statusId} poll={poll} /> : <Results poll={poll} />}
      <p class={css['facts']}>
        {isOpen && (
          <Button look="plain" onClick={() => setPeeking(!isPeeking)}>
            {isPeeking ? t.poll.back : t.poll.results}
          </Button>
        )}
        <span>
          {t.poll.people({ count: poll.voters_count ?? poll.votes_count })}
          {' · '}
          {isOver
            ? t.poll.over
            : poll.expires_at === null
              ? t.poll.open
              : t.poll.until({ time: formatDateTime(poll.expires_at) })}
        </span>
      </p>
    </div>
  )
}

function Ballot({ statusId, poll }: PostPollProps) {
  const [chosen, setChosen] = useState<readonly number[]>([])
  const name = useId()
  const choose = (index: number, isOn: boolean) =>
    setChosen(poll.multiple ? [...chosen.filter((one) => one !== index), ...(isOn ? [index] : [])] : [index])
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen.length > 0) void vote(statusId, poll, chosen)
      }}
    >
      <fieldset data-plays>
        <legend class={css['legend']}>{poll.multiple ? t.poll.several : t.poll.one}</legend>
        {poll.options.map(({ title }, index) => (
          <label key={index} class={css['choice']}>
            <input
              type={poll.multiple ? 'checkbox' : 'radio'}
              name={name}
              checked={chosen.includes(index)}
              onChange={(event) => choose(index, event.currentTarget.checked)}
            />
            <span dir="auto">
              <PlainText text={title} emojis={poll.emojis} />
            </span>
          </label>
        ))}
      </fieldset>
      <Button type="submit" disabled={chosen.length === 0}>
        {t.poll.vote}
      </Button>
    </form>
  )
}

function Results({ poll }: { poll: Poll }) {
  // Of several answers each counts against the people who answered.
  const all = Math.max(1, poll.multiple ? (poll.voters_count ?? poll.votes_count) : poll.votes_count)
  const max = Math.max(...poll.options.map(({ votes_count: count }) => count ?? 0))
  return (
    <ul class={css['results']} data-plays>
      {poll.options.map(({ title, votes_count: count }, index) => {
        const share = (count ?? 0) / all
        const isOwn = poll.own_votes?.includes(index) ?? false
        return (
          <li key={index} class={count === max && max > 0 ? css['leading'] : ''}>
            <span class={css['bar']} style={{ inlineSize: `${share * 100}%` }} />
            <b>{count === null ? '' : formatPercent(share)}</b>
            <span dir="auto">
              <PlainText text={title} emojis={poll.emojis} />
            </span>
            {isOwn && (
              <span role="img" aria-label={t.poll.yours} title={t.poll.yours}>
                <Icon name="check" size={16} />
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}
