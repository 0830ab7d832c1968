import type { Config } from '#config/config.ts'
import { describeReplicas, type ReplicaDescription } from '#adapters/postgres/describe-replica.ts'
import type { ReplicaState } from '#ports/metrics.ts'
import { ok, problem, warning, whenItFails, type Result } from './finding.ts'

const advice: Record<Exclude<ReplicaState, 'current'>, string> = {
  away: whenItFails.replicas,
  behind: 'where it stays so: its disk or its network is too slow, or its replay is paused',
  promoted:
    'take it out of REPLICA_DATABASE_URL; docs/operators/replicas.md has how it becomes a replica again',
  foreign: 'REPLICA_DATABASE_URL has to lead to a replica of the database in DATABASE_URL',
  'other-timeline':
    'where it follows the database: run `checkpoint` there, and it is used. Where it does not: make it anew',
}

const words: Record<ReplicaState, string> = {
  current: 'as new as the database',
  away: 'away',
  behind: 'behind',
  promoted: 'takes writes itself',
  foreign: 'of another database',
  'other-timeline': 'on another timeline',
}

/** Whether each read replica is used, and how far it is behind. */
export async function checkReplicas({
  replicaUrls,
  databaseUrl,
  databaseDirectUrl,
}: Config): Promise<Result> {
  const found = await describeReplicas(replicaUrls, databaseDirectUrl ?? databaseUrl ?? '')
  const line = found.map(describe).join('; ')
  const bad = found.find(({ state }) => state !== 'current')
  // Lists are read from the database then: nothing is missed but speed.
  if (bad && bad.state !== 'current')
    return bad.state === 'behind' ? warning(line, advice.behind) : problem(line, advice[bad.state])
  return found.every(({ feedback }) => feedback)
    ? ok(line)
    : warning(
        line,
        'set hot_standby_feedback = on there: long reads are cancelled otherwise, and asked again elsewhere',
      )
}

const describe = ({ name, state, bytes }: ReplicaDescription): string =>
  `${name} ${words[state]}${bytes > 0 ? `, by ${Math.ceil(bytes / 1024)} KB of log` : ''}`
