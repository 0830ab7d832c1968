// What is behind *More*: what is done seldom, with one's own posts and with those of others.
import { useState } from 'preact/hooks'
import type { Status } from '#entities/status.ts'
import { confirm, type Question } from '../../core/confirm.ts'
import { tell } from '../../core/tell.ts'
import { t } from '../../core/texts.ts'
import { openElsewhere } from '../../core/web-address.ts'
import { compose } from '../../data/compose.ts'
import { reactionOf } from '../../data/reactions.ts'
import { blockDomain, changeRelationship } from '../../data/relationships.ts'
import { account } from '../../data/session.ts'
import { deleteStatus, toggleMark, toggleReaction } from '../../data/status-actions.ts'
import { address, goBack, navigate } from '../../router/router.ts'
import { forModerators } from '../account/for-moderators.ts'
import { ReactionPicker } from '../reactions/reactions.tsx'
import { lazyPart } from '../page/lazy-part.tsx'
import { Menu, type MenuItem } from '../controls/menu.tsx'
import { removeWithFocus } from './beside.ts'

interface DialogProps {
  status: Status
  onClose: () => void
}

const MuteDialog = lazyPart(() => import('../account/mute-dialog.tsx').then((module) => module.MuteDialog))
const ReportDialog = lazyPart(() =>
  import('../account/report-dialog.tsx').then((module) => module.ReportDialog),
)

const dialogs = {
  react: ({ status: { id }, onClose }: DialogProps) => (
    <ReactionPicker onClose={onClose} onPick={(emoji) => void toggleReaction(id, reactionOf(emoji))} />
  ),
  filter: lazyPart(() =>
    import('../filter/filter-post-dialog.tsx').then((module) => module.FilterPostDialog),
  ),
  mute: ({ status, onClose }: DialogProps) => <MuteDialog account={status.account} onClose={onClose} />,
  report: ({ status, onClose }: DialogProps) => (
    <ReportDialog account={status.account} status={status} onClose={onClose} />
  ),
} as const
type DialogName = keyof typeof dialogs
type Open = (name: DialogName) => void

export function PostMenu({ status }: { status: Status }) {
  const [open, setOpen] = useState<DialogName | null>(null)
  const Shown = open && dialogs[open]
  return (
    <>
      <Menu label={t.post.more} items={() => itemsOf(status, setOpen)} />
      {Shown && <Shown status={status} onClose={() => setOpen(null)} />}
    </>
  )
}

function itemsOf(status: Status, open: Open): (MenuItem | null)[] {
  const isOwn = status.account.id === account.peek().data?.id
  return [...shared(status, open), null, ...(isOwn ? own(status) : ofOthers(status, open))]
}

function shared(status: Status, open: Open): MenuItem[] {
  const { id, url, uri, account: author } = status
  const address = `/@${author.acct}/${id}`
  const isRemote = author.acct.includes('@')
  const isMentioned = status.mentions.some((mention) => mention.id === account.peek().data?.id)
  const takesPart = isMentioned || author.id === account.peek().data?.id
  return [
    { label: t.post.open, icon: 'forward', href: address },
    { label: t.post.copyLink, icon: 'link', run: () => void copy(url ?? uri) },
    ...(isRemote && url !== null
      ? [
          {
            label: t.post.openOriginal,
            icon: 'globe',
            run: () => openElsewhere(url),
          } as const,
        ]
      : []),
    ...(status.reactions
      ? [{ label: t.reactions.add, icon: 'smile', run: () => open('react') } as const]
      : []),
    { label: t.post.quote, icon: 'quote', run: () => compose({ kind: 'quote', of: status }) },
    ...(status.reactions?.length
      ? [{ label: t.reactions.who, icon: 'people', href: `${address}/reactions` } as const]
      : []),
    ...(takesPart || status.muted
      ? [
          {
            label: status.muted ? t.post.unmuteConversation : t.post.muteConversation,
            icon: 'mute',
            run: () => void toggleMark(id, 'muted'),
          } as const,
        ]
      : []),
  ]
}

async function copy(text: string): Promise<void> {
  await navigator.clipboard.writeText(text)
  tell(t.post.copied)
}

function own(status: Status): MenuItem[] {
  const { id } = status
  const canPin =
    status.visibility === 'public' || status.visibility === 'unlisted' || status.visibility === 'private'
  return [
    ...(canPin
      ? [
          {
            label: status.pinned ? t.post.unpin : t.post.pin,
            icon: 'pin',
            run: () => void toggleMark(id, 'pinned'),
          } as const,
        ]
      : []),
    {
      label: t.statistics.ofPost,
      icon: 'poll',
      href: `/@${status.account.acct}/${id}/statistics`,
    },
    { label: t.post.edit, icon: 'edit', run: () => compose({ kind: 'edit', status }) },
    {
      label: t.post.redraft,
      icon: 'drafts',
      run: () =>
        askToDelete(status, { title: t.post.redraftQuestion, action: t.post.redraft }, (gone) => {
          if (gone) compose({ kind: 'redraft', status: gone })
          else tell(t.errors.notFound, 'problem')
        }),
    },
    {
      label: t.post.delete,
      icon: 'trash',
      isAlarming: true,
      run: () =>
        askToDelete(
          status,
          { title: t.post.deleteQuestion, action: t.post.delete },
          () => void tell(t.post.deleted),
        ),
    },
  ]
}

/** Deletes the post whose menu has the focus, after a question. `onDone`: as `deleteStatus` has it. */
function askToDelete(
  { id, account: { acct } }: Status,
  words: Omit<Question, 'run'>,
  onDone: (gone: Status | null) => void,
): void {
  const shown = document.activeElement?.closest('article') ?? null
  const remove = () =>
    void deleteStatus(id, (gone) => {
      // Its own page has nothing to show any more.
      if (address.peek().pathname === `/@${acct}/${id}`) goBack()
      onDone(gone)
    })
  confirm({ ...words, run: () => void removeWithFocus(shown, remove) })
}

function ofOthers({ account: author }: Status, open: Open): MenuItem[] {
  const name = `@${author.acct}`
  const server = author.acct.split('@')[1]
  return [
    {
      label: t.post.mention({ name }),
      icon: 'at',
      run: () => navigate(`/share?text=${encodeURIComponent(`${name} `)}`),
    },
    { label: t.post.filter, icon: 'filter', run: () => open('filter') },
    {
      label: t.post.muteAccount({ name }),
      icon: 'mute',
      run: () => open('mute'),
    },
    {
      label: t.post.blockAccount({ name }),
      icon: 'block',
      isAlarming: true,
      run: () =>
        confirm({
          title: t.post.blockQuestion({ name }),
          action: t.post.block,
          run: () => void block(author.id, name),
        }),
    },
    ...(server === undefined
      ? []
      : [
          {
            label: t.profile.blockDomain({ name: server }),
            icon: 'globe',
            isAlarming: true,
            run: () =>
              confirm({
                title: t.profile.blockDomainQuestion({ name: server }),
                text: t.profile.blockDomainText,
                action: t.profile.blockDomain({ name: server }),
                run: () => void blockDomain({ id: author.id, name: server }, true),
              }),
          } as const,
        ]),
    { label: t.profile.report({ name }), icon: 'flag', isAlarming: true, run: () => open('report') },
    ...forModerators(author),
  ]
}

async function block(accountId: string, name: string): Promise<void> {
  if (await changeRelationship(accountId, 'block')) tell(t.post.blockedAccount({ name }))
}
