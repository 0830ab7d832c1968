// Fresh people for tests, with their clients.
import type { Ctx } from '#ports/ctx.ts'
import { insertUser } from '#domain/identity/accounts/registration/insert-user.ts'
import { issueToken } from '#domain/identity/oauth/issue-token.ts'
import type { Relationship } from '#entities/relationship.ts'
import type { AnswerTo, Shown } from '#test/client/answers.ts'
import { createClient, type Client, type Fetch } from '#test/client/client.ts'
import { asId, type AccountId, type RoleId, type UserId } from '#lib/id.ts'

export interface Person extends Client {
  readonly username: string
  readonly email: string
  readonly accountId: AccountId
  readonly userId: UserId
  readonly token: string
  /** Publishes and answers the Status. */
  say(status: string, options?: Record<string, unknown>): Promise<AnswerTo<'POST', '/api/v1/statuses'>>
  follow(other: Person): Promise<Shown<Relationship>>
}

export interface PersonOptions {
  username?: string
  confirmed?: boolean
  approved?: boolean
  role?: 'Owner' | 'Admin' | 'Moderator'
  scopes?: string[]
}

export interface People {
  /** A new person with a name of their own that starts with `name`. */
  person(name?: string, options?: PersonOptions): Promise<Person>
  /** A further token of the same person, with these scopes only. */
  withScopes(person: Person, scopes: string[]): Promise<Client>
  /** A token of an application without a user. */
  application(scopes: string[]): Promise<Client>
}

const everything = ['read', 'write', 'follow', 'push', 'profile', 'admin:read', 'admin:write']
const roleIds = {
  Moderator: asId<RoleId>('1'),
  Admin: asId<RoleId>('2'),
  Owner: asId<RoleId>('3'),
}
/** The password `password` is not what these tests are about: those that are set one through the API. */
const unusablePassword = '!'
let count = 0

export function createPeople(ctx: Pick<Ctx, 'transaction'>, fetch: Fetch): People {
  const token = (userId: UserId | null, scopes: readonly string[]) =>
    ctx.transaction((tx) => issueToken(tx, { applicationId: null, userId, scopes }))
  return {
    async person(name = 'person', options = {}) {
      const username = options.username ?? `${name}${++count}`
      const { made, issued } = await ctx.transaction(async (tx) => {
        const user = await insertUser(tx, {
          username,
          email: `${username}@mail.example`,
          passwordHash: unusablePassword,
          locale: 'en',
          confirmed: options.confirmed ?? true,
          approved: options.approved ?? true,
          roleId: options.role ? roleIds[options.role] : null,
        })
        const scopes = options.scopes ?? everything
        return {
          made: user,
          issued: await issueToken(tx, { applicationId: null, userId: user.userId, scopes }),
        }
      })
      const client = createClient({ fetch, token: issued.secret })
      return {
        ...client,
        ...made,
        username,
        email: `${username}@mail.example`,
        token: issued.secret,
        say: async (status, more = {}) => (await client.post('/api/v1/statuses', { status, ...more })).ok(),
        follow: async (other) => (await client.post(`/api/v1/accounts/${other.accountId}/follow`)).ok(),
      }
    },
    async withScopes(person, scopes) {
      return createClient({ fetch, token: (await token(person.userId, scopes)).secret })
    },
    async application(scopes) {
      return createClient({ fetch, token: (await token(null, scopes)).secret })
    },
  }
}
