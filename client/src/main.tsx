import './base.css'
import { render } from 'preact'
import { language } from './core/start.ts'
import { loadTexts } from './core/texts.ts'
import { loadSession } from './data/session.ts'
import { Layout } from './layout/layout.tsx'
import { startOutlet } from './router/outlet.tsx'
import { startRouter } from './router/router.ts'
import { NotFound } from './views/not-found.tsx'
import { routes } from './views/routes.ts'

async function start(): Promise<void> {
  await loadTexts(language)
  await loadSession()
  startRouter(startOutlet(routes, NotFound))
  const root = document.getElementById('app')
  if (root) render(<Layout />, root)
}

void start()
