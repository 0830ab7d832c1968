// What a new person has to show before their address counts: that they are no robot.

import type { EnvReader } from '#config/env.ts'

/** `altcha`: a proof of work, without anybody else. `hcaptcha`: an outside service. */
export type RobotCheck =
  | { kind: 'altcha'; maxNumber: number }
  | { kind: 'hcaptcha'; siteKey: string; secretKey: string }

/** Reads the variables of this group; null where nothing is asked. */
export function readRobotCheck(reader: EnvReader): RobotCheck | null {
  const maxNumber = reader.integer('ALTCHA_MAX_NUMBER', { min: 1000, max: 10_000_000, fallback: 200_000 })
  const isOn = reader.boolean('ALTCHA_ENABLED', false)
  const [siteKey, secretKey] = [reader.text('HCAPTCHA_SITE_KEY'), reader.text('HCAPTCHA_SECRET_KEY')]
  if (siteKey !== null || secretKey !== null) {
    reader.required('HCAPTCHA_SITE_KEY', 'HCAPTCHA_SECRET_KEY needs it')
    reader.required('HCAPTCHA_SECRET_KEY', 'HCAPTCHA_SITE_KEY needs it')
    if (isOn) reader.refuse('ALTCHA_ENABLED', 'false where HCAPTCHA_SITE_KEY is set: one of them is enough')
    return { kind: 'hcaptcha', siteKey: siteKey ?? '', secretKey: secretKey ?? '' }
  }
  return isOn ? { kind: 'altcha', maxNumber } : null
}
