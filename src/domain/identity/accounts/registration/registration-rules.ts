// What a new account must look like: pure, apart from what is taken, which `findTaken` asks the database.
import { isIP } from 'node:net'
import { sql } from 'kysely'
import type { Config, Reader } from '#ports/ctx.ts'
import type { Settings } from '#domain/server/instance/settings.ts'
import { instanceActorName } from '#domain/server/instance/urls.ts'
import { invalidForm, type ProblemCode } from '#lib/errors.ts'
import type { Params } from '#lib/messages/catalogue.ts'
import type { Problem } from '#lib/messages/describe-error.ts'
import { isLocalUsername } from '#lib/acct.ts'
import { isMailbox } from '#lib/net/mailbox.ts'
import { isReservedUsername } from './reserved-usernames.ts'

export interface RegistrationInput {
  username: string
  email: string
  /** null: others say who it is. */
  password: string | null
  agreement: boolean
  /** A language tag. What is none, such as `C`, stands for the default. */
  locale: string
  reason?: string | undefined
  /** `YYYY-MM-DD`. Looked at when the server has a least age, and never stored. */
  dateOfBirth?: string | undefined
  timeZone?: string | undefined
}

export type RegistrationField = 'username' | 'email' | 'password' | 'agreement' | 'reason' | 'date_of_birth'

/** What is wrong, also as apps find it in `details`. */
export type RegistrationProblem = Problem & {
  readonly detail: { readonly field: RegistrationField; readonly error: string }
}

const maxUsername = 30
const maxEmail = 320
const minPasswordLength = 8
const maxPassword = 72
const maxReason = 420

/** Names as Mastodon's messages have them, where they are not those of the fields. */
const names = { email: 'email_address', agreement: 'service_agreement' } as const

/** What each of these is called in `details`. */
const codes = {
  blank: 'ERR_BLANK',
  invalid: 'ERR_INVALID',
  wrong_characters: 'ERR_INVALID',
  taken: 'ERR_TAKEN',
  reserved: 'ERR_RESERVED',
  not_accepted: 'ERR_ACCEPTED',
  below_age_limit: 'ERR_BELOW_LIMIT',
  too_long: 'ERR_TOO_LONG',
  too_short: 'ERR_TOO_SHORT',
} as const satisfies Partial<Record<ProblemCode, string>>

const wrong = (field: RegistrationField, code: keyof typeof codes, params?: Params): RegistrationProblem => ({
  field: names[field as keyof typeof names] ?? field,
  code,
  params,
  detail: { field, error: codes[code] },
})
const tooLong = (field: RegistrationField, max: number) => wrong(field, 'too_long', { max })

export const taken = (field: 'username' | 'email') => wrong(field, 'taken')
export const reservedName = () => wrong('username', 'reserved')

/**
 * All that is wrong with a registration but for what is taken, and what staff want to keep out. `now` in milliseconds;
 * `dotless` as for `emailProblems`.
 */
export function registrationProblems(
  input: RegistrationInput,
  settings: Settings,
  { now, dotless }: { now: number; dotless: boolean },
): RegistrationProblem[] {
  return [
    ...usernameProblems(input.username),
    ...emailProblems(input.email, dotless),
    ...(input.password === null ? [] : passwordProblems(input.password)),
    ...(input.agreement ? [] : [wrong('agreement', 'not_accepted')]),
    ...reasonProblems(input.reason ?? '', settings),
    ...ageProblems(input.dateOfBirth ?? '', settings.min_age, now),
  ]
}

export function usernameProblems(
  username: string,
  options: { allowReserved?: boolean } = {},
): RegistrationProblem[] {
  if (username === '') return [wrong('username', 'blank')]
  const problems: RegistrationProblem[] = []
  if (!/^\w+$/.test(username)) {
    problems.push(wrong('username', 'wrong_characters'))
  }
  if (username.length > maxUsername) problems.push(tooLong('username', maxUsername))
  if (!options.allowReserved && isLocalUsername(username) && isReservedUsername(username))
    problems.push(reservedName())
  return problems
}

const invalidEmail = wrong('email', 'invalid')

/** `dotless`: hosts such as `localhost` are taken too. */
export function emailProblems(email: string, dotless: boolean): RegistrationProblem[] {
  if (email === '') return [wrong('email', 'blank'), invalidEmail]
  if (email.length > maxEmail) return [tooLong('email', maxEmail)]
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

export function passwordProblems(password: string): RegistrationProblem[] {
  if (password === '') return [wrong('password', 'blank')]
  const length = [...password].length
  if (length < minPasswordLength) {
    return [wrong('password', 'too_short', { min: minPasswordLength })]
  }
  return length > maxPassword ? [tooLong('password', maxPassword)] : []
}

function reasonProblems(reason: string, settings: Settings): RegistrationProblem[] {
  const needed = settings.registrations_mode === 'approved' && settings.require_invite_text
  if (reason === '') return needed ? [wrong('reason', 'blank')] : []
  return [...reason].length > maxReason ? [tooLong('reason', maxReason)] : []
}

function ageProblems(dateOfBirth: string, minAge: number | null, now: number): RegistrationProblem[] {
  if (minAge === null) return []
  if (dateOfBirth === '') return [wrong('date_of_birth', 'blank')]
  const born = parseDay(dateOfBirth)
  if (born === null) return [wrong('date_of_birth', 'invalid')]
  const comesOfAge = new Date(born)
  comesOfAge.setUTCFullYear(comesOfAge.getUTCFullYear() + minAge)
  return comesOfAge.getTime() <= now ? [] : [wrong('date_of_birth', 'below_age_limit')]
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
): Promise<RegistrationProblem[]> {
  const { rows } = await sql<{ name: 'taken' | 'deleted' | null; email: boolean }>`
    select
      (select case when deleted_at is null then 'taken' else 'deleted' end from accounts
        where lower(username) = lower(${wanted.username ?? ''}) and coalesce(domain, '') = '') as name,
      exists (select 1 from users where lower(email) = lower(${wanted.email ?? ''})) as email`.execute(
    reader.db,
  )
  const found = rows[0]
  const problems: RegistrationProblem[] = []
  if (found?.name === 'taken') problems.push(taken('username'))
  const isServers = wanted.username?.toLowerCase() === instanceActorName(reader.config).toLowerCase()
  if (found?.name === 'deleted' || isServers) problems.push(reservedName())
  if (found?.email) problems.push(taken('email'))
  return problems
}

/** Throws `invalid` with a message that names all problems, and details by field. */
export function assertNoProblems(problems: readonly RegistrationProblem[]): void {
  if (problems.length === 0) return
  throw invalidForm(problems)
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
