import type { Account } from '#entities/account.ts'
import { t } from '../../core/texts.ts'
import { relationshipOf, toggleFollow, changeRelationship } from '../../data/relationships.ts'
import { account as self } from '../../data/session.ts'
import { Button } from '../controls/button.tsx'

/** *Follow* and *Unfollow*; nothing for oneself, and until it is known how one stands to them. */
export function FollowButton({ account }: { account: Pick<Account, 'id' | 'locked'> }) {
  const relationship = relationshipOf(account.id).value
  if (!relationship || account.id === self.value.data?.id) return null
  const { blocking, following, requested } = relationship
  if (blocking)
    return (
      <Button
        look="alarm"
        onClick={() => void changeRelationship(account.id, 'unblock', { show: { blocking: false } })}
      >
        {t.people.unblock}
      </Button>
    )
  const words = following ? t.people.unfollow : requested ? t.people.withdraw : t.people.follow
  return (
    <Button look={following || requested ? 'quiet' : 'main'} onClick={() => void toggleFollow(account)}>
      {words}
    </Button>
  )
}
