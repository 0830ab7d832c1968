import { useState } from 'preact/hooks'
import type { Tag } from '#entities/tag.ts'
import { post } from '../../api/client.ts'
import { t } from '../../core/texts.ts'
import { act } from '../../data/act.ts'
import { invalidate } from '../../data/query.ts'
import { Button } from '../controls/button.tsx'

/** *Follow* and *Unfollow* of a tag: its posts come home. */
export function FollowTagButton({ tag }: { tag: Tag }) {
  const [isFollowed, setFollowed] = useState(tag.following === true)
  const path = `/api/v1/tags/${encodeURIComponent(tag.name)}`
  const toggle = () =>
    void act({
      show: () => {
        setFollowed(!isFollowed)
        return () => setFollowed(isFollowed)
      },
      ask: () => post<Tag>(`${path}/${isFollowed ? 'unfollow' : 'follow'}`),
      done: () => invalidate('/api/v1/tags/'),
    })
  return (
    <Button look={isFollowed ? 'quiet' : 'main'} onClick={toggle}>
      {isFollowed ? t.people.unfollow : t.people.follow}
    </Button>
  )
}
