// What reaches people and servers elsewhere, for a restore that must not tell them a second time.
import * as account from './effects/deliver-account.ts'
import * as interaction from './effects/deliver-interaction.ts'
import * as relationship from './effects/deliver-relationship.ts'
import * as relay from './effects/deliver-relay.ts'
import * as status from './effects/deliver-status.ts'
import * as mail from './effects/mail.ts'
import { mailNotification } from './effects/mail-notification.ts'
import { pushNotification } from './effects/push.ts'

/** Names of effects that send something, or have it sent. */
export const outwardEffects: readonly string[] = [
  ...[account, interaction, relationship, relay, status, mail].flatMap((file) => Object.values(file)),
  mailNotification,
  pushNotification,
].map((effect) => effect.name)

/** Names of jobs that do. */
export const outwardJobs: readonly string[] = [
  'deliver-push',
  'deliver-results',
  'deliver-webhook',
  'mail-notification',
]
