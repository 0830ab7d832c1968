// Finding people, posts and tags. An address that was pasted is opened here, wherever in the fediverse it is.
import { useEffect, useState } from 'preact/hooks'
import type { Search } from '#entities/search.ts'
import { withQuery } from '../../api/client.ts'
import { t } from '../../core/texts.ts'
import { useQuery } from '../../data/query.ts'
import { Button } from '../../parts/controls/button.tsx'
import { Tabs } from '../../parts/controls/tabs.tsx'
import { PageHeading } from '../../parts/page/heading.tsx'
import { Problem } from '../../parts/page/problem.tsx'
import { address, navigate } from '../../router/router.ts'
import { SearchHelp } from './help.tsx'
import { OneKind, pathOf, Results, types, withoutDeleted, type Type } from './results.tsx'
import css from './search.module.css'

/** How many of each there are where all are shown. */
const few = 5

const hrefOf = (q: string, type?: Type) => withQuery('/search', { q, type })

export function SearchView() {
  const { searchParams } = address.peek()
  const q = (searchParams.get('q') ?? '').trim()
  const type = types.find((one) => one === searchParams.get('type'))
  return (
    <>
      <PageHeading title={q === '' ? t.search.title : t.search.resultsFor({ words: q })} />
      <SearchForm q={q} type={type} />
      {q === '' ? (
        <SearchHelp isOpen />
      ) : (
        <>
          <Tabs
            label={t.search.kinds}
            tabs={[
              { href: hrefOf(q), name: t.search.all },
              ...types.map((one) => ({ href: hrefOf(q, one), name: t.search[one] })),
            ]}
          />
          <SearchHelp />
          {type ? <OneKind q={q} type={type} /> : <AllKinds q={q} />}
        </>
      )}
    </>
  )
}

function SearchForm({ q, type }: { q: string; type: Type | undefined }) {
  const [words, setWords] = useState(q)
  return (
    <form
      role="search"
      class={css['form']}
      onSubmit={(event) => {
        event.preventDefault()
        const asked = words.trim()
        // What is at an address is of whichever kind.
        if (asked !== '') navigate(hrefOf(asked, isAddress(asked) ? undefined : type))
      }}
    >
      <input
        type="search"
        name="q"
        // Who comes to search writes at once.
        data-first={q === '' ? '' : undefined}
        // What stands there while nothing is written is in the language of the page.
        {...(words !== '' && { dir: 'auto' })}
        aria-label={t.search.field}
        placeholder={t.search.field}
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
      />
      <Button type="submit" look="main">
        {t.search.search}
      </Button>
    </form>
  )
}

const isAddress = (q: string) => /^(?:https?|web\+ap|web\+activitypub):\/\/\S+$/.test(q)

/** Where the one thing is that an address names; null where there are none, or several. */
function onlyOne({ accounts, statuses, hashtags }: Search): string | null {
  const [account, status, tag] = [accounts[0], statuses[0], hashtags[0]]
  if (accounts.length + statuses.length + hashtags.length !== 1) return null
  if (account) return `/@${account.acct}`
  if (status) return `/@${status.account.acct}/${status.id}`
  return tag ? `/tags/${encodeURIComponent(tag.name)}` : null
}

function AllKinds({ q }: { q: string }) {
  const { data: answer, error, loading } = useQuery<Search>(pathOf(q, { limit: few }))
  const data = answer && withoutDeleted(answer)
  const named = data && isAddress(q) ? onlyOne(data) : null
  useEffect(() => {
    if (named !== null) navigate(named, { replace: true })
  }, [named])
  if (error !== null) return <Problem text={error} />
  if (!data || named !== null) return <p class={css['note']}>{loading && t.search.searching}</p>
  const found = types.filter((type) => data[type].length > 0)
  if (found.length === 0)
    return (
      <p class={css['note']} role="status">
        {isAddress(q) ? t.search.nothingThere : t.search.nothing}
      </p>
    )
  return found.map((type) => (
    <section key={type} aria-label={t.search[type]}>
      <h2 class={css['heading']}>{t.search[type]}</h2>
      <Results found={data} type={type} />
      {data[type].length >= few && (
        <a class={css['more']} href={hrefOf(q, type)}>
          {t.search.more}
        </a>
      )}
    </section>
  ))
}
