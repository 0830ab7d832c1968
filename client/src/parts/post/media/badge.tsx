import css from './badge.module.css'

/** Letters that are drawn on a picture, in the corner at the end of a line or at its start, and are no part of a name. */
export const Badge = ({ text, atStart = false }: { text: string; atStart?: boolean }) => (
  <span class={`${css['badge']} ${atStart ? css['start'] : ''}`} data-text={text} />
)
