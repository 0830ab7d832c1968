// What a new account must look like: pure, apart from what is taken, which `findTaken` asks the database.
import { isIP } from 'node:net'
import { sql } from 'kysely'
import type { Config, Reader } from '#ports/ctx.ts'
import type { Settings } from '#domain/server/instance/settings.ts'
import { instanceActorName } from '#domain/server/instance/urls.ts'
import { AppError, type ErrorDetails } from '#lib/errors.ts'
import { isLocalUsername } from '#lib/acct.ts'
import { isMailbox } from '#lib/net/mailbox.ts'
import { isReservedUsername } from './reserved-usernames.ts'

export interface RegistrationInput {
  username: string
  email: string
  password: string
  agreement: boolean
  /** A language tag. What is none, such as `C`, stands for the default. */
  locale: string
  reason?: string | undefined
  /** `YYYY-MM-DD`. Looked at when the server has a least age, and never stored. */
  dateOfBirth?: string | undefined
  timeZone?: string | undefined
}

export type RegistrationField = 'username' | 'email' | 'password' | 'agreement' | 'reason' | 'date_of_birth'

export interface Problem {
  field: RegistrationField
  error: string
  description: string
}

const mostUsername = 30
const mostEmail = 320
const leastPassword = 8
const mostPassword = 72
const mostReason = 420

/** Names as Mastodon's messages have them. */
const names: Record<RegistrationField, string> = {
  username: 'Username',
  email: 'E-mail address',
  password: 'Password',
  agreement: 'Service agreement',
  reason: 'Reason',
  date_of_birth: 'Date of birth',
}

const problem = (field: RegistrationField, error: string, description: string): Problem => ({
  field,
  error,
  description,
})
const blank = (field: RegistrationField) => problem(field, 'ERR_BLANK', "can't be blank")
const tooLong = (field: RegistrationField, most: number) =>
  problem(field, 'ERR_TOO_LONG', `is too long (maximum is ${most} characters)`)

export const taken = (field: 'username' | 'email') => problem(field, 'ERR_TAKEN', 'has already been taken')
export const reservedName = () => problem('username', 'ERR_RESERVED', 'is reserved')

/**
 * All that is wrong with a registration but for what is taken, and what staff want to keep out. `now` in milliseconds;
 * `dotless` as for `emailProblems`.
 */
export function registrationProblems(
  input: RegistrationInput,
  settings: Settings,
  { now, dotless }: { now: number; dotless: boolean },
): Problem[] {
  return [
    ...usernameProblems(input.username),
    ...emailProblems(input.email, dotless),
    ...passwordProblems(input.password),
    ...(input.agreement ? [] : [problem('agreement', 'ERR_ACCEPTED', 'must be accepted')]),
    ...reasonProblems(input.reason ?? '', settings),
    ...ageProblems(input.dateOfBirth ?? '', settings.min_age, now),
  ]
}

export function usernameProblems(username: string, options: { allowReserved?: boolean } = {}): Problem[] {
  if (username === '') return [blank('username')]
  const problems: Problem[] = []
  if (!/^\w+$/.test(username)) {
    problems.push(problem('username', 'ERR_INVALID', 'must contain only letters, numbers and underscores'))
  }
  if (username.length > mostUsername) problems.push(tooLong('username', mostUsername))
  if (!options.allowReserved && isLocalUsername(username) && isReservedUsername(username))
    problems.push(reservedName())
  return problems
}

const invalidEmail = problem('email', 'ERR_INVALID', 'is invalid')

/** `dotless`: hosts such as `localhost` are taken too. */
export function emailProblems(email: string, dotless: boolean): Problem[] {
  if (email === '') return [blank('email'), invalidEmail]
  if (email.length > mostEmail) return [tooLong('email', mostEmail)]
  return isEmail(email, dotless) ? [] : [invalidEmail]
}

/** Whether addresses here may have hosts without a dot: this server's own name has none, or is an IP address. */
export function takesDotless({ localDomain }: Pick<Config, 'localDomain'>): boolean {
  const host = localDomain.replace(/:\d+$/, '')
  return !host.includes('.') || isIP(host) !== 0
}

function isEmail(email: string, dotless: boolean): boolean {
  return isMailbox(email) && (dotless || email.slice(email.lastIndexOf('@')).includes('.'))
}

export function passwordProblems(password: string): Problem[] {
  if (password === '') return [blank('password')]
  const length = [...password].length
  if (length < leastPassword) {
    return [problem('password', 'ERR_TOO_SHORT', `is too short (minimum is ${leastPassword} characters)`)]
  }
  return length > mostPassword ? [tooLong('password', mostPassword)] : []
}

function reasonProblems(reason: string, settings: Settings): Problem[] {
  const needed = settings.registrations_mode === 'approved' && settings.require_invite_text
  if (reason === '') return needed ? [blank('reason')] : []
  return [...reason].length > mostReason ? [tooLong('reason', mostReason)] : []
}

function ageProblems(dateOfBirth: string, leastAge: number | null, now: number): Problem[] {
  if (leastAge === null) return []
  if (dateOfBirth === '') return [blank('date_of_birth')]
  const born = parseDay(dateOfBirth)
  if (born === null) return [problem('date_of_birth', 'ERR_INVALID', 'is invalid')]
  const comesOfAge = new Date(born)
  comesOfAge.setUTCFullYear(comesOfAge.getUTCFullYear() + leastAge)
  return comesOfAge.getTime() <= now
    ? []
    : [problem('date_of_birth', 'ERR_BELOW_LIMIT', 'is below the age limit')]
}

/** `YYYY-MM-DD` of a day that exists, as milliseconds. */
function parseDay(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null
  const time = Date.parse(`${text}T00:00:00Z`)
  return Number.isNaN(time) || !new Date(time).toISOString().startsWith(text) ? null : time
}

/** Name and address that somebody has already, as the server's own actor has its name. That of a deleted account is nobody's for ever. */
export async function findTaken(
  reader: Reader,
  wanted: { username?: string; email?: string },
): Promise<Problem[]> {
  const { rows } = await sql<{ name: 'taken' | 'deleted' | null; email: boolean }>`
    select
      (select case when deleted_at is null then 'taken' else 'deleted' end from accounts
        where lower(username) = lower(${wanted.username ?? ''}) and coalesce(domain, '') = '') as name,
      exists (select 1 from users where lower(email) = lower(${wanted.email ?? ''})) as email`.execute(
    reader.db,
  )
  const found = rows[0]
  const problems: Problem[] = []
  if (found?.name === 'taken') problems.push(taken('username'))
  const isServers = wanted.username?.toLowerCase() === instanceActorName(reader.config).toLowerCase()
  if (found?.name === 'deleted' || isServers) problems.push(reservedName())
  if (found?.email) problems.push(taken('email'))
  return problems
}

/** Throws `invalid` with a message that names all problems, and details by field. */
export function assertNoProblems(problems: readonly Problem[]): void {
  if (problems.length === 0) return
  const details: ErrorDetails = {}
  for (const { field, error, description } of problems) (details[field] ??= []).push({ error, description })
  const sentences = problems.map(({ field, description }) => `${names[field]} ${description}`)
  throw new AppError('invalid', `Validation failed: ${sentences.join(', ')}`, { details })
}

/** Runs `insert`; when somebody else took the name or the address meanwhile, that is an ordinary problem. */
export async function orTaken<T>(insert: () => Promise<T>): Promise<T> {
  try {
    return await insert()
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string }
    if (code === '23505' && constraint === 'accounts_acct') assertNoProblems([taken('username')])
    if (code === '23505' && constraint === 'users_email') assertNoProblems([taken('email')])
    throw error
  }
}
