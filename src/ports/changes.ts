/**
 * What was changed, by name: a row as `user 5`, a whole table as `roles`, or any rows of a kind as `user`. The database
 * says it, by triggers, of whatever statement did it, so that no command has to remember.
 */
export interface Changes {
  /**
   * Calls `listener` with the names of what was changed: by this process before whoever did it goes on, by others once
   * the bus or the database has told. What is lost on the way is not told, so nothing may be kept for good on the strength
   * of it. An empty list: nobody knows what, it may be anything. The returned function ends it.
   */
  listen(listener: (names: readonly string[]) => void): () => void
  /** The same with the rows that pages show, which change with everything that people do (`shownKinds`). */
  listenToShown(listener: (names: readonly string[]) => void): () => void
  /**
   * What somebody else changed, for this process alone: by the database, or by news of another kind (a stream, a job), which
   * can come before the bus tells of the change.
   */
  hear(names: readonly string[]): void
}

/**
 * Kinds of rows that pages show, and that nothing else in memory depends on (migrations `shown-rows` and `deeds-shown`).
 */
export const shownKinds: readonly string[] = ['status', 'remote_account', 'account_stats', 'deeds']

/** The kind of what was changed: `user` of `user 5`. */
export const kindOf = (name: string): string => name.split(' ', 1)[0] as string
