// Home, what is public, and what one keeps: each a feed with a name.
import { useState } from 'preact/hooks'
import type { List } from '#entities/list.ts'
import type { Status } from '#entities/status.ts'
import { t } from '../../core/texts.ts'
import { useQuery } from '../../data/query.ts'
import { timelineOf, type Source } from '../../data/timeline.ts'
import { AnnouncementsButton, AnnouncementsPanel, useAnnouncements } from '../../parts/announcements/slot.tsx'
import { ComposerSlot } from '../../parts/composer/slot.tsx'
import { lazyPart } from '../../parts/page/lazy-part.tsx'
import { Feed } from '../../parts/feed/feed.tsx'
import { IconButton } from '../../parts/controls/icon-button.tsx'
import { PageHeading } from '../../parts/page/heading.tsx'
import { Tabs } from '../../parts/controls/tabs.tsx'
import type { Params } from '../../router/match.ts'
import { navigate } from '../../router/router.ts'
import { LeftOff } from './left-off.tsx'
import * as sources from './sources.ts'

const ListDialog = lazyPart(() => import('../own/list-dialog.tsx').then((module) => module.ListDialog))
const MembersDialog = lazyPart(() =>
  import('../own/members-dialog.tsx').then((module) => module.MembersDialog),
)

function showOwn(statuses: readonly Status[]): void {
  for (const status of statuses) timelineOf(sources.home).prepend(status)
}

export function HomeTimeline() {
  const announcements = useAnnouncements()
  return (
    <>
      <PageHeading title={t.timeline.home}>
        <span>
          <AnnouncementsButton {...announcements} />
          <IconButton icon="clock" label={t.catchUp.title} onClick={() => navigate('/catch_up')} />
        </span>
      </PageHeading>
      <AnnouncementsPanel {...announcements} />
      <ComposerSlot onPublished={showOwn} />
      <LeftOff />
      <Feed name={t.timeline.home} source={sources.home} empty={t.timeline.homeEmpty} />
    </>
  )
}

/** One of those that everybody sees. */
function PublicTimeline({ title, source }: { title: string; source: Source }) {
  return (
    <>
      <PageHeading title={title} />
      <Tabs
        label={t.timeline.public}
        tabs={[
          { href: '/public', name: t.timeline.everything },
          { href: '/public/local', name: t.timeline.local },
          { href: '/public/remote', name: t.timeline.remote },
        ]}
      />
      <Feed name={title} source={source} />
    </>
  )
}

export const FederatedTimeline = () => (
  <PublicTimeline title={t.timeline.everything} source={sources.everything} />
)
export const LocalTimeline = () => <PublicTimeline title={t.timeline.local} source={sources.local} />
export const RemoteTimeline = () => <PublicTimeline title={t.timeline.remote} source={sources.remote} />

function PlainTimeline({ title, source }: { title: string; source: Source }) {
  return (
    <>
      <PageHeading title={title} />
      <Feed name={title} source={source} />
    </>
  )
}

export const Bookmarks = () => <PlainTimeline title={t.timeline.bookmarks} source={sources.bookmarks} />
export const Favourites = () => <PlainTimeline title={t.timeline.favourites} source={sources.favourites} />

export const LinkTimeline = ({ params: { url = '' } }: { params: Params }) => (
  <PlainTimeline title={t.timeline.link({ url })} source={sources.ofLink(url)} />
)

export function ListTimeline({ params: { id = '' } }: { params: Params }) {
  const { data: list } = useQuery<List>(`/api/v1/lists/${id}`)
  const [open, setOpen] = useState<'edit' | 'members' | null>(null)
  const close = () => setOpen(null)
  const title = list?.title ?? t.timeline.list
  return (
    <>
      <PageHeading title={title}>
        {list && (
          <span>
            <IconButton icon="people" label={t.lists.members} onClick={() => setOpen('members')} />
            <IconButton icon="settings" label={t.lists.edit} onClick={() => setOpen('edit')} />
          </span>
        )}
      </PageHeading>
      <Feed name={title} source={sources.ofList(id)} empty={t.lists.empty} />
      {open === 'edit' && list && <ListDialog list={list} onClose={close} />}
      {open === 'members' && list && <MembersDialog list={list} onClose={close} />}
    </>
  )
}
