import type { Conversation } from '#entities/conversation.ts'
import { confirm } from '../../core/confirm.ts'
import { t } from '../../core/texts.ts'
import { compose } from '../../data/compose.ts'
import type { Conversations } from '../../data/conversations.ts'
import { Menu, type MenuItem } from '../../parts/controls/menu.tsx'

interface ConversationMenuProps {
  conversation: Conversation
  conversations: Conversations
}

export function ConversationMenu(props: ConversationMenuProps) {
  return <Menu label={t.post.more} items={() => itemsOf(props)} />
}

function itemsOf({ conversation, conversations }: ConversationMenuProps): (MenuItem | null)[] {
  const { last_status: last, unread } = conversation
  const ofPost: MenuItem[] = last
    ? [
        { label: t.post.reply, icon: 'reply', run: () => compose({ kind: 'reply', to: last }) },
        {
          label: last.muted ? t.post.unmuteConversation : t.post.muteConversation,
          icon: 'mute',
          run: () => conversations.toggleMuted(conversation),
        },
      ]
    : []
  return [
    unread
      ? { label: t.conversations.markRead, icon: 'check', run: () => conversations.markRead(conversation) }
      : {
          label: t.conversations.markUnread,
          icon: 'mail',
          run: () => conversations.markUnread(conversation),
        },
    ...ofPost,
    null,
    {
      label: t.conversations.delete,
      icon: 'trash',
      isAlarming: true,
      run: () =>
        confirm({
          title: t.conversations.deleteQuestion,
          text: t.conversations.deleteText,
          action: t.conversations.delete,
          run: () => conversations.remove(conversation),
        }),
    },
  ]
}
