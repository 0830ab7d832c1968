/** What was found out about one thing that the server leans on: in English, as on the command line. */
export interface Finding {
  part: string
  state: 'ok' | 'warning' | 'problem'
  /** One line. */
  text: string
  /** What the operator does about it; null where all is well. */
  advice: string | null
}

/** Looks at the server from outside, as `stonechat doctor` does. */
export interface Doctor {
  /** Takes some seconds. Throws AppError `unavailable` when it cannot look. */
  check(): Promise<readonly Finding[]>
}
