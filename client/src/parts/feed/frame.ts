// Where a feed is scrolled: the window, unless it stands in a part of the page that is scrolled by itself.
import { createContext } from 'preact'

export interface FeedFrame {
  /** Its position is kept by it. */
  key: string
  element(): HTMLElement | null
}

export const FeedFrame = createContext<FeedFrame | null>(null)
