/** Defaults, besides those that follow from the machine; the cluster's own postgresql.conf stays as initdb wrote it. */
export const defaultSettings: Readonly<Record<string, string>> = {
  cluster_name: 'stonechat',
  huge_pages: 'off',
  // Every acknowledged post is on the disk.
  fsync: 'on',
  synchronous_commit: 'on',
  wal_compression: 'on',
  min_wal_size: '64MB',
  checkpoint_timeout: '15min',
  // Reading in the backend itself needs no workers, and a small database is in the page cache anyway.
  io_method: 'sync',
  // What the backend reads itself needs hardly any places for what is being read, which take 4 MB otherwise, used or not.
  io_max_concurrency: '16',
  jit: 'off',
  random_page_cost: '1.1',
  max_parallel_workers_per_gather: '0',
  max_logical_replication_workers: '0',
  max_wal_senders: '2',
  autovacuum_worker_slots: '4',
  // Feeds and queues turn over fast: do not wait for a fifth of the table.
  autovacuum_vacuum_scale_factor: '0.1',
  autovacuum_analyze_scale_factor: '0.05',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Errors of statements go to whoever sent them; in a log their details could hold private text.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] ',
}

/** Settings as arguments of `postgres`. */
export function settingArguments(settings: Record<string, string>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
