import type { Upkeep } from '#domain/maintenance/retention/control.ts'

/** One kind of upkeep as staff see it: an extension of the API. */
export interface UpkeepJson {
  name: string
  description: string
  state: string
  progress: number | null
  examined: number
  removed: number
  error: string | null
  started_at: string | null
  updated_at: string | null
  finished_at: string | null
}

export function renderUpkeep(work: Upkeep): UpkeepJson {
  return {
    name: work.name,
    description: work.summary,
    state: work.state,
    progress: work.progress,
    examined: work.examined,
    removed: work.removed,
    error: work.error,
    started_at: work.started_at?.toISOString() ?? null,
    updated_at: work.updated_at?.toISOString() ?? null,
    finished_at: work.finished_at?.toISOString() ?? null,
  }
}
