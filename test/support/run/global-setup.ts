import { tmpdir } from 'node:os'
import path from 'node:path'
import { buildPrograms } from '../../../scripts/packages/build-program.ts'
import type { TestProject } from 'vitest/node'
import { claimDatabases } from './claimed-databases.ts'
import { admin, copyStatement, migrateAll, startTemporaryCluster, urlOf } from './temporary-cluster.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where databases are made: postgres://…/postgres or the like. */
    clusterUrl: string
    /** How the names of databases begin that are made there. */
    databases: string
    /** The migrated database that each test file copies. */
    templateDatabase: string
    /** Whether the cluster is the run's, and ends with it. */
    ownCluster: boolean
  }
}

/**
 * The program as it is now, built for those who start it. One cluster for the run: an embedded one in the run's folder,
 * or with DATABASE_URL an outside one, and a migrated template in it.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildPrograms()
  const outside = process.env['DATABASE_URL']
  const cluster = outside
    ? { url: outside, stop: async () => {} }
    : await startTemporaryCluster(path.join(tmpdir(), 'cluster'))
  const claim = await claimDatabases(cluster.url)
  const templateDatabase = `${claim.name}_template`
  await admin(cluster.url, `create database ${templateDatabase}`)
  await migrateAll(urlOf(cluster.url, templateDatabase))
  // Whoever were connected to it would keep all others from copying it.
  await admin(cluster.url, `alter database ${templateDatabase} with allow_connections false`)
  if (!outside) await copyInKernel(cluster.url, templateDatabase)
  project.provide('clusterUrl', cluster.url)
  project.provide('databases', claim.name)
  project.provide('ownCluster', !outside)
  project.provide('templateDatabase', templateDatabase)
  return async () => {
    // What is the run's own goes as a whole.
    if (outside) await claim.release()
    await cluster.stop()
  }
}

/** Has the kernel copy files of databases where it can (copy_file_range), which takes a quarter of the time. */
async function copyInKernel(clusterUrl: string, templateDatabase: string): Promise<void> {
  const name = `${templateDatabase}_copy`
  const steps = [
    'set file_copy_method = clone',
    copyStatement(templateDatabase, name),
    `drop database ${name}`,
    'alter system set file_copy_method = clone',
    'select pg_reload_conf()',
  ]
  // Not every file system can: then they are copied as usual.
  await admin(clusterUrl, ...steps).catch(() => {})
}
