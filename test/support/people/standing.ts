// How two people of different servers stand to each other, as each of their servers has it.
import type { Json } from '#test/client/client.ts'
import { befriend, meet, type Citizen } from './citizens.ts'

/** Two people with the ids under which their servers know the other one, also when that one is out of sight. */
export interface Acquaintance {
  alice: Citizen
  bob: Citizen
  /** Bob's id on alice's server. */
  bobId: string
  /** Alice's id on bob's server. */
  aliceId: string
}

export interface Standing {
  following: boolean
  followed_by: boolean
  requested: boolean
  requested_by: boolean
}

export const strangers: Standing = {
  following: false,
  followed_by: false,
  requested: false,
  requested_by: false,
}
export const friends: Standing = { ...strangers, following: true, followed_by: true }

/** Makes two people known to each other's servers. `mutual`: they also follow each other. */
export async function acquaint(alice: Citizen, bob: Citizen, { mutual = true } = {}): Promise<Acquaintance> {
  const [{ id: bobId }, { id: aliceId }] = [await meet(alice, bob), await meet(bob, alice)]
  if (mutual) {
    await befriend(alice, bob)
    await befriend(bob, alice)
  }
  return { alice, bob, bobId, aliceId }
}

export async function standingOf(who: Citizen, id: string): Promise<Standing> {
  const query = { id: [id], with_suspended: true }
  const found: Json = (await who.get('/api/v1/accounts/relationships', query)).ok()[0] ?? strangers
  const { following, followed_by, requested, requested_by } = found
  return { following, followed_by, requested, requested_by }
}

const turned = ({ following, followed_by, requested, requested_by }: Standing): Standing => ({
  following: followed_by,
  followed_by: following,
  requested: requested_by,
  requested_by: requested,
})

/** How many follow somebody who has nothing to do with others than those of a test, and whom they follow. */
async function countsOf(who: Citizen) {
  const own: Json = (await who.get('/api/v1/accounts/verify_credentials')).ok()
  return { followers_count: own.followers_count as number, following_count: own.following_count as number }
}

/** What both servers say, in the relationship and in the counts. Equals `agreed` when they say the same. */
export async function bothSidesOf({ alice, bob, bobId, aliceId }: Acquaintance) {
  return {
    alice: { ...(await standingOf(alice, bobId)), ...(await countsOf(alice)) },
    bob: { ...(await standingOf(bob, aliceId)), ...(await countsOf(bob)) },
  }
}

/** `bothSidesOf` two people who stand so, as alice sees it, and know nobody else. */
export function agreed(standing: Standing) {
  const [followers, following] = [Number(standing.followed_by), Number(standing.following)]
  return {
    alice: { ...standing, followers_count: followers, following_count: following },
    bob: { ...turned(standing), followers_count: following, following_count: followers },
  }
}
