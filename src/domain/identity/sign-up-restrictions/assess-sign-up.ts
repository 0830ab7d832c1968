// The gate of sign-up: all that staff have said about addresses, e-mail and names, in one place.
import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { problem } from '#lib/errors.ts'
import type { Problem } from '#lib/messages/describe-error.ts'
import { withParentDomains } from '#lib/acct.ts'
import { findCanonicalEmailBlocks } from './canonical-email-blocks.ts'
import { parseMailDomain } from './email-domain-blocks.ts'
import { countBlockUse } from './email-domain-use.ts'
import { findIpBlock } from './find-ip-block.ts'
import { findMailExchange } from './mail-exchange.ts'
import { findNameRule } from './username-blocks.ts'
import type { EmailDomainBlockId } from '#lib/id.ts'

/** What does not fit, also as apps find it in `details`. */
export type SignUpProblem = Problem & {
  readonly detail: {
    readonly field: 'username' | 'email'
    readonly error: 'ERR_BLOCKED' | 'ERR_UNREACHABLE' | 'ERR_RESERVED'
  }
}

/** What is known of whoever wants in. What is left out, or known to be malformed, is not looked at. */
export interface SignUpAttempt {
  username?: string | undefined
  email?: string | undefined
  /** Where they come from; null: nobody knows. */
  address: string | null
}

/** `refused` without a problem: because of where they come from. */
export type Assessment =
  | { state: 'refused'; problems: readonly SignUpProblem[] }
  | { state: 'pending' | 'fine'; problems: readonly [] }

/**
 * Whether somebody may make an account. Asks name servers, for five seconds at most; when these do not answer, nobody is
 * refused because of it. `pending`: only with approval.
 */
export async function assessSignUp(ctx: Ctx, attempt: SignUpAttempt): Promise<Assessment> {
  const { username, email, address } = attempt
  const [place, name] = await Promise.all([
    address === null ? null : findIpBlock(ctx, address),
    username === undefined ? null : findNameRule(ctx, username),
  ])
  if (place && place.severity !== 'sign_up_requires_approval') return { state: 'refused', problems: [] }
  const mail = email === undefined ? fine : await assessEmail(ctx, email, address)
  const problems = [...(name === 'blocked' ? [reserved] : []), ...mail.problems]
  if (problems.length > 0) return { state: 'refused', problems }
  return { state: place || name || mail.state === 'pending' ? 'pending' : 'fine', problems: [] }
}

const fine: Assessment = { state: 'fine', problems: [] }
const reserved: SignUpProblem = {
  ...problem('username', 'reserved'),
  detail: { field: 'username', error: 'ERR_RESERVED' },
}
const blocked: SignUpProblem = {
  ...problem('email_address', 'provider_refused'),
  detail: { field: 'email', error: 'ERR_BLOCKED' },
}
const unreachable: SignUpProblem = {
  ...problem('email_address', 'unreachable'),
  detail: { field: 'email', error: 'ERR_UNREACHABLE' },
}

/**
 * The part of it that looks at an e-mail address: for those who have an account already, and want another address.
 * `address`: where they are, for the count of tries.
 */
export async function assessEmail(ctx: Ctx, email: string, address: string | null): Promise<Assessment> {
  const domain = parseMailDomain(email.slice(email.lastIndexOf('@') + 1))
  if (domain === null) return { state: 'refused', problems: [unreachable] }
  const [canonical, own] = await Promise.all([
    findCanonicalEmailBlocks(ctx, email),
    findDomainRules(ctx, [domain]),
  ])
  const isRefused = canonical.length > 0 || own.some((rule) => !rule.allow_with_approval)
  const exchange = isRefused ? null : await findMailExchange(ctx, domain)
  const beyond = exchange ? await findDomainRules(ctx, [...exchange.hosts, ...exchange.addresses]) : []
  const rules = new Map([...own, ...beyond].map((rule) => [rule.id, rule]))
  await countBlockUse(ctx, [...rules.keys()], address)
  if (isRefused || beyond.some((rule) => !rule.allow_with_approval)) {
    return { state: 'refused', problems: [blocked] }
  }
  if (exchange?.state === 'unreachable') return { state: 'refused', problems: [unreachable] }
  return rules.size > 0 ? { state: 'pending', problems: [] } : fine
}

interface DomainRule {
  id: EmailDomainBlockId
  allow_with_approval: boolean
}

/** The blocks of these domains and addresses, and of what the domains are below. */
async function findDomainRules(reader: Reader, names: readonly string[]): Promise<DomainRule[]> {
  if (names.length === 0) return []
  const { rows } = await sql<DomainRule>`
    select id, allow_with_approval from email_domain_blocks
    where domain = any(${[...new Set(names.flatMap(withParentDomains))]}::text[])`.execute(reader.db)
  return rows
}
