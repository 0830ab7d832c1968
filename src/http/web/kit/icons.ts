// Small pictures that take the colour of the text beside them.
import { html, raw } from 'hono/html'
import type { Html } from './html.ts'

const paths = {
  reply: 'M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6v1',
  boost: 'M7 20 3 16l4-4M3 16h13a4 4 0 0 0 4-4v-1M17 4l4 4-4 4M21 8H8a4 4 0 0 0-4 4v1',
  star: 'm12 3.5 2.6 5.4 5.9.8-4.3 4.1 1 5.9-5.2-2.8-5.2 2.8 1-5.9-4.3-4.1 5.9-.8z',
  pin: 'M9 4h6l-1 6 4 4H6l4-4zM12 14v6',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  play: 'M8 5v14l11-7z',
  house: 'M4 11.5 12 4l8 7.5M6.5 10v10h11V10',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20a6.5 6.5 0 0 1 13 0M16 4.3a3.5 3.5 0 0 1 0 6.4M18 14.2a6.5 6.5 0 0 1 3.5 5.8',
  check: 'm5 12.5 4.5 4.5L19 7.5',
} as const

/** An icon that is only seen: what it means stands beside it, or in a `title`. */
export function icon(name: keyof typeof paths): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
    <path
      d="${raw(paths[name])}"
      fill="none"
      stroke="currentColor"
      stroke-width="1.8"
      stroke-linecap="round"
      stroke-linejoin="round"
    />
  </svg>`
}
