import type { AdminWarningPreset } from '#entities/admin/server.ts'
import type { WarningPreset } from '#domain/trust/moderation/warning-presets.ts'
import { formatTime } from '#lib/time/time.ts'

/** A text for warnings, as staff edit it (an extension). */
export function renderWarningPreset(preset: WarningPreset): AdminWarningPreset {
  return {
    id: preset.id,
    title: preset.title,
    text: preset.text,
    created_at: formatTime(preset.created_at),
    updated_at: formatTime(preset.updated_at),
  }
}
