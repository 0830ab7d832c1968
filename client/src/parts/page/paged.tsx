// What stands below a list that comes a page at a time: more of it, what went wrong, or that there is nothing.
import type { Growth } from '../../data/growth.ts'
import { End } from './end.tsx'
import endCss from './end.module.css'
import { Problem } from './problem.tsx'

interface Growing extends Growth {
  loadMore(): Promise<void>
}

export function PagesEnd({ pages, isEmpty, empty }: { pages: Growing; isEmpty: boolean; empty: string }) {
  const { loading, error, ended, loadMore } = pages
  if (error.value !== null) return <Problem text={error.value} onRetry={() => void loadMore()} />
  if (!ended.value) return <End onSeen={() => void loadMore()} busy={loading.value} />
  return isEmpty ? <p class={endCss['end']}>{empty}</p> : null
}
