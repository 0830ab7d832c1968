// Databases of the servers that tests start, each like a fresh copy of the template. The copy that a test file is done
// with is emptied and handed to the next one with its open connections: what takes longest in a fresh one is planning
// every statement on every connection anew.
import type pg from 'pg'
import { inject } from 'vitest'
import { admin, copyDatabase, urlOf } from '#test/run/temporary-cluster.ts'
import { parkingClients, type Parking } from './parked-clients.ts'
import { prepareEmptying, type Emptying } from './empty-database.ts'

declare global {
  /** Databases of this process, which runs one test file after another, that are like the template and used by nobody. */
  var freeDatabases: Copy[] | undefined
}

export interface TestDatabase {
  readonly url: string
  /** For the server in this process: takes the connections that earlier ones left. */
  readonly Client: typeof pg.Client
  /** Nobody uses it any more. */
  release(): Promise<void>
}

interface Copy {
  name: string
  url: string
  parking: Parking
  emptying: Emptying | null
}

/** More than most files use at the same time. */
const maxFree = 3
let made = 0

/** A fresh copy of the template to which nobody is connected, for processes of their own; `drop` removes it. */
export async function freshDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = await copyTemplate()
  return { url: urlOf(inject('clusterUrl'), name), drop: () => drop(name) }
}

/** A database that is like a fresh copy of the template. */
export async function takeDatabase(): Promise<TestDatabase> {
  const copy = (globalThis.freeDatabases ??= []).pop() ?? (await makeCopy())
  return { url: copy.url, Client: copy.parking.Client, release: () => release(copy) }
}

async function makeCopy(): Promise<Copy> {
  const name = await copyTemplate()
  const url = urlOf(inject('clusterUrl'), name)
  // Elsewhere than on the run's own cluster nothing is left behind, and not everything is allowed.
  const emptying = inject('ownCluster') ? await prepareEmptying(url) : null
  return { name, url, parking: parkingClients(), emptying }
}

async function release(copy: Copy): Promise<void> {
  const free = (globalThis.freeDatabases ??= [])
  if (
    copy.emptying &&
    free.length < maxFree &&
    (await copy.emptying.run(await copy.parking.pids()).catch(() => false))
  )
    return void free.push(copy)
  await Promise.all([copy.emptying?.end(), copy.parking.end()])
  await drop(copy.name)
}

async function copyTemplate(): Promise<string> {
  const name = `${inject('databases')}_${process.pid}_${++made}`
  await copyDatabase(inject('clusterUrl'), inject('templateDatabase'), name)
  return name
}

const drop = (name: string) => admin(inject('clusterUrl'), `drop database if exists ${name} with (force)`)
