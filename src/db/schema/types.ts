import type { ColumnType } from 'kysely'

/** A timestamp: read as a Date, written as a Date or an ISO string. */
export type Time = ColumnType<Date, Date | string, Date | string>
export type DefaultTime = ColumnType<Date, Date | string | undefined, Date | string>

/** What a left join brings: all of it or nothing. */
export type OrNulls<Row> = Row | { [Column in keyof Row]: null }

/** A calendar day as `YYYY-MM-DD`. */
export type Day = string

/** A date column: read as a Date in this process's time zone, so better as text (`day::text`); written as a Day. */
export type DayColumn = ColumnType<Date, Day, Day>

/** A jsonb column: read parsed, written as JSON text. */
export type Json<T = unknown> = ColumnType<T, string, string>
export type DefaultJson<T = unknown> = ColumnType<T, string | undefined, string>
