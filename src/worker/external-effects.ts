// What reaches people and servers elsewhere, for a restore that must not tell them a second time.
import { allEffects } from './effects/index.ts'
import { formerEffects, renameEffect } from './effects/former-names.ts'

const sending = new Set(allEffects.filter((effect) => effect.hasExternalEffects).map((effect) => effect.name))

/** Names of effects that send something, or have it sent: those of now, and those by which older jobs know them. */
export const externalEffects: readonly string[] = [
  ...sending,
  ...Object.keys(formerEffects).filter((name) => sending.has(renameEffect(name))),
]

/** Names of jobs that do. */
export const externalJobs: readonly string[] = [
  'deliver-push',
  'deliver-results',
  'deliver-webhook',
  'mail-notification',
]
