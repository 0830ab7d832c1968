// What is measured: one request each, as people's apps send them.
import type { Shot } from './load.ts'
import { people, type Seeded } from './seed.ts'
import { listOwners } from './seed-reach.ts'

/** One kind of request to a server with these data. */
export interface Request<Data> {
  /** Requests at once; 20 unless told. */
  concurrency?: number
  shot(data: Data, index: number, random: () => number): Shot
}

export interface Bench extends Request<Seeded> {
  /** The aim, in server CPU milliseconds a request. */
  aim: number
  total: number
}

export const viewers = 100
const viewer = (index: number) => 600 + (index % viewers)

export const benches: Record<string, Bench> = {
  instance: { aim: 0.15, total: 4000, shot: () => ({ path: '/api/v1/instance' }) },
  nodeinfo: { aim: 0.15, total: 4000, shot: () => ({ path: '/nodeinfo/2.0' }) },
  'verify-credentials': {
    aim: 0.4,
    total: 4000,
    shot: (s, i) => ({ path: '/api/v1/accounts/verify_credentials', token: s.token(viewer(i)) }),
  },
  home: {
    aim: 1.5,
    total: 4000,
    shot: (s, i) => ({ path: '/api/v1/timelines/home?limit=20', token: s.token(viewer(i)) }),
  },
  home40: {
    aim: 2,
    total: 2000,
    shot: (s, i) => ({ path: '/api/v1/timelines/home?limit=40', token: s.token(viewer(i)) }),
  },
  'home-filtered': {
    aim: 2,
    total: 4000,
    shot: (s, i) => ({
      path: '/api/v1/timelines/home?limit=20',
      token: s.token(s.filterers.first + (i % s.filterers.count)),
    }),
  },
  list: {
    aim: 1.7,
    total: 4000,
    shot: (s, i) => ({
      path: `/api/v1/timelines/list/${s.lists[i % s.lists.length]}?limit=20`,
      token: s.token(listOwners.first + (i % s.lists.length)),
    }),
  },
  public: { aim: 0.5, total: 4000, shot: () => ({ path: '/api/v1/timelines/public?limit=20' }) },
  tag: {
    aim: 1.2,
    total: 3000,
    shot: (s, i) => ({
      path: `/api/v1/timelines/tag/tag${1 + (i % 10)}?limit=20`,
      token: s.token(viewer(i)),
    }),
  },
  search: {
    aim: 1.6,
    total: 1000,
    shot: (s, i) => ({
      path: `/api/v2/search?q=person${100 + ((i * 7) % 800)}&resolve=false&limit=10`,
      token: s.token(viewer(i)),
    }),
  },
  status: {
    aim: 0.5,
    total: 4000,
    shot: (s, i) => ({ path: `/api/v1/statuses/${s.publicIds[i % 1000]}`, token: s.token(viewer(i)) }),
  },
  context50: {
    aim: 3,
    total: 1000,
    shot: (s, i) => ({ path: `/api/v1/statuses/${s.deepLeaf}/context`, token: s.token(viewer(i)) }),
  },
  context200: {
    aim: 12,
    total: 500,
    shot: (s, i) => ({ path: `/api/v1/statuses/${s.threadRoot}/context`, token: s.token(viewer(i)) }),
  },
  context5000: {
    aim: 250,
    total: 60,
    concurrency: 4,
    shot: (s, i) => ({ path: `/api/v1/statuses/${s.largeRoot}/context`, token: s.token(viewer(i)) }),
  },
  'home-mixed': {
    aim: 2.5,
    total: 4000,
    shot: (s, i) => ({
      path: '/api/v1/timelines/home?limit=20',
      token: s.token(s.mixedViewers.first + (i % s.mixedViewers.count)),
    }),
  },
  account: {
    aim: 1.5,
    total: 3000,
    shot: (s, i) => ({
      path: `/api/v1/accounts/${s.accounts[i % 50]}/statuses?limit=20`,
      token: s.token(viewer(i)),
    }),
  },
  relationships: {
    aim: 1,
    total: 3000,
    shot: (s, i) => ({
      path: `/api/v1/accounts/relationships?${Array.from({ length: 40 }, (_, n) => `id[]=${s.accounts[(i * 7 + n) % people]}`).join('&')}`,
      token: s.token(viewer(i)),
    }),
  },
  notifications: {
    aim: 2,
    total: 2000,
    shot: (s, i) => ({ path: '/api/v1/notifications?limit=40', token: s.token(i % 100) }),
  },
  notifications20: {
    aim: 1.4,
    total: 2000,
    shot: (s, i) => ({ path: '/api/v1/notifications?limit=20', token: s.token(i % 100) }),
  },
  'notifications-v2': {
    aim: 4,
    total: 2000,
    shot: (s, i) => ({
      path: '/api/v2/notifications?limit=40',
      token: s.token(s.noticed.first + (i % s.noticed.count)),
    }),
  },
  favourite: {
    aim: 2,
    total: 2000,
    shot: (s, i) => ({
      method: 'POST',
      path: `/api/v1/statuses/${s.publicIds[i % 1000]}/favourite`,
      // Whoever comes after the last one is the first again, to whom it is no news.
      token: s.token(700 + (Math.floor(i / 1000) % (people - 700))),
    }),
  },
  post: {
    aim: 10,
    total: 600,
    shot: (s, i) => ({
      method: 'POST',
      path: '/api/v1/statuses',
      token: s.token(s.author),
      body: { status: `A new status number ${i}` },
    }),
  },
  'post-unlisted': {
    aim: 5,
    total: 600,
    shot: (s, i) => ({
      method: 'POST',
      path: '/api/v1/statuses',
      token: s.token(viewer(i)),
      body: { status: `Unlisted, number ${i} of the day`, visibility: 'unlisted' },
    }),
  },
  'post-mention': {
    aim: 8,
    total: 600,
    shot: (s, i) => ({
      method: 'POST',
      path: '/api/v1/statuses',
      token: s.token(s.author),
      body: { status: `@person${i % 400} has to hear of number ${i} and of #tag${1 + (i % 50)}, as all do` },
    }),
  },
  edit: {
    aim: 10,
    total: 600,
    shot(s, i) {
      const { id, author } = s.own[i % s.own.length] as { id: string; author: number }
      return {
        method: 'PUT',
        path: `/api/v1/statuses/${id}`,
        token: s.token(author),
        body: { status: `Said better, number ${i}` },
      }
    },
  },
  vote: {
    aim: 4,
    total: 2000,
    shot: (s, i) => ({
      method: 'POST',
      path: `/api/v1/polls/${s.pollIds[i % s.pollIds.length]}/votes`,
      token: s.token(Math.floor(i / s.pollIds.length)),
      body: { choices: [i % 3] },
    }),
  },
  mix: {
    aim: 4,
    total: 3000,
    shot(s, i, random) {
      const kinds = [
        'home',
        'home',
        'home',
        'public',
        'status',
        'account',
        'notifications',
        'relationships',
      ] as const
      const write = random() < 0.2
      const name = write
        ? random() < 0.5
          ? 'post'
          : 'favourite'
        : (kinds[Math.floor(random() * kinds.length)] as string)
      return (benches[name] as Bench).shot(s, i, random)
    },
  },
}
