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
  readonly replicas: readonly ReplicaUse[]
}

/**
 * What a read replica is good for. `current`: it is asked. `promoted`: it takes writes itself. `foreign`: of another
 * database. `other-timeline`: it does not follow the database since one of the two was promoted, as far as it knows.
 */
export type ReplicaState = 'current' | 'behind' | 'away' | 'promoted' | 'foreign' | 'other-timeline'

/** A read replica as this process finds it. */
export interface ReplicaUse {
  /** Host and port. */
  readonly name: string
  readonly state: ReplicaState
  /** How far it was behind when last looked at: bytes of the log, and seconds since it was not. */
  readonly bytes: number
  readonly seconds: number
  /** Statements that it answered. */
  readonly answered: number
  /** Statements that were meant for it and answered by the database itself. */
  readonly passedOn: number
}
