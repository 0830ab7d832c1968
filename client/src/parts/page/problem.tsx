import { useEffect, useRef } from 'preact/hooks'
import { isOnline } from '../../api/client.ts'
import { t } from '../../core/texts.ts'
import { Button } from '../controls/button.tsx'
import css from './problem.module.css'

/** What stands where something could not be shown, with a way to try again: taken by itself when the network is back. */
export function Problem({ text, onRetry }: { text: string; onRetry?: () => void }) {
  const isThere = isOnline.value
  const wasThere = useRef(isThere)
  useEffect(() => {
    if (isThere && !wasThere.current && text === t.errors.offline) onRetry?.()
    wasThere.current = isThere
  }, [isThere])
  return (
    <div class={css['problem']} role="alert">
      <p>{text}</p>
      <Button onClick={onRetry ?? (() => location.reload())}>{t.common.retry}</Button>
    </div>
  )
}
