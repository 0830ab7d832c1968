// What came home while somebody was away, in order: by whom, about what, and all of it in the order that one likes.
import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import type { Account } from '#entities/account.ts'
import type { CatchUp, CatchUpQuery } from '#entities/personal/catch-up.ts'
import { withQuery } from '../../api/client.ts'
import { formatDateTime } from '../../core/format.ts'
import type { Messages } from '../../core/messages.ts'
import { t } from '../../core/texts.ts'
import { invalidate, useQuery } from '../../data/query.ts'
import { Select } from '../../parts/controls/field.tsx'
import { IconButton } from '../../parts/controls/icon-button.tsx'
import { Tabs } from '../../parts/controls/tabs.tsx'
import { Feed } from '../../parts/feed/feed.tsx'
import { PageHeading } from '../../parts/page/heading.tsx'
import { Problem } from '../../parts/page/problem.tsx'
import { address } from '../../router/router.ts'
import css from './catch-up.module.css'
import { Boosted, Links, People } from './overview.tsx'
import { beginOf, lookAgain, nameOfSpan, spans, type Span } from './spans.ts'

interface Choice {
  order: keyof Messages['catchUp']['orders']
  kind: keyof Messages['catchUp']['kinds']
  /** Posts of one person alone. */
  accountId: string | null
}

const choice = signal<Choice>({ order: 'newest', kind: 'all', accountId: null })
const choose = (part: Partial<Choice>) => {
  choice.value = { ...choice.peek(), ...part }
}

export function CatchUpView() {
  const asked = address.peek().searchParams.get('since')
  const span: Span = spans.find((one) => one === asked) ?? 'evening'
  const [since, setSince] = useState(() => beginOf(span))
  const path = withQuery('/api/v1/catch_up', { since })
  const { data, error } = useQuery<CatchUp>(path)
  return (
    <>
      <PageHeading title={t.catchUp.title}>
        <IconButton
          icon="reload"
          label={t.catchUp.again}
          onClick={() => {
            lookAgain()
            invalidate('/api/v1/catch_up')
            setSince(beginOf(span))
          }}
        />
      </PageHeading>
      <Tabs
        label={t.catchUp.span}
        tabs={spans.map((one) => ({
          href: one === 'evening' ? '/catch_up' : `/catch_up?since=${one}`,
          name: nameOfSpan(one),
        }))}
      />
      {error !== null && !data && <Problem text={error} onRetry={() => invalidate(path)} />}
      {!data && error === null && <p class={css['note']}>{t.common.loading}</p>}
      {data &&
        (data.counts.statuses === 0 ? <Nothing since={since} /> : <Found since={since} found={data} />)}
    </>
  )
}

const Nothing = ({ since }: { since: string }) => (
  <p class={css['note']}>{t.catchUp.nothing({ time: formatDateTime(since) })}</p>
)

interface FoundProps {
  since: string
  found: CatchUp
}

function Found({ since, found }: FoundProps) {
  const { counts, complete, accounts } = found
  const people = new Map(accounts.map((account) => [account.id, account]))
  return (
    <>
      <p class={css['summary']}>
        {t.catchUp.summary({ posts: counts.statuses, people: counts.authors })}
        {!complete && ` ${t.catchUp.incomplete}`}
      </p>
      <People
        found={found}
        people={people}
        chosen={choice.value.accountId}
        onChoose={(accountId) => choose({ accountId })}
      />
      <Links found={found} />
      <Boosted found={found} />
      <Posts since={since} found={found} people={people} />
    </>
  )
}

/** Query of the operation for what is chosen. */
function queryOf({ order, kind, accountId }: Choice): CatchUpQuery {
  const isKind = kind !== 'all' && kind !== 'links' && kind !== 'quiet'
  return {
    sort: order,
    ...(isKind && { kinds: [kind] }),
    ...(kind === 'links' && { with_links: true }),
    ...(kind === 'quiet' && { quiet: true }),
    account_id: accountId,
  }
}

function Posts({ since, found, people }: FoundProps & { people: ReadonlyMap<string, Account> }) {
  const chosen = choice.value
  // Who has nothing in this span is chosen in another one.
  const accountId = chosen.accountId !== null && people.has(chosen.accountId) ? chosen.accountId : null
  const query = { since, until_id: found.until_id, ...queryOf({ ...chosen, accountId }) }
  const path = withQuery('/api/v1/catch_up/statuses', query)
  return (
    <section class={css['posts']} aria-label={t.catchUp.posts}>
      <div class={css['controls']}>
        <Select
          label={t.catchUp.order}
          value={chosen.order}
          options={Object.entries(t.catchUp.orders)}
          onChange={(order) => choose({ order: order as Choice['order'] })}
        />
        <Select
          label={t.catchUp.kind}
          value={chosen.kind}
          options={Object.entries(t.catchUp.kinds)}
          onChange={(kind) => choose({ kind: kind as Choice['kind'] })}
        />
      </div>
      <Feed key={path} name={t.catchUp.posts} source={{ path, isFixed: true, context: 'home' }} />
    </section>
  )
}
