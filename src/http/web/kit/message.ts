import { html } from 'hono/html'
import { renderPage, type Frame, type PageContent } from './layout.ts'
import type { Html } from './html.ts'

export interface Message extends Pick<PageContent, 'status' | 'formTargets'> {
  title: string
  message: string
  /** What stands below, such as a link to go on. */
  more?: Html
}

/** A page that says one thing: an outcome or an error. */
export function renderMessage(frame: Frame, message: Message): Promise<Response> {
  const body = html`<p>${message.message}</p>
    ${message.more ?? ''}`
  return renderPage(frame, { ...message, body })
}
