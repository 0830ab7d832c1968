// What reaches people and servers elsewhere, for a restore that must not tell them a second time.
import { allEffects } from './effects/index.ts'

/** Names of effects that send something, or have it sent. */
export const externalEffects: readonly string[] = [
  ...new Set(allEffects.filter((effect) => effect.hasExternalEffects).map((effect) => effect.name)),
]

/** Names of jobs that do. */
export const externalJobs: readonly string[] = [
  'deliver-push',
  'deliver-results',
  'deliver-webhook',
  'mail-notification',
]
