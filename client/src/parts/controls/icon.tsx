// Pictures that take the colour of the text beside them; what they mean is said by what they stand in.

const paths = {
  reply: 'M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6v1',
  boost: 'M7 20 3 16l4-4M3 16h13a4 4 0 0 0 4-4v-1M17 4l4 4-4 4M21 8H8a4 4 0 0 0-4 4v1',
  star: 'm12 3.5 2.6 5.4 5.9.8-4.3 4.1 1 5.9-5.2-2.8-5.2 2.8 1-5.9-4.3-4.1 5.9-.8z',
  bookmark: 'M7 4h10v16l-5-4-5 4z',
  more: 'M5.5 12h.01M12 12h.01M18.5 12h.01',
  home: 'M4 11.5 12 4l8 7.5M6.5 10v10h11V10',
  bell: 'M6 17V11a6 6 0 1 1 12 0v6l1.5 1.5h-15zM10 21h4',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5 20.5 20.5',
  compass: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM15.5 8.5l-2 5-5 2 2-5z',
  globe:
    'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c3 3 3.5 6 3.5 9s-.5 6-3.5 9c-3-3-3.5-6-3.5-9S9 6 12 3z',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20a6.5 6.5 0 0 1 13 0M16 4.3a3.5 3.5 0 0 1 0 6.4M18 14.2a6.5 6.5 0 0 1 3.5 5.8',
  person: 'M12 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21a8 8 0 0 1 16 0',
  list: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  mail: 'M3.5 6h17v12h-17zM4 7l8 6 8-6',
  settings:
    'M4 7h9M17 7h3M4 17h3M11 17h9M15 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM9 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  unlisted: 'M12 20a8 8 0 0 1-7-11.9A8 8 0 0 0 15.9 19 8 8 0 0 1 12 20zM14 5h5l-5 6h5',
  at: 'M12 15.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM15.5 8.5V13a2.5 2.5 0 0 0 5 0v-1a8.5 8.5 0 1 0-3.5 6.9',
  close: 'M6 6l12 12M18 6 6 18',
  back: 'M10 6l-6 6 6 6M4 12h16',
  forward: 'M14 6l6 6-6 6M20 12H4',
  down: 'm6 9 6 6 6-6',
  up: 'm6 15 6-6 6 6',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  warning: 'M12 4 2.8 20h18.4zM12 10v4.5M12 17.4v.1',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  pin: 'M9 4h6l-1 6 4 4H6l4-4zM12 14v6',
  picture: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9.5h.01',
  poll: 'M5 20V10M12 20V4M19 20v-7',
  flag: 'M6 21V4h11l-2 4 2 4H6',
  link: 'M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 5.7 5.7l1-1',
  trash: 'M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13',
  play: 'M8 5v14l11-7z',
  plus: 'M12 5v14M5 12h14',
  quote: 'M5 17h4l1-5V6H4v6h3zM14 17h4l1-5V6h-6v6h3z',
  speak: 'M4 5h16v11H9l-5 4z',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3.5v4M16 3.5v4',
  drafts: 'M6 3.5h9l3.5 3.5V20.5H6zM9 11h6M9 15h6',
  hash: 'M9 4 7 20M17 4l-2 16M4 9h16M3.5 15h16',
  smile: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM8 14a4.5 4.5 0 0 0 8 0M9 9.5h.01M15 9.5h.01',
  language: 'M4 6h9M8.5 4v2M11 6c-.8 3.5-3.5 6.5-6.5 8M6 9c1 2.2 2.8 4 5 5M12 20l4-9.5 4 9.5M13.5 17h5',
  block: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM6 6l12 12',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2',
  reload: 'M20 11a8 8 0 1 0-2.3 6.2M20 4v7h-7',
  filter: 'M4 5h16l-6 7.5V19l-4-2v-4.5z',
  columns: 'M4 5h16v14H4zM9.5 5v14M14.5 5v14',
  mute: 'M4 9v6h4l5 4V5L8 9zM17 9.5l4 5M21 9.5l-4 5',
} as const

export type IconName = keyof typeof paths

/** They point where one reads to or comes from: mirrored where that is from the right. */
const turning: ReadonlySet<IconName> = new Set(['back', 'forward', 'reply'])

/** Decoration: hidden from screen readers. `filled`: of what is pressed. */
export function Icon({
  name,
  size = 20,
  filled = false,
}: {
  name: IconName
  size?: number
  filled?: boolean
}) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      aria-hidden="true"
      class={turning.has(name) ? 'icon turning' : 'icon'}
    >
      <path
        d={paths[name]}
        fill={filled ? 'currentColor' : 'none'}
        stroke="currentColor"
        stroke-width={name === 'more' ? 3 : 1.8}
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  )
}
