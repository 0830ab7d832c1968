// Posts that came together are drawn, or left out, together: what is far away costs as much as there are groups, not posts.
import type { Entry } from '../../data/timeline.ts'

export type Group = readonly [Entry, ...Entry[]]

/** Returns what groups the entries of one timeline each time: a group in which nothing changed is the same as before. */
export function createGrouping(): (entries: readonly Entry[]) => readonly Group[] {
  let groups: readonly Group[] = []
  return (entries) => {
    const before = new Map(groups.map((group) => [group[0].page, group]))
    const now: [Entry, ...Entry[]][] = []
    for (const entry of entries) {
      const last = now.at(-1)
      if (last?.[0].page === entry.page) last.push(entry)
      else now.push([entry])
    }
    groups = now.map((group) => {
      const same = before.get(group[0].page)
      return same && isSame(same, group) ? same : group
    })
    return groups
  }
}

const isSame = (one: Group, other: Group) =>
  one.length === other.length && one.every(({ id }, index) => id === other[index]?.id)
