/** A number of bytes for people to read, in powers of a thousand. */
export function bytes(count: number): string {
  const [unit, size] = count >= 1e9 ? ['GB', 1e9] : count >= 1e6 ? ['MB', 1e6] : ['kB', 1e3]
  return `${(count / (size as number)).toFixed(1)} ${unit}`
}
