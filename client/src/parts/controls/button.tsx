import type { ButtonHTMLAttributes } from 'preact'
import css from './button.module.css'

export interface ButtonProps extends Omit<ButtonHTMLAttributes, 'class'> {
  /** `main`: what the page is for. `quiet` unless given. `plain`: a text to press. */
  look?: 'main' | 'quiet' | 'plain' | 'alarm'
  /** What the keyboard finds it by: see views/shortcuts/list.ts. */
  'data-action'?: string
}

/** A button with words. */
export function Button({ look = 'quiet', type = 'button', ...rest }: ButtonProps) {
  return <button {...rest} type={type} class={`${css['button']} ${css[look]}`} />
}
