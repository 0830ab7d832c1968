/** Whether somebody wants nothing to move by itself, by a setting of theirs or of their system. */
export const wantsLessMotion = (): boolean =>
  document.documentElement.dataset['motion'] === 'less' ||
  matchMedia('(prefers-reduced-motion: reduce)').matches
