/** Options of a command line of ffmpeg, in order: `{ f: 'mp4', sn: true }` → `-f mp4 -sn`. */
export function optionsOf(options: Readonly<Record<string, string | number | true>>): string[] {
  return Object.entries(options).flatMap(([name, value]) =>
    value === true ? [`-${name}`] : [`-${name}`, String(value)],
  )
}
