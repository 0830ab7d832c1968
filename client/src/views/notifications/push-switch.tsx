import { useEffect } from 'preact/hooks'
import { t } from '../../core/texts.ts'
import { endPush, lookAtPush, pushState, startPush } from '../../data/push/push.ts'
import { Button } from '../../parts/controls/button.tsx'
import css from './notifications.module.css'

/** Whether notifications are pushed to this browser. What of them, and from whom, is chosen in the settings. */
export function PushSwitch() {
  useEffect(() => void lookAtPush(), [])
  const state = pushState.value
  if (state === 'unknown' || state === 'none' || state === 'refused') return null
  const isOn = state === 'on'
  return (
    <>
      {isOn && <a href="/settings/notifications#devices">{t.push.choose}</a>}
      <Button aria-pressed={isOn} onClick={() => void (isOn ? endPush() : startPush())}>
        {t.push.here}
      </Button>
    </>
  )
}

/** That the browser lets nothing be shown, which only its own settings change. */
export const PushRefused = () =>
  pushState.value === 'refused' ? <p class={css['note']}>{t.push.refused}</p> : null
