// Lists: for a script a line each with tabs in between, for a person at a terminal columns below a header.

/** The part of a stream that is used here. */
export interface ListOutput {
  isTTY?: boolean
  write(text: string): unknown
}

export type Cell = string | number | bigint | null | undefined

/** Prints a list. An empty one prints nothing for a script, and `none` on a terminal. */
export function printList(
  header: readonly string[],
  rows: readonly (readonly Cell[])[],
  output: ListOutput = process.stdout,
): void {
  const cells = rows.map((row) => row.map(printable))
  if (output.isTTY !== true) {
    for (const row of cells) output.write(`${row.join('\t')}\n`)
    return
  }
  if (rows.length === 0) return void output.write('none\n')
  const all = [header.map((name) => name.toUpperCase()), ...cells]
  const widths = header.map((_, index) => Math.max(...all.map((row) => (row[index] ?? '').length)))
  for (const row of all)
    output.write(
      `${row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    )
}

/** Names come from others: none moves the cursor or begins a line. */
const printable = (cell: Cell) => String(cell ?? '-').replaceAll(/\p{Cc}+/gu, ' ')
