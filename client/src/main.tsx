import './base.css'
import { render } from 'preact'
import { language } from './core/start.ts'
import { answerWorker, listenToWorker, registerWorker } from './core/service-worker.ts'
import { startShortcuts } from './core/shortcuts.ts'
import { startPlaying } from './core/play.ts'
import { loadTexts } from './core/texts.ts'
import { doFromWorker } from './data/from-worker.ts'
import { claimKept, startOffline } from './data/offline.ts'
import { tellRenewedPush } from './data/push/renewed.ts'
import { followSession, loadSession } from './data/session.ts'
import { followDeletions } from './data/statuses.ts'
import { startUnread } from './data/unread.ts'
import { Layout } from './layout/layout.tsx'
import { hideLost, showLost } from './layout/lost.ts'
import { followFocus } from './parts/post/beside.ts'
import { followShown } from './parts/post/shown.ts'
import { startOutlet } from './router/outlet.tsx'
import { startRouter } from './router/router.ts'
import { NotFound } from './views/not-found.tsx'
import { shortcuts } from './views/shortcuts/list.ts'
import { routes } from './views/routes.ts'

async function start(): Promise<void> {
  listenToWorker()
  try {
    await loadTexts(language)
  } catch {
    return showLost()
  }
  startOffline()
  await loadSession()
  startUnread()
  followSession()
  followDeletions()
  followFocus()
  followShown()
  startRouter(startOutlet(routes, NotFound))
  const root = document.getElementById('app')
  if (root) render(<Layout />, root)
  hideLost()
  startShortcuts(shortcuts)
  startPlaying()
  await claimKept()
  registerWorker()
  answerWorker((message) => void doFromWorker(message))
  await tellRenewedPush()
}

void start()
