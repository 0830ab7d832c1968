import type { Log } from '#ports/log.ts'

/** Tests that look at the log bring their own. */
export const quietLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

export interface LogLine {
  level: keyof Log
  fields: Record<string, unknown>
  message: string
}

/** A log that remembers its lines. Set STONECHAT_TEST_LOG=1 to see warnings and errors while tests run. */
export function recordingLog(): Log & { lines: LogLine[] } {
  const lines: LogLine[] = []
  const write = (level: keyof Log) => (fields: object, message: string) => {
    lines.push({ level, fields: fields as Record<string, unknown>, message })
    if (process.env['STONECHAT_TEST_LOG'] && (level === 'warn' || level === 'error'))
      console.error(level, message, fields)
  }
  return { lines, debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}
