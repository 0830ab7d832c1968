// What a role may be, and who may make it so.
import type { ActingStaff } from '#domain/identity/accounts/staff.ts'
import {
  ofEverybody,
  permissions,
  type Permission,
  everyoneId,
} from '#domain/identity/accounts/permissions.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { forbidden, invalid } from '#lib/errors.ts'
import { cleanText, isLongerThan } from '#lib/text/text.ts'
import type { RoleRow } from './queries.ts'

/** Roles above this are the server's own: they stay where they are, and keep what they allow. */
export const highestPosition = 999
/** All bits there are. */
export const allPermissions = Object.values(permissions).reduce((bits, bit) => bits | bit, 0n)

const nameCharacters = 100
const maxCollections = 1000
const colorForm = /^#[0-9a-f]{6}$/i

/** What is left out stays, or has its default. */
export interface RoleInput {
  name?: string | undefined
  /** `#rrggbb`, or nothing. */
  color?: string | undefined
  /** Bits in decimal, or names. */
  permissions?: string | readonly string[] | undefined
  position?: number | undefined
  highlighted?: boolean | undefined
  require2fa?: boolean | undefined
  collectionLimit?: number | undefined
}

export type RoleValues = Omit<RoleRow, 'id' | 'created_at' | 'updated_at' | 'permissions'> & {
  permissions: bigint
}

/** What a new role is where nothing is said. */
export const newRole: RoleValues = {
  name: '',
  color: '',
  permissions: 0n,
  position: 0,
  highlighted: false,
  require_2fa: false,
  collection_limit: 10,
}

/** Which bits these are. Throws `invalid` for names and bits that there are not. */
function parsePermissions(input: string | readonly string[]): bigint {
  if (typeof input === 'string' && /^\d{1,20}$/.test(input)) {
    const bits = BigInt(input)
    if ((bits & ~allPermissions) !== 0n) throw invalid('permissions', 'invalid')
    return bits
  }
  const names = typeof input === 'string' ? input.split(/[\s,]+/) : input
  return names
    .filter((name) => name !== '')
    .reduce((bits, name) => {
      if (!Object.hasOwn(permissions, name))
        throw invalid('permissions', 'has_no', { name: JSON.stringify(name) })
      return bits | permissions[name as Permission]
    }, 0n)
}

/** The names of bits. */
export const namePermissions = (bits: bigint): Permission[] =>
  (Object.keys(permissions) as Permission[]).filter((name) => (bits & permissions[name]) !== 0n)

/** The role as it is to be. Throws `invalid`. */
export function readRole(input: RoleInput, before: RoleValues): RoleValues {
  const values: RoleValues = {
    name: input.name === undefined ? before.name : cleanText(input.name).trim(),
    color: input.color === undefined ? before.color : input.color.trim().toLowerCase(),
    permissions: input.permissions === undefined ? before.permissions : parsePermissions(input.permissions),
    position: input.position ?? before.position,
    highlighted: input.highlighted ?? before.highlighted,
    require_2fa: input.require2fa ?? before.require_2fa,
    collection_limit: input.collectionLimit ?? before.collection_limit,
  }
  if (values.color !== '' && !colorForm.test(values.color)) throw invalid('color', 'invalid')
  if (values.collection_limit < 0 || values.collection_limit > maxCollections)
    throw invalid('collection_limit', 'not_between', { min: 0, max: maxCollections })
  return values
}

/** Throws `invalid` for what no role but the server's own may be. */
export function assertOwnRole({ name, position }: RoleValues): void {
  if (name === '') throw invalid('name', 'blank')
  if (isLongerThan(name, nameCharacters)) throw invalid('name', 'long')
  if (position < 0 || position > highestPosition)
    throw invalid('position', 'not_between', { min: 0, max: highestPosition })
}

/** Throws `invalid` for what must not be said of everybody. */
export function assertEveryone(before: RoleValues, after: RoleValues): void {
  if ((after.permissions & ~ofEverybody) !== 0n) throw invalid('permissions', 'unsafe_permissions')
  const isSame = (['name', 'color', 'position', 'highlighted', 'require_2fa'] as const).every(
    (key) => before[key] === after[key],
  )
  if (!isSame) throw invalid('base', 'everyone_role_fixed')
}

/** Throws `forbidden` unless the role stands below that of the staff. The command line stands above all. */
export function assertBelow(staff: ActingStaff, role: Pick<RoleRow, 'position'>): void {
  if (typeof staff !== 'string' && staff.rank <= role.position) throw forbidden()
}

/** Throws `invalid` when staff give or take what is not theirs. */
export function assertMayGrant(staff: ActingStaff, before: RoleValues, after: RoleValues): void {
  if (typeof staff === 'string') return
  if (staff.rank <= after.position) throw invalid('position', 'rank_too_high')
  if (!hasAll(staff, before.permissions ^ after.permissions))
    throw invalid('permissions', 'not_own_permissions')
}

/** Throws `forbidden` for a role at or above that of the staff, and for one that allows what they may not. */
export function assertMayGive(staff: ActingStaff, role: Pick<RoleRow, 'position' | 'permissions'>): void {
  assertBelow(staff, role)
  if (typeof staff !== 'string' && !hasAll(staff, BigInt(role.permissions))) throw forbidden()
}

const hasAll = (staff: Viewer, bits: bigint) =>
  (staff.permissions & permissions.administrator) !== 0n || (bits & ~staff.permissions) === 0n

export const isEveryone = (role: { id: string }) => role.id === everyoneId
