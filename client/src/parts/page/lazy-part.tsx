import type { ComponentType, FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { isOnline } from '../../api/client.ts'
import { tell } from '../../core/tell.ts'
import { t } from '../../core/texts.ts'

/** What to tell of a part of the app that could not be loaded. */
export const wordsOfLost = (): string => (isOnline.peek() ? t.errors.broken : t.errors.offline)

/**
 * A component that is loaded when it is first shown; nothing stands there until then. Where that fails it says so and,
 * if it can be closed, is closed: whoever opens it again tries again.
 */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): FunctionComponent<P> {
  let loaded: ComponentType<P> | null = null
  return function LazyPart(props: P) {
    const [Part, setPart] = useState(() => loaded)
    const isThere = isOnline.value
    useEffect(() => {
      if (loaded) return
      void load().then(
        (part) => {
          loaded = part
          setPart(() => part)
        },
        () => {
          tell(wordsOfLost(), 'problem')
          ;(props as { onClose?: () => void }).onClose?.()
        },
      )
    }, [isThere])
    return Part && <Part {...props} />
  }
}
