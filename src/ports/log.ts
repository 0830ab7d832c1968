/** Structured logging. Fields never hold tokens, codes, passwords, cookies, mail bodies or private text. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}
