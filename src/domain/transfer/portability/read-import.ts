import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { parse } from 'csv-parse'
import type { Config } from '#ports/ctx.ts'
import { invalid } from '#lib/errors.ts'
import { parseCells, readColumns, withoutHeader, type PortableList, type PortableRow } from './csv-formats.ts'

/** Lines of one file. Mastodon's figure. */
export const maxRows = 20_000
const lineBytes = 16 * 1024

const maxKept = 500

export interface ReadRow {
  /** Counted from 1, the header too. */
  line: number
  row: PortableRow
  /** It says nothing that a file of this kind can say. */
  isUnreadable: boolean
}

/**
 * The rows of a CSV file, read as a stream. Throws `invalid` for what is no such file, has too many lines, or no
 * line that says what a file of this kind can say.
 */
export async function readImport(
  path: string,
  { type, config }: { type: PortableList; config: Config },
): Promise<ReadRow[]> {
  const rows: ReadRow[] = []
  let columns: ReturnType<typeof readColumns>['columns'] | null = null
  try {
    for await (const { cells, line } of readLines(path, await delimiterOf(path, type))) {
      if (columns === null) {
        const read = readColumns(type, cells)
        columns = read.columns
        if (read.isHeader) continue
      }
      const row = parseCells(type, cells, { columns, config })
      const isUnreadable = row === null
      const kept = row ?? { unread: cells.join(',').slice(0, maxKept) }
      if (rows.push({ line, row: kept, isUnreadable }) > maxRows)
        throw invalid('base', 'too_many_lines', { max: maxRows })
    }
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('CSV_')) throw invalid('base', 'no_csv')
    throw error
  }
  const [first] = rows
  if (!first) throw invalid('base', 'file_empty')
  if (rows.every((one) => one.isUnreadable)) throw invalid('base', 'line_malformed', { line: first.line })
  return rows
}

/** Spreadsheets of countries that write 0,5 put semicolons between cells. */
async function delimiterOf(path: string, type: PortableList): Promise<string> {
  if (withoutHeader[type].length === 1) return ','
  for await (const { cells } of readLines(path, ','))
    return cells.length === 1 && cells[0]?.includes(';') ? ';' : ','
  return ','
}

async function* readLines(
  path: string,
  delimiter: string,
): AsyncGenerator<{ cells: string[]; line: number }, void> {
  // Whoever reads no further closes the file, too.
  const parser = pipeline(
    createReadStream(path),
    parse({
      delimiter,
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: lineBytes,
      info: true,
    }),
    () => {},
  )
  for await (const { record, info } of parser as AsyncIterable<{
    record: string[]
    info: { lines: number }
  }>) {
    if (record.some((cell) => cell.includes('\u0000'))) throw invalid('base', 'no_csv')
    yield { cells: record, line: info.lines }
  }
}
