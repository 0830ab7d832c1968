// A button with a menu (https://www.w3.org/WAI/ARIA/apg/patterns/menu-button/), in the layer above the page.
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Icon, type IconName } from './icon.tsx'
import { IconButton } from './icon-button.tsx'
import rowCss from './row.module.css'
import css from './menu.module.css'

export interface MenuItem {
  label: string
  icon: IconName
  /** What is done, or where it leads. */
  run?: () => void
  href?: string
  isAlarming?: boolean
}

export interface MenuProps {
  label: string
  icon?: IconName
  /** Asked for when the menu is opened; `null` draws a line. */
  items: () => readonly (MenuItem | null)[]
}

export function Menu({ label, icon = 'more', items }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const button = useRef<HTMLSpanElement>(null)
  const close = () => {
    setOpen(false)
    button.current?.querySelector('button')?.focus({ preventScroll: true })
  }
  return (
    <span ref={button} class={css['anchor']}>
      <IconButton
        icon={icon}
        label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && <Items id={id} label={label} items={items()} onClose={close} />}
    </span>
  )
}

interface ItemsProps {
  id: string
  label: string
  items: readonly (MenuItem | null)[]
  onClose: () => void
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, Home: -1000, End: 1000 }

function Items({ id, label, items, onClose }: ItemsProps) {
  const menu = useRef<HTMLDivElement>(null)
  const entries = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
  useEffect(() => {
    const { current } = menu
    const anchor = current?.parentElement
    if (!current || !anchor) return
    current.showPopover()
    place(current, anchor)
    entries()[0]?.focus({ preventScroll: true })
    const leave = (event: Event) => {
      if (!anchor.contains(event.target as Node)) onClose()
    }
    // Also where a part of the page is scrolled by itself, but not in the menu.
    const scrolled = ({ target }: Event) => {
      if (target !== current) onClose()
    }
    addEventListener('pointerdown', leave)
    addEventListener('scroll', scrolled, true)
    return () => {
      removeEventListener('pointerdown', leave)
      removeEventListener('scroll', scrolled, true)
    }
  }, [])
  const move = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Escape' || event.key === 'Tab') return onClose()
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const all = entries()
    const here = all.indexOf(document.activeElement as HTMLElement)
    const next =
      Math.abs(step) === 1 ? (here + step + all.length) % all.length : step < 0 ? 0 : all.length - 1
    all[next]?.focus()
  }
  return (
    <div
      ref={menu}
      id={id}
      class={css['menu']}
      role="menu"
      aria-label={label}
      popover="manual"
      onKeyDown={move}
    >
      {items.map((item, index) =>
        item === null ? <hr key={index} /> : <Item key={item.label} item={item} onClose={onClose} />,
      )}
    </div>
  )
}

function Item({ item, onClose }: { item: MenuItem; onClose: () => void }) {
  const look = {
    role: 'menuitem',
    tabIndex: -1,
    class: `${rowCss['row']} ${css['item']} ${item.isAlarming ? css['alarming'] : ''}`,
  } as const
  const content = (
    <>
      <Icon name={item.icon} />
      {item.label}
    </>
  )
  if (item.href !== undefined)
    return (
      <a {...look} href={item.href} onClick={onClose}>
        {content}
      </a>
    )
  return (
    <button
      {...look}
      type="button"
      onClick={() => {
        onClose()
        item.run?.()
      }}
    >
      {content}
    </button>
  )
}

/** Below the button, or above it where there is no room; inside the window. */
function place(menu: HTMLElement, anchor: HTMLElement): void {
  const at = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = menu
  const left = Math.min(Math.max(8, at.right - width), innerWidth - width - 8)
  const top = at.bottom + height + 8 > innerHeight ? Math.max(8, at.top - height - 4) : at.bottom + 4
  menu.style.left = `${left}px`
  menu.style.top = `${top}px`
}
