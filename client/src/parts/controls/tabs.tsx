import { address } from '../../router/router.ts'
import css from './tabs.module.css'

export interface Tab {
  href: string
  name: string
}

/** Addresses beside each other; the one that is shown is marked. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const { pathname, search } = address.value
  const whole = pathname + search
  const here = tabs.some(({ href }) => href === whole) ? whole : pathname
  return (
    <nav class={css['tabs']} aria-label={label}>
      {tabs.map(({ href, name }) => (
        <a key={href} href={href} {...(href === here && { 'aria-current': 'page' as const })}>
          {name}
        </a>
      ))}
    </nav>
  )
}
