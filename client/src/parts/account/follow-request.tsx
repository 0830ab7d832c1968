import type { Relationship } from '#entities/relationship.ts'
import { post } from '../../api/client.ts'
import { t } from '../../core/texts.ts'
import { act } from '../../data/act.ts'
import { invalidate } from '../../data/query.ts'
import { keepRelationship, relationshipOf, showRelationship } from '../../data/relationships.ts'
import { Button } from '../controls/button.tsx'

function decide(id: string, decision: 'authorize' | 'reject'): void {
  void act({
    show: () => showRelationship(id, { requested_by: false, followed_by: decision === 'authorize' }),
    ask: () => post<Relationship>(`/api/v1/follow_requests/${id}/${decision}`),
    done: (relationship) => {
      keepRelationship(relationship)
      // It says how many ask.
      invalidate('/api/v1/accounts/verify_credentials')
    },
  })
}

/** *Accept* and *Reject* for as long as they ask to follow; what became of it after that. */
export function FollowRequestButtons({ account: { id } }: { account: { id: string } }) {
  const relationship = relationshipOf(id).value
  if (!relationship) return null
  if (!relationship.requested_by)
    return <span>{relationship.followed_by ? t.requests.accepted : t.requests.rejected}</span>
  return (
    <>
      <Button look="main" onClick={() => decide(id, 'authorize')}>
        {t.requests.accept}
      </Button>
      <Button onClick={() => decide(id, 'reject')}>{t.requests.reject}</Button>
    </>
  )
}
