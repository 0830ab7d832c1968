export type Archetype = 'lurker' | 'booster' | 'pollster' | 'replier' | 'oracle'

/** What an account did in a year. */
export interface Activity {
  /** Statuses that answer nobody else, those with polls among them. */
  standalone: number
  /** Answers to others. */
  replies: number
  boosts: number
  polls: number
}

/** Statuses of all kinds in a year below which somebody mostly reads: what Mastodon takes for the average. */
const average = 113

/** The kind of person that an account was in a year, a playful and coarse measure, with Mastodon's thresholds. */
export function chooseArchetype({ standalone, replies, boosts, polls }: Activity): Archetype {
  if (standalone + replies + boosts < average) return 'lurker'
  if (boosts > standalone * 2) return 'booster'
  if (polls > standalone / 10) return 'pollster'
  if (replies > standalone * 2) return 'replier'
  return 'oracle'
}
