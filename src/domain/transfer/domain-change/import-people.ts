// People of a server under another name, as accounts of this one to which theirs can move.
import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { normaliseUsername } from '#lib/acct.ts'
import { isAppError, unprocessable } from '#lib/errors.ts'
import type { AccountId, UserId } from '#lib/id.ts'
import { updateProfile } from '#domain/identity/accounts/profile/update-profile.ts'
import { createUserByOperator } from '#domain/identity/accounts/registration/create-by-operator.ts'
import { insertAlias } from '#domain/federation/moves/aliases.ts'
import { inWorkspace } from '#domain/content/media/workspace.ts'
import { portableLists } from '../portability/csv-formats.ts'
import { confirmImport, prepareImport } from '../portability/imports.ts'
import type { Head, PortablePerson } from './export-people.ts'

export interface ImportedPeople {
  made: number
  /** Made by an earlier run. */
  there: number
  /** Why some could not be made, by name. */
  refused: { username: string; reason: string }[]
}

/**
 * Makes an account for each person of a file of `exportPeople`, with the same name, address, password, role, profile and
 * lists, which names the old account as an alias. Idempotent by person. Throws `unprocessable` for another file, and for
 * one of this very domain.
 */
export async function importPeople(
  ctx: Ctx,
  file: string,
  onDone: () => void = () => {},
): Promise<ImportedPeople> {
  const domain = await readDomain(ctx, file)
  const result: ImportedPeople = { made: 0, there: 0, refused: [] }
  const owners = new Map<string, Owner>()
  for await (const person of readPeople(file)) {
    const outcome = await makePerson(ctx, person, domain)
    if ('reason' in outcome) result.refused.push({ username: person.username, reason: outcome.reason })
    else {
      result[outcome.isNew ? 'made' : 'there'] += 1
      owners.set(normaliseUsername(person.username), outcome.owner)
    }
    onDone()
  }
  // Only now everybody is there whom somebody else follows.
  for await (const person of readPeople(file)) {
    const owner = owners.get(normaliseUsername(person.username))
    if (owner) await importLists(ctx, { person, owner, owners, domain })
  }
  return result
}

interface Owner {
  accountId: AccountId
  userId: UserId
}

/** By their names, in the spelling by which these are compared: who came along. */
type Owners = ReadonlyMap<string, Owner>

async function readDomain(ctx: Ctx, file: string): Promise<string> {
  for await (const line of linesOf(file)) {
    const head = parseLine<Head>(line)
    if (head?.format !== 'stonechat-people-1') break
    if (head.domain === ctx.config.localDomain) throw unprocessable('people_of_this_domain')
    return head.domain
  }
  throw unprocessable('no_file_of_people')
}

async function* readPeople(file: string): AsyncGenerator<PortablePerson, void> {
  let isHead = true
  for await (const line of linesOf(file)) {
    const person = isHead ? null : parseLine<PortablePerson>(line)
    if (!isHead && person === null) throw unprocessable('no_file_of_people')
    if (person !== null) yield person
    isHead = false
  }
}

const linesOf = (file: string) => createInterface({ input: createReadStream(file), crlfDelay: Infinity })

/** The file is the operator's own: what it says is held to the rules of accounts where it is used. */
function parseLine<T>(line: string): T | null {
  try {
    return JSON.parse(line) as T
  } catch {
    return null
  }
}

async function makePerson(
  ctx: Ctx,
  person: PortablePerson,
  domain: string,
): Promise<{ owner: Owner; isNew: boolean } | { reason: string }> {
  const known = await findMade(ctx, person)
  if (known?.hasAlias) return { owner: known, isNew: false }
  try {
    const owner = known ?? (await createUserByOperator(ctx, { ...person, confirmed: true, approve: true }))
    await updateProfile(ctx, owner, {
      ...person,
      avatar: person.avatar === null ? undefined : Buffer.from(person.avatar, 'base64'),
      header: person.header === null ? undefined : Buffer.from(person.header, 'base64'),
    })
    const alias = { acct: `${person.username}@${domain}`, uri: person.uri }
    await ctx.transaction((tx) => insertAlias(tx, owner.accountId, alias))
    return { owner, isNew: true }
  } catch (error) {
    if (isAppError(error)) return { reason: error.message }
    throw error
  }
}

/** The account that an earlier run made, wholly or in part; null when there is none, or somebody else has the name. */
async function findMade(
  ctx: Ctx,
  { username, email, uri }: PortablePerson,
): Promise<(Owner & { hasAlias: boolean }) | null> {
  const { rows } = await sql<Owner & { hasAlias: boolean }>`
    select a.id as "accountId", u.id as "userId",
      exists (select 1 from account_aliases l where l.account_id = a.id and l.uri = ${uri}) as "hasAlias"
    from accounts a join users u on u.account_id = a.id
    where lower(a.username) = lower(${username}) and coalesce(a.domain, '') = ''
      and lower(u.email) = lower(${email})`.execute(ctx.db)
  return rows[0] ?? null
}

interface Lists {
  person: PortablePerson
  owner: Owner
  owners: Owners
  domain: string
}

async function importLists(ctx: Ctx, { person, owner, owners, domain }: Lists): Promise<void> {
  await inWorkspace(ctx, async (folder) => {
    for (const type of portableLists) {
      const text = person.lists[type]
      const filename = `${domain} ${type}.csv`
      if (text === undefined || (await isImported(ctx, owner, filename))) continue
      const place = path.join(folder, filename)
      await writeFile(place, toOwnHandles(text, { owners, from: domain, to: ctx.config.localDomain }))
      const id = await prepareImport(ctx, owner, { type, overwrite: false, path: place, filename })
      await confirmImport(ctx, owner, id)
    }
  })
}

async function isImported(ctx: Ctx, { accountId }: Owner, filename: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from bulk_imports
    where account_id = ${accountId} and original_filename = ${filename} and state <> 'unconfirmed'`.execute(
    ctx.db,
  )
  return rows.length > 0
}

/** Handles of those who came along are of this server now. */
function toOwnHandles(
  text: string,
  { owners, from, to }: { owners: Owners; from: string; to: string },
): string {
  const end = from.replaceAll('.', '\\.')
  return text.replace(new RegExp(`\\b(\\w+)@${end}(?=[,"\\r\\n]|$)`, 'gi'), (handle, name: string) =>
    owners.has(normaliseUsername(name)) ? `${name}@${to}` : handle,
  )
}
