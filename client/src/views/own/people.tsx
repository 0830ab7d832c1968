// Whom one has limited, and who asks to follow.
import type { Account } from '#entities/account.ts'
import { t } from '../../core/texts.ts'
import { changeRelationship, relationshipOf } from '../../data/relationships.ts'
import { AccountList } from '../../parts/account/account-list.tsx'
import { FollowRequestButtons } from '../../parts/account/follow-request.tsx'
import { Button } from '../../parts/controls/button.tsx'
import { Tabs } from '../../parts/controls/tabs.tsx'
import { PageHeading } from '../../parts/page/heading.tsx'

export const FollowRequests = () => (
  <>
    <PageHeading title={t.own.followRequests} />
    <AccountList
      name={t.own.followRequests}
      path="/api/v1/follow_requests?limit=40"
      empty={t.own.nobodyAsks}
      actions={(account) => <FollowRequestButtons account={account} />}
    />
  </>
)

export const Blocks = () => (
  <>
    <PageHeading title={t.own.blocks} />
    <AccountList
      name={t.own.blocks}
      path="/api/v1/blocks?limit=40"
      empty={t.own.nobodyBlocked}
      actions={(account) => <Toggle account={account} state="blocking" on="block" off="unblock" />}
    />
  </>
)

export const Mutes = () => (
  <>
    <PageHeading title={t.own.mutes} />
    <MuteTabs />
    <AccountList
      name={t.own.mutes}
      path="/api/v1/mutes?limit=40"
      empty={t.own.nobodyMuted}
      actions={(account) => <Toggle account={account} state="muting" on="mute" off="unmute" />}
    />
  </>
)

/** Who is muted, and which conversations. */
export const MuteTabs = () => (
  <Tabs
    label={t.own.muted}
    tabs={[
      { href: '/mutes', name: t.own.mutes },
      { href: '/mutes/conversations', name: t.own.mutedConversations },
    ]}
  />
)

interface ToggleProps {
  account: Account
  state: 'blocking' | 'muting'
  on: 'block' | 'mute'
  off: 'unblock' | 'unmute'
}

/** Takes it back, and does it again. */
function Toggle({ account: { id }, state, on, off }: ToggleProps) {
  const relationship = relationshipOf(id).value
  if (!relationship) return null
  const isOn = relationship[state]
  const words = { block: t.post.block, mute: t.post.mute, unblock: t.people.unblock, unmute: t.own.unmute }
  const deed = isOn ? off : on
  return (
    <Button onClick={() => void changeRelationship(id, deed, { show: { [state]: !isOn } })}>
      {words[deed]}
    </Button>
  )
}
