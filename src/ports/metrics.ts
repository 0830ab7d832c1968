/** The connections of this process to the database, as numbers of them. */
export interface PoolUse {
  /** Open, in use or not. */
  readonly open: number
  /** Open and free. */
  readonly idle: number
  /** Queries that wait for a connection. */
  readonly waiting: number
  /** Allowed at most. */
  readonly max: number
}
