// What is done to a person, and seldom.
import { useState } from 'preact/hooks'
import type { Account } from '#entities/account.ts'
import type { Relationship } from '#entities/relationship.ts'
import { confirm } from '../../core/confirm.ts'
import { tell } from '../../core/tell.ts'
import { t } from '../../core/texts.ts'
import { openElsewhere } from '../../core/web-address.ts'
import { blockDomain, changeRelationship, relationshipOf } from '../../data/relationships.ts'
import { Menu, type MenuItem } from '../../parts/controls/menu.tsx'
import { navigate } from '../../router/router.ts'
import { FollowDialog } from './follow-dialog.tsx'
import { ListsDialog } from './lists-dialog.tsx'
import { forModerators } from '../../parts/account/for-moderators.ts'
import { MuteDialog } from '../../parts/account/mute-dialog.tsx'
import { ReportDialog } from '../../parts/account/report-dialog.tsx'

const dialogs = { follow: FollowDialog, lists: ListsDialog, mute: MuteDialog, report: ReportDialog } as const
type DialogName = keyof typeof dialogs

export function ProfileMenu({ account }: { account: Account }) {
  const [open, setOpen] = useState<DialogName | null>(null)
  const Shown = open && dialogs[open]
  return (
    <>
      <Menu label={t.post.more} items={() => itemsOf(account, setOpen)} />
      {Shown && <Shown account={account} onClose={() => setOpen(null)} />}
    </>
  )
}

function itemsOf(account: Account, open: (name: DialogName) => void): (MenuItem | null)[] {
  const relationship = relationshipOf(account.id).peek()
  const name = `@${account.acct}`
  const say = (text: string) => navigate(`/share?text=${encodeURIComponent(text)}`)
  return [
    { label: t.post.mention({ name }), icon: 'at', run: () => say(`${name} `) },
    { label: t.post.copyLink, icon: 'link', run: () => void copy(account.url) },
    ...(account.acct.includes('@')
      ? [{ label: t.post.openOriginal, icon: 'globe', run: () => openElsewhere(account.url) } as const]
      : []),
    ...(relationship?.following ? followed(account, relationship, open) : []),
    null,
    ...(relationship ? limits(account, relationship, open) : []),
    { label: t.profile.report({ name }), icon: 'flag', isAlarming: true, run: () => open('report') },
    ...forModerators(account),
  ]
}

async function copy(text: string): Promise<void> {
  await navigator.clipboard.writeText(text)
  tell(t.post.copied)
}

function followed({ id }: Account, { endorsed }: Relationship, open: (name: DialogName) => void): MenuItem[] {
  return [
    null as never,
    { label: t.profile.followOptions, icon: 'settings', run: () => open('follow') },
    { label: t.profile.lists, icon: 'list', run: () => open('lists') },
    {
      label: endorsed ? t.profile.unendorse : t.profile.endorse,
      icon: 'star',
      run: () => void changeRelationship(id, endorsed ? 'unpin' : 'pin', { show: { endorsed: !endorsed } }),
    },
  ]
}

function limits(account: Account, relationship: Relationship, open: (name: DialogName) => void): MenuItem[] {
  const { id } = account
  const name = `@${account.acct}`
  const remove = () => void changeRelationship(id, 'remove_from_followers', { show: { followed_by: false } })
  const block = () => void changeRelationship(id, 'block', { show: { blocking: true, following: false } })
  return [
    ...(relationship.followed_by
      ? [
          {
            label: t.profile.removeFollower,
            icon: 'person',
            run: () =>
              confirm({ title: t.profile.removeQuestion({ name }), action: t.profile.remove, run: remove }),
          } as const,
        ]
      : []),
    relationship.muting
      ? {
          label: t.profile.unmute({ name }),
          icon: 'mute',
          run: () => void changeRelationship(id, 'unmute', { show: { muting: false } }),
        }
      : { label: t.post.muteAccount({ name }), icon: 'mute', run: () => open('mute') },
    relationship.blocking
      ? {
          label: t.profile.unblock({ name }),
          icon: 'block',
          run: () => void changeRelationship(id, 'unblock', { show: { blocking: false } }),
        }
      : {
          label: t.post.blockAccount({ name }),
          icon: 'block',
          isAlarming: true,
          run: () => confirm({ title: t.post.blockQuestion({ name }), action: t.post.block, run: block }),
        },
    ...domain(account, relationship),
  ]
}

/** All of a server, where the account is of another one. */
function domain({ id, acct }: Account, relationship: Relationship): MenuItem[] {
  const name = acct.split('@')[1]
  if (name === undefined) return []
  const isBlocked = relationship.domain_blocking
  const change = () => void blockDomain({ id, name }, !isBlocked)
  if (isBlocked) return [{ label: t.profile.unblockDomain({ name }), icon: 'globe', run: change }]
  const ask = () =>
    confirm({
      title: t.profile.blockDomainQuestion({ name }),
      text: t.profile.blockDomainText,
      action: t.profile.blockDomain({ name }),
      run: change,
    })
  return [{ label: t.profile.blockDomain({ name }), icon: 'globe', isAlarming: true, run: ask }]
}
