import type { Announcement } from '#entities/announcement.ts'
import { formatDateTime, formatDay } from '../../core/format.ts'
import { t } from '../../core/texts.ts'
import { dismissAnnouncement, toggleReaction } from '../../data/announcements.ts'
import { Button } from '../controls/button.tsx'
import { Icon } from '../controls/icon.tsx'
import { Reactions } from '../reactions/reactions.tsx'
import { RichText } from '../text/rich-text.tsx'
import { Age } from '../text/time.tsx'
import css from './announcements.module.css'

/** Different reactions to one announcement, as the server counts. */
const maxReactions = 8

/** What the team of the server has to say, one below the other. */
export function Announcements({ announcements }: { announcements: readonly Announcement[] }) {
  return (
    <section class={css['announcements']} aria-label={t.announcements.title}>
      {announcements.map((announcement) => (
        <One key={announcement.id} announcement={announcement} />
      ))}
    </section>
  )
}

function One({ announcement }: { announcement: Announcement }) {
  const { id, content, emojis, mentions, reactions, read, published_at: published } = announcement
  return (
    <article class={css['announcement']} aria-label={t.announcements.of({ time: formatDateTime(published) })}>
      <p class={css['head']}>
        <Icon name="speak" size={16} />
        <span>{spanOf(announcement)}</span>
        <Age time={published} />
      </p>
      <RichText html={content} emojis={emojis} mentions={mentions} />
      <div class={css['foot']}>
        <Reactions
          reactions={reactions}
          onToggle={(reaction) => void toggleReaction(announcement, reaction)}
          max={maxReactions}
        />
        {read !== true && (
          <Button onClick={() => void dismissAnnouncement(id)}>{t.announcements.dismiss}</Button>
        )}
      </div>
    </article>
  )
}

/** When what is announced takes place; else that it is an announcement. */
function spanOf({ starts_at: start, ends_at: end, all_day: isAllDay }: Announcement): string {
  const say = isAllDay ? formatDay : formatDateTime
  if (start !== null && end !== null) return t.announcements.span({ start: say(start), end: say(end) })
  if (start !== null) return say(start)
  return end === null ? t.announcements.one : t.announcements.until({ end: say(end) })
}
