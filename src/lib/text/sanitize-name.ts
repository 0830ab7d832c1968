// Display names stand inside other text (lists, notifications, page titles), so they must not reach out of it.

import { boundMarks } from './combining-marks.ts'

const lineBreaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g
// Controls; direction embeddings and overrides; invisible operators, deprecated format characters, the byte order
// mark and interlinear annotation. Joiners and direction marks stay: scripts and emoji need them.
const removed = /[\p{Cc}\u202A-\u202E\u2060-\u2064\u206A-\u206F\uFEFF\uFFF9-\uFFFB\u{E0001}]/gu
const invisible = /[\s\p{Cf}\p{Cc}\u115F\u1160\u2800\u3164\uFFA0]/gu
const isolate = /[\u2066-\u2069]/g
const popIsolate = '\u2069'

/**
 * A display name on one line: line breaks become spaces; control characters and direction overrides go; direction
 * isolates are closed where they were opened; signs are not piled up; ends are trimmed. A name of which nothing is visible is ''.
 */
export function cleanName(text: string): string {
  const line = text.toWellFormed().replace(lineBreaks, ' ').replace(removed, '')
  if (line.replace(invisible, '') === '') return ''
  return balanceIsolates(boundMarks(line)).trim()
}

function balanceIsolates(text: string): string {
  let open = 0
  const kept = text.replace(isolate, (character) => {
    if (character !== popIsolate) {
      open += 1
      return character
    }
    if (open === 0) return ''
    open -= 1
    return character
  })
  return kept + popIsolate.repeat(open)
}
