// What people have filtered: said with its reason, and shown when it is asked for.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Status } from '#entities/status.ts'
import { t } from '../../core/texts.ts'
import type { FilterContext } from '../../data/timeline.ts'
import { Button } from '../controls/button.tsx'
import css from './post.module.css'

export interface Matched {
  hidden: boolean
  /** Media are covered. */
  blurred: boolean
  /** The titles of the filters that warn. */
  warned: readonly string[]
}

/** What the viewer's filters say of a post in this place; in none of them nothing is hidden. */
export function matchFilters(status: Status, context: FilterContext | undefined): Matched {
  const matched = (status.filtered ?? [])
    .map(({ filter }) => filter)
    .filter((filter) => context === undefined || filter.context.includes(context))
  const isHidden = matched.some(({ filter_action: action }) => action === 'hide')
  const warning = matched.filter(({ filter_action: action }) => action === 'warn' || action === 'hide')
  return {
    hidden: isHidden && context !== undefined,
    blurred: matched.some(({ filter_action: action }) => action === 'blur'),
    warned: warning.map(({ title }) => title),
  }
}

export function Filtered({ titles, children }: { titles: readonly string[]; children: ComponentChildren }) {
  const [isShown, setShown] = useState(false)
  if (titles.length === 0 || isShown) return <>{children}</>
  return (
    <p class={css['filtered']}>
      <span>{t.post.filtered({ titles: titles.join(', ') })}</span>
      <Button look="plain" onClick={() => setShown(true)}>
        {t.post.showAnyway}
      </Button>
    </p>
  )
}
