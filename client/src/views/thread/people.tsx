// Who favourited, boosted, quoted and reacted to a post.
import type { ComponentChildren } from 'preact'
import type { Status, StatusReactors } from '#entities/status.ts'
import { formatShort } from '../../core/format.ts'
import { t } from '../../core/texts.ts'
import { useQuery } from '../../data/query.ts'
import { account } from '../../data/session.ts'
import { AccountList, Accounts } from '../../parts/account/account-list.tsx'
import { IconButton } from '../../parts/controls/icon-button.tsx'
import { Tabs } from '../../parts/controls/tabs.tsx'
import { Feed } from '../../parts/feed/feed.tsx'
import { PageHeading } from '../../parts/page/heading.tsx'
import endCss from '../../parts/page/end.module.css'
import { Problem } from '../../parts/page/problem.tsx'
import { ReactionEmoji } from '../../parts/reactions/reactions.tsx'
import type { Params } from '../../router/match.ts'
import { navigate } from '../../router/router.ts'
import css from './thread.module.css'

const pathOf = ({ id = '' }: Params) => `/api/v1/statuses/${id}`

export function AboutPost({
  params,
  title,
  children,
}: {
  params: Params
  title: string
  children: ComponentChildren
}) {
  const { acct = '', id = '' } = params
  const post = useQuery<Status>(pathOf(params))
  const address = `/@${acct}/${id}`
  const isOwn = post.data?.account.id === account.value.data?.id && post.data !== undefined
  return (
    <>
      <PageHeading title={title}>
        <IconButton icon="back" label={t.thread.toPost} onClick={() => navigate(address)} />
      </PageHeading>
      <Tabs
        label={t.thread.about}
        tabs={[
          { href: `${address}/reblogs`, name: t.thread.boosts },
          { href: `${address}/quotes`, name: t.thread.quotes },
          { href: `${address}/favourites`, name: t.thread.favourites },
          ...(post.data?.reactions ? [{ href: `${address}/reactions`, name: t.reactions.label }] : []),
          { href: `${address}/history`, name: t.thread.history },
          ...(isOwn ? [{ href: `${address}/statistics`, name: t.statistics.ofPost }] : []),
        ]}
      />
      {post.error === null ? children : <Problem text={post.error} />}
    </>
  )
}

export const PostBoosts = ({ params }: { params: Params }) => (
  <AboutPost params={params} title={t.thread.boosts}>
    <AccountList name={t.thread.boosts} path={`${pathOf(params)}/reblogged_by`} />
  </AboutPost>
)

export const PostFavourites = ({ params }: { params: Params }) => (
  <AboutPost params={params} title={t.thread.favourites}>
    <AccountList name={t.thread.favourites} path={`${pathOf(params)}/favourited_by`} />
  </AboutPost>
)

export const PostQuotes = ({ params }: { params: Params }) => (
  <AboutPost params={params} title={t.thread.quotes}>
    <Feed name={t.thread.quotes} source={{ path: `${pathOf(params)}/quotes` }} />
  </AboutPost>
)

/** Who reacted, by what they reacted with. */
export function PostReactions({ params }: { params: Params }) {
  const path = `/api/v1/pleroma/statuses/${params['id'] ?? ''}/reactions`
  const { data: kinds, error } = useQuery<StatusReactors[]>(path)
  return (
    <AboutPost params={params} title={t.reactions.label}>
      {error !== null && <Problem text={error} />}
      {kinds?.length === 0 && <p class={endCss['end']}>{t.reactions.none}</p>}
      {kinds?.map((kind) => (
        <section key={kind.name} aria-label={t.reactions.with({ emoji: kind.name, count: kind.count })}>
          <h2 class={css['reaction']}>
            <ReactionEmoji reaction={kind} /> {formatShort(kind.count)}
          </h2>
          <Accounts name={kind.name} accounts={kind.accounts} />
        </section>
      ))}
    </AboutPost>
  )
}
