import type { ComponentChildren } from 'preact'
import { useTitle } from '../../router/outlet.tsx'
import css from './heading.module.css'

export interface PageHeadingProps {
  title: string
  /** Buttons at its end. */
  children?: ComponentChildren
}

/** The head of a view: names the page, and has the focus when the view was come to. Each view has one. */
export function PageHeading({ title, children }: PageHeadingProps) {
  useTitle(title)
  return (
    <header class={css['heading']}>
      <h1 tabIndex={-1} dir="auto">
        {title}
      </h1>
      {children}
    </header>
  )
}
