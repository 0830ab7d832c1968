import type { ComponentType, FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** A component that is loaded when it is first shown; nothing stands there until then. */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): FunctionComponent<P> {
  let loaded: ComponentType<P> | null = null
  return function LazyPart(props: P) {
    const [Part, setPart] = useState(() => loaded)
    useEffect(() => {
      if (loaded) return
      void load().then((part) => {
        loaded = part
        setPart(() => part)
      })
    }, [])
    return Part && <Part {...props} />
  }
}
