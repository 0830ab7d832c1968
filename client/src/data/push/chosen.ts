// That somebody wanted notifications pushed to this browser, remembered here: the server forgets a subscription that the push
// service has ended, and the browser has one for all who sign in with it.
import type { WebPushSubscription } from '#entities/push-subscription.ts'
import { account } from '../session.ts'
import type { PushChoice } from './subscription.ts'

/** What was chosen, and to where it was pushed then. */
export type ChosenPush = PushChoice & Pick<WebPushSubscription, 'endpoint'>

/** Of whoever is signed in. */
function nameOfOwn(): string | null {
  const id = account.peek().data?.id
  return id === undefined ? null : `push ${id}`
}

/** Returns what whoever is signed in has chosen on this device; null: nothing. */
export function chosenPush(): ChosenPush | null {
  const name = nameOfOwn()
  const kept = name === null ? null : localStorage.getItem(name)
  return kept === null ? null : (JSON.parse(kept) as ChosenPush)
}

export function rememberPush({ endpoint, alerts, policy }: ChosenPush): void {
  const name = nameOfOwn()
  if (name !== null) localStorage.setItem(name, JSON.stringify({ endpoint, alerts, policy }))
}

/** Nothing is to be pushed here to whoever is signed in. */
export function forgetPush(): void {
  const name = nameOfOwn()
  if (name !== null) localStorage.removeItem(name)
}
