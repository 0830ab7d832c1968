import type { AdminMaintenance } from '#entities/admin/server.ts'
import type { Maintenance } from '#domain/maintenance/retention/control.ts'

/** One kind of upkeep as staff see it: an extension of the API. */
export function renderMaintenance(work: Maintenance): AdminMaintenance {
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
