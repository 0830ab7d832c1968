import type { ButtonHTMLAttributes } from 'preact'
import { Icon, type IconName } from './icon.tsx'
import css from './icon-button.module.css'

export interface IconButtonProps extends Omit<ButtonHTMLAttributes, 'class' | 'icon' | 'label'> {
  icon: IconName
  /** Its name for screen readers, shown when it is pointed at. */
  label: string
  /** For one that stays down. */
  pressed?: boolean
  /** Which colour it has when it is down. */
  tone?: 'boosted' | 'favourited' | 'bookmarked' | 'main'
  /** A number beside it, which is drawn and no part of the name. Screen readers hear it after that. */
  count?: string | undefined
  /** Why it can do nothing here: it says so, and may be pressed to be told. */
  refusal?: string | null
  /** What the keyboard finds it by: see views/shortcuts/list.ts. */
  'data-action'?: string
}

/** A button that is a picture, as large as a finger. */
export function IconButton({
  icon,
  label,
  pressed,
  tone = 'main',
  count,
  refusal = null,
  title = label,
  type = 'button',
  ...rest
}: IconButtonProps) {
  const description = [count, refusal].filter((one) => one != null).join(', ')
  return (
    <button
      {...rest}
      type={type}
      class={`${css['button']} ${pressed ? css[tone] : ''}`}
      aria-label={label}
      title={refusal ?? title}
      {...(description !== '' && { 'aria-description': description })}
      {...(refusal !== null && { 'aria-disabled': true })}
      {...(pressed !== undefined && { 'aria-pressed': pressed })}
    >
      <Icon name={icon} filled={pressed === true && (icon === 'star' || icon === 'bookmark')} />
      {count !== undefined && <span class={css['count']} data-count={count} />}
    </button>
  )
}
