import { signal } from '@preact/signals'

const query = matchMedia('(prefers-reduced-motion: reduce)')
const changes = signal(0)
query.addEventListener('change', () => changes.value++)

/** Whether somebody wants nothing to move by itself, by a setting of theirs or, as it is at the moment, of their system. */
export function wantsLessMotion(): boolean {
  // What was drawn by it is drawn anew.
  void changes.value
  return document.documentElement.dataset['motion'] === 'less' || query.matches
}
