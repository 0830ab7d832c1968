// What the actors of a peer on Fedify do.
import {
  Announce,
  Block,
  Collection,
  Create,
  Delete,
  Document,
  Flag,
  Follow,
  LanguageString,
  Like,
  Mention,
  Move,
  Note,
  PUBLIC_COLLECTION,
  Question,
  Reject,
  Tombstone,
  Undo,
  Update,
  type Activity,
  type Object as ApObject,
  type Recipient,
} from '@fedify/fedify/vocab'
import { toInstant } from './instant.ts'
import { audienceOf, toPerson } from './documents.ts'
import { acceptFollow, answerFollow, lookUpActor } from './inbox.ts'
import type { ActorState, PeerContext, Published, Visibility } from './state.ts'

export interface FedifyPost {
  visibility?: Visibility
  /** Ids of actors. */
  mention?: readonly string[]
  /** The id of the post that is answered. Its author gets it too, and should be mentioned. */
  replyTo?: string
  summary?: string
  media?: { url: URL; type: string; description: string }
  /** Makes it a Question. */
  options?: readonly string[]
}

export interface FedifyActor {
  readonly name: string
  /** `name@127.0.0.x:PORT` */
  readonly handle: string
  readonly uri: string
  /** Ids of followers, of those who wait to be accepted, and of those who accepted it. */
  readonly followers: string[]
  readonly requests: string[]
  readonly following: string[]
  readonly rejectedBy: string[]
  follow(actor: string): Promise<void>
  unfollow(actor: string): Promise<void>
  accept(follower: string): Promise<void>
  reject(follower: string): Promise<void>
  /** Publishes to followers and those mentioned; answers the id. */
  post(text: string, options?: FedifyPost): Promise<string>
  edit(uri: string, text: string): Promise<void>
  delete(uri: string): Promise<void>
  /** Sends the counts of a Question to those the Question went to. */
  publishVotes(uri: string): Promise<void>
  vote(question: string, choice: string): Promise<void>
  like(uri: string): Promise<void>
  unlike(uri: string): Promise<void>
  announce(uri: string): Promise<void>
  unannounce(uri: string): Promise<void>
  block(actor: string): Promise<void>
  unblock(actor: string): Promise<void>
  flag(actor: string, statuses: readonly string[], comment: string): Promise<void>
  /** Changes the profile and tells followers. */
  update(changes: { displayName?: string; summary?: string; aliases?: readonly string[] }): Promise<void>
  move(target: string): Promise<void>
  /** Reads a document of another server, signed; null when it is not to be had. */
  read(uri: string): Promise<ApObject | null>
  /** Reads all items of a collection of another server, signed. */
  items(uri: string): Promise<ApObject[]>
}

/** What the acts below share. */
interface Self {
  ctx: PeerContext
  state: ActorState
  uri: URL
  /** A new id of an activity. */
  id(kind: string): URL
  send(recipients: Recipient[], activity: Activity): Promise<void>
  lookUp(uri: string): Promise<Recipient>
  followers(): Recipient[]
  /** Reads a document of another server; null when it is not to be had. */
  read(uri: string): Promise<ApObject | null>
}

export function createFedifyActor(ctx: PeerContext, state: ActorState): FedifyActor {
  const self = createSelf(ctx, state)
  return {
    name: state.name,
    handle: `${state.name}@${self.uri.host}`,
    uri: self.uri.href,
    get followers() {
      return [...state.followers.keys()]
    },
    get requests() {
      return [...state.requests.keys()]
    },
    get following() {
      return [...state.following]
    },
    get rejectedBy() {
      return [...state.rejectedBy]
    },
    ...followActs(self),
    ...postActs(self),
    ...reactionActs(self),
    ...accountActs(self),
    read: self.read,
    async items(collection) {
      const found = await self.read(collection)
      if (!(found instanceof Collection)) throw new Error(`${collection} is no collection`)
      const documentLoader = await ctx.getDocumentLoader({ identifier: state.name })
      const items: ApObject[] = []
      for await (const item of ctx.traverseCollection(found, { documentLoader })) items.push(item as ApObject)
      return items
    },
  }
}

function createSelf(ctx: PeerContext, state: ActorState): Self {
  const uri = ctx.getActorUri(state.name)
  const identity = { identifier: state.name }
  return {
    ctx,
    state,
    uri,
    id: (kind) => new URL(`#${kind}/${crypto.randomUUID()}`, uri),
    send: (recipients, activity) =>
      ctx.sendActivity(identity, recipients, activity, { preferSharedInbox: true }),
    lookUp: (actor) => lookUpActor(ctx, state.name, actor),
    followers: () => [...state.followers.values()],
    async read(wanted) {
      return ctx.lookupObject(wanted, { documentLoader: await ctx.getDocumentLoader(identity) })
    },
  }
}

function followActs(self: Self) {
  const { state, uri } = self
  const sent = new Map<string, Follow>()
  return {
    async follow(actor: string) {
      const follow = new Follow({ id: self.id('follows'), actor: uri, object: new URL(actor) })
      sent.set(actor, follow)
      await self.send([await self.lookUp(actor)], follow)
    },
    async unfollow(actor: string) {
      state.following.delete(actor)
      const undo = new Undo({ id: self.id('undos'), actor: uri, object: sent.get(actor) as Follow })
      await self.send([await self.lookUp(actor)], undo)
    },
    async accept(follower: string) {
      const request = state.requests.get(follower)
      if (!request) throw new Error(`${follower} does not ask to follow`)
      await acceptFollow(self.ctx, state, request)
    },
    async reject(follower: string) {
      const request = state.requests.get(follower) ?? state.followers.get(follower)
      if (!request) throw new Error(`${follower} does not follow`)
      state.requests.delete(follower)
      state.followers.delete(follower)
      await answerFollow(self.ctx, Reject, { target: state, follower: request })
    },
  }
}

function postActs(self: Self) {
  const { ctx, uri } = self
  const publish = async (entry: Published, Act: typeof Create | typeof Update) => {
    ctx.data.published.set((entry.object.id as URL).href, entry)
    const audience = audienceOf(ctx, entry)
    const activity = new Act({ id: self.id('posts'), actor: uri, object: entry.object, ...audience })
    await self.send(await recipientsOf(self, entry), activity)
  }
  const own = (id: string): Published => {
    const entry = ctx.data.published.get(id)
    if (!entry) throw new Error(`${id} is not published`)
    return entry
  }
  return {
    async post(text: string, options: FedifyPost = {}) {
      const entry = await makePost(self, text, options)
      await publish(entry, Create)
      return (entry.object.id as URL).href
    },
    async edit(id: string, text: string) {
      const entry = own(id)
      const contents = [`<p>${text}</p>`]
      const object = entry.object.clone({ contents, updated: toInstant(Date.now()) })
      await publish({ ...entry, object }, Update)
    },
    async delete(id: string) {
      const entry = own(id)
      ctx.data.published.delete(id)
      const object = new Tombstone({ id: new URL(id) })
      const activity = new Delete({ id: self.id('deletes'), actor: uri, object, to: PUBLIC_COLLECTION })
      await self.send(await recipientsOf(self, entry), activity)
    },
    async publishVotes(id: string) {
      const entry = own(id)
      const voters = new Set([...entry.votes.values()].flatMap((names) => [...names])).size
      const exclusiveOptions = toOptions(entry.votes)
      const object = (entry.object as Question).clone({ exclusiveOptions, voters })
      await publish({ ...entry, object }, Update)
    },
  }
}

async function makePost(self: Self, text: string, options: FedifyPost): Promise<Published> {
  const { ctx, uri, state } = self
  const mentioned = (options.mention ?? []).map((actor) => new URL(actor))
  const place = { author: state.name, visibility: options.visibility ?? ('public' as const), mentioned }
  const names = await Promise.all(mentioned.map((actor) => handleOf(self, actor)))
  const values = { identifier: state.name, id: crypto.randomUUID() }
  const votes = new Map((options.options ?? []).map((name) => [name, new Set<string>()]))
  const greeting = names.map((name) => `${name} `).join('')
  const content = `<p>${greeting}${text}</p>`
  const shared = {
    attribution: uri,
    ...audienceOf(ctx, place),
    contents: [content, new LanguageString(content, 'en')],
    published: toInstant(Date.now()),
    tags: mentioned.map((href, index) => new Mention({ href, name: names[index] })),
    ...(options.replyTo && { replyTarget: new URL(options.replyTo) }),
    ...(options.summary && { summary: options.summary, sensitive: true }),
    ...(options.media && { attachments: [toDocument(options.media)] }),
  }
  const endTime = toInstant(Date.now() + 3_600_000)
  const object = options.options
    ? new Question({
        ...shared,
        id: ctx.getObjectUri(Question, values),
        exclusiveOptions: toOptions(votes),
        voters: 0,
        endTime,
      })
    : new Note({ ...shared, id: ctx.getObjectUri(Note, values) })
  return { ...place, object, votes }
}

const toDocument = ({ url, type, description }: NonNullable<FedifyPost['media']>) =>
  new Document({ url, mediaType: type, name: description })

const toOptions = (votes: Published['votes']) =>
  [...votes].map(([name, voters]) => new Note({ name, replies: new Collection({ totalItems: voters.size }) }))

/** `@name@host` of an actor. */
async function handleOf(self: Self, actor: URL): Promise<string> {
  const found = await lookUpActor(self.ctx, self.state.name, actor)
  return `@${String(found.preferredUsername)}@${actor.host}`
}

/** Followers, unless it is direct; those mentioned; the author of what it answers. */
async function recipientsOf(self: Self, entry: Published): Promise<Recipient[]> {
  const followers = entry.visibility === 'direct' ? [] : self.followers()
  const mentioned = await Promise.all(entry.mentioned.map((actor) => self.lookUp(actor.href)))
  return [...followers, ...mentioned]
}

function reactionActs(self: Self) {
  const { uri } = self
  const sent = new Map<string, Activity>()
  const authorOf = async (id: string): Promise<string> => {
    const object = await self.read(id)
    const author = object?.attributionId?.href
    if (!author) throw new Error(`${id} cannot be read`)
    return author
  }
  const react = async (Act: typeof Like | typeof Announce, id: string) => {
    const author = await authorOf(id)
    const isShare = Act === Announce
    const activity = new Act({
      id: self.id('reactions'),
      actor: uri,
      object: new URL(id),
      ...(isShare && {
        to: PUBLIC_COLLECTION,
        ccs: [self.ctx.getFollowersUri(self.state.name), new URL(author)],
      }),
    })
    sent.set(`${Act.name} ${id}`, activity)
    await self.send([await self.lookUp(author), ...(isShare ? self.followers() : [])], activity)
  }
  const undo = async (Act: typeof Like | typeof Announce, id: string) => {
    const object = sent.get(`${Act.name} ${id}`)
    if (!object) throw new Error(`${id} has no ${Act.name}`)
    const activity = new Undo({ id: self.id('undos'), actor: uri, object })
    await self.send([await self.lookUp(await authorOf(id)), ...self.followers()], activity)
  }
  return {
    like: (id: string) => react(Like, id),
    unlike: (id: string) => undo(Like, id),
    announce: (id: string) => react(Announce, id),
    unannounce: (id: string) => undo(Announce, id),
    async vote(question: string, choice: string) {
      const author = await authorOf(question)
      const vote = new Note({
        id: self.id('votes'),
        attribution: uri,
        name: choice,
        replyTarget: new URL(question),
        to: new URL(author),
      })
      const activity = new Create({ id: self.id('votes'), actor: uri, object: vote, to: new URL(author) })
      await self.send([await self.lookUp(author)], activity)
    },
  }
}

function accountActs(self: Self) {
  const { ctx, state, uri } = self
  const blocks = new Map<string, Block>()
  return {
    async block(actor: string) {
      const block = new Block({ id: self.id('blocks'), actor: uri, object: new URL(actor) })
      blocks.set(actor, block)
      state.followers.delete(actor)
      await self.send([await self.lookUp(actor)], block)
    },
    async unblock(actor: string) {
      const undo = new Undo({ id: self.id('undos'), actor: uri, object: blocks.get(actor) as Block })
      await self.send([await self.lookUp(actor)], undo)
    },
    async flag(actor: string, statuses: readonly string[], content: string) {
      const objects = [actor, ...statuses].map((id) => new URL(id))
      await self.send(
        [await self.lookUp(actor)],
        new Flag({ id: self.id('flags'), actor: uri, objects, content }),
      )
    },
    async update(changes: { displayName?: string; summary?: string; aliases?: readonly string[] }) {
      const { aliases, ...texts } = changes
      Object.assign(state, texts, aliases && { aliases: aliases.map((alias) => new URL(alias)) })
      const object = await toPerson(ctx, state.name)
      await self.send(
        self.followers(),
        new Update({ id: self.id('updates'), actor: uri, object, to: PUBLIC_COLLECTION }),
      )
    },
    async move(target: string) {
      state.movedTo = new URL(target)
      const move = new Move({ id: self.id('moves'), actor: uri, object: uri, target: state.movedTo })
      await self.send(self.followers(), move)
    },
  }
}
