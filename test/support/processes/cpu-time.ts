/**
 * The milliseconds for which `work` kept processors busy in this process. Unlike those on a clock they do not grow where
 * others are busy too.
 */
export async function cpuTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
