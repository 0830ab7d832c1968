/** Words of statements that write, lock rows, hold something for their session, or call functions of the job queue. */
const writing =
  /\b(?:insert|update|delete|merge|for\s+(?:key\s+)?share|nextval|setval|set_config)\b|advisory|\bgraphile_worker\.\w+\s*\(/i

export interface ReadStatements {
  /** Whether a statement, by its text, does nothing but read. */
  onlyReads(text: string): boolean
  /** For a text that seemed to read only: a function that it calls writes. */
  markWriting(text: string): void
}

/** What was found of a text is kept: there are some hundreds of them. */
export function createReadStatements(): ReadStatements {
  const known = new Map<string, boolean>()
  return {
    onlyReads(text) {
      const found = known.get(text)
      if (found !== undefined) return found
      const reads = /^\s*(?:select|with)\b/i.test(text) && !writing.test(text)
      if (known.size < 2_000) known.set(text, reads)
      return reads
    },
    markWriting(text) {
      known.set(text, false)
    },
  }
}
