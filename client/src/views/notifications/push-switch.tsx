import { useEffect } from 'preact/hooks'
import { t } from '../../core/texts.ts'
import { endPush, lookAtPush, pushState, startPush } from '../../data/push/push.ts'
import { Button } from '../../parts/controls/button.tsx'

/** Whether notifications are pushed to this browser. What of them, and from whom, is chosen in the settings. */
export function PushSwitch() {
  useEffect(() => void lookAtPush(), [])
  const state = pushState.value
  if (state === 'unknown' || state === 'none') return null
  if (state === 'refused') return <small>{t.push.refused}</small>
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
