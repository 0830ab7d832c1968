// What is written to the viewer alone, or to them among few: each conversation by the people in it and what was said last.
import { useEffect } from 'preact/hooks'
import type { Conversation } from '#entities/conversation.ts'
import type { Status } from '#entities/status.ts'
import { listen } from '../../api/streaming.ts'
import { formatDateTime } from '../../core/format.ts'
import { plainTextOf } from '../../core/plain-text.ts'
import { tell } from '../../core/tell.ts'
import { t } from '../../core/texts.ts'
import { useConversations, type Conversations } from '../../data/conversations.ts'
import { account } from '../../data/session.ts'
import { isDeleted } from '../../data/statuses.ts'
import { DisplayName, nameOf } from '../../parts/account/account-name.tsx'
import { Avatar } from '../../parts/account/avatar.tsx'
import { Icon } from '../../parts/controls/icon.tsx'
import listCss from '../../parts/page/list.module.css'
import { PagesEnd } from '../../parts/page/paged.tsx'
import excerptCss from '../../parts/text/excerpt.module.css'
import { PlainText } from '../../parts/text/rich-text.tsx'
import { Age } from '../../parts/text/time.tsx'
import { ConversationMenu } from './conversation-menu.tsx'
import css from './conversations.module.css'

/** The viewer's conversations, to which what comes is added. */
export function ConversationList() {
  const conversations = useConversations()
  const { pages, receive } = conversations
  useEffect(
    () =>
      listen(
        { stream: 'direct' },
        {
          event(name, payload) {
            if (name !== 'conversation') return
            const { unread, accounts } = payload as Conversation
            const isSaid = receive(payload as Conversation)
            if (isSaid && unread) tell(t.conversations.came({ names: accounts.map(nameOf).join(', ') }))
          },
        },
      ),
    [receive],
  )
  const shown = conversations.shown.value.map(withoutDeleted)
  return (
    <>
      {shown.length > 0 && (
        <div role="feed" aria-label={t.navigation.conversations} aria-busy={pages.loading.value}>
          {shown.map((conversation) => (
            <ConversationItem
              key={conversation.id}
              conversation={conversation}
              conversations={conversations}
            />
          ))}
        </div>
      )}
      <PagesEnd pages={pages} isEmpty={shown.length === 0} empty={t.conversations.none} />
    </>
  )
}

/** What was said last may be gone. */
const withoutDeleted = (conversation: Conversation): Conversation =>
  conversation.last_status && isDeleted(conversation.last_status.id)
    ? { ...conversation, last_status: null }
    : conversation

interface ItemProps {
  conversation: Conversation
  conversations: Conversations
}

/** Those who talk; oneself where one writes notes to oneself. */
function peopleIn({ accounts }: Conversation) {
  const own = account.value.data
  return accounts.length === 0 && own ? [own] : accounts
}

function ConversationItem({ conversation, conversations }: ItemProps) {
  const { unread, last_status: last } = conversation
  const people = peopleIn(conversation)
  const names = people.map(nameOf).join(', ')
  return (
    <article
      class={`${listCss['row']} ${listCss['columns']} ${css['conversation']} ${unread ? css['unread'] : ''}`}
      data-anchor={conversation.id}
      data-plays
      tabIndex={-1}
      aria-label={last ? t.post.label({ name: names, time: formatDateTime(last.created_at) }) : names}
    >
      <span class={`${css['faces']} ${people.length > 1 ? css['several'] : ''}`} aria-hidden="true">
        {people.slice(0, 4).map((one) => (
          <Avatar key={one.id} account={one} size={people.length > 1 ? 24 : 48} />
        ))}
      </span>
      <div class={css['what']}>
        <p class={css['head']}>
          {unread && <span class={css['mark']} role="img" aria-label={t.notifications.unread} />}
          <span class={css['names']}>
            {people.map((one, index) => (
              <span key={one.id}>
                {index > 0 && ', '}
                <a href={`/@${one.acct}`}>
                  <DisplayName account={one} />
                </a>
              </span>
            ))}
          </span>
          {last?.muted && (
            <span role="img" aria-label={t.conversations.muted} title={t.conversations.muted}>
              <Icon name="mute" size={16} />
            </span>
          )}
          {last && (
            <span class={css['time']}>
              <Age time={last.created_at} />
            </span>
          )}
        </p>
        {last && <LastPost status={last} onOpen={() => conversations.markRead(conversation)} />}
      </div>
      <ConversationMenu conversation={conversation} conversations={conversations} />
    </article>
  )
}

/** What was said last, in two lines, which lead to the thread. */
function LastPost({ status, onOpen }: { status: Status; onOpen: () => void }) {
  const isOwn = status.account.id === account.value.data?.id
  const text = (status.spoiler_text || plainTextOf(status.content)).replaceAll(/\s+/g, ' ')
  // Whom it is for stands above.
  const said = text.replace(/^(?:@\S+ )+(?=\S)/, '')
  const filters = status.filtered?.map(({ filter }) => filter.title) ?? []
  return (
    <a
      class={`${excerptCss['excerpt']} ${css['last']}`}
      href={`/@${status.account.acct}/${status.id}`}
      onClick={onOpen}
      dir="auto"
    >
      {isOwn && <span class={css['own']}>{t.conversations.own} </span>}
      {filters.length > 0 ? (
        t.post.filtered({ titles: filters.join(', ') })
      ) : (
        <PlainText text={said || t.notifications.mediaOnly} emojis={status.emojis} />
      )}
    </a>
  )
}
