// How many files, sockets and pipes this process may have open, and has.
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'

/**
 * The limit of this process; null when it is not known. Node raises its soft limit to the hard one when it starts, so
 * what the system allows is what there is.
 */
export function descriptorLimit(): number | null {
  try {
    const [, soft] =
      /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined || soft === 'unlimited' ? null : Number(soft)
  } catch {
    return limitByReport()
  }
}

/** Where there is no /proc. The names of hosts would take long to look up, and are not wanted. */
function limitByReport(): number | null {
  const report = process.report as typeof process.report & { excludeNetwork: boolean }
  report.excludeNetwork = true
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } }
  const soft = userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : null
}

/** Descriptors in use; null when that cannot be seen. */
export async function countDescriptors(): Promise<number | null> {
  const names = await readdir('/proc/self/fd').catch(() => null)
  // One was that of the folder.
  return names && names.length - 1
}
