// What the document says by itself where the app did not start, in words that need no script. It waits some seconds, in
// which the app may come: see base.css.
import { lookForServer } from '../api/client.ts'
import { openAnewOnline } from '../data/offline.ts'

const part = (): HTMLElement | null => document.getElementById('lost')

/** The app is there. */
export const hideLost = (): void => part()?.remove()

/**
 * The app cannot start: that is said at once. It is opened anew by whoever wants it, and by itself when the server is back.
 * A document and not the script alone: the server that is back may be a newer one, with others.
 */
export function showLost(): void {
  part()?.setAttribute('data-certain', '')
  part()
    ?.querySelector('form')
    ?.addEventListener('submit', (event) => {
      event.preventDefault()
      location.reload()
    })
  openAnewOnline()
  // Nothing else asks the server for anything, by which one would know.
  void lookForServer()
}
