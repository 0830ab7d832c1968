// A dialog of the browser: it has the focus, closes by Escape, and gives the focus back to what opened it.
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../../core/texts.ts'
import css from './dialog.module.css'
import { IconButton } from './icon-button.tsx'

export interface DialogProps {
  /** Its name, shown as its heading. */
  title: string
  onClose: () => void
  children: ComponentChildren
  /** `wide` for lists and pictures; `whole`: the whole window, without a heading that is seen. */
  size?: 'narrow' | 'wide' | 'whole'
}

/** Open for as long as it is rendered. */
export function Dialog({ title, onClose, children, size = 'narrow' }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  // Before anything is painted: by then the focus could be elsewhere than on what opened it.
  useLayoutEffect(() => {
    const opener = document.activeElement
    const opened = dialog.current
    opened?.showModal()
    return () => {
      // As long as it is open, nothing outside of it takes the focus.
      opened?.close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class={`${css['dialog']} ${css[size]}`}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose()
      }}
    >
      <div class={css['content']}>
        <header class={css['head']}>
          <h2 id={heading}>{title}</h2>
          <IconButton icon="close" label={t.common.close} onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  )
}
