import { useState } from 'preact/hooks'
import type { Account, Field } from '#entities/account.ts'
import { formatDay, formatNumber } from '../../core/format.ts'
import { pictureOf } from '../../core/play.ts'
import { t } from '../../core/texts.ts'
import { useMissing } from '../../parts/controls/missing.ts'
import { useQuery } from '../../data/query.ts'
import { changeRelationship, relationshipOf } from '../../data/relationships.ts'
import { account as self, movesByItself } from '../../data/session.ts'
import { DisplayName, nameOf } from '../../parts/account/account-name.tsx'
import { Avatar } from '../../parts/account/avatar.tsx'
import { FollowButton } from '../../parts/account/follow-button.tsx'
import { Button } from '../../parts/controls/button.tsx'
import { TextArea } from '../../parts/controls/field.tsx'
import { Icon } from '../../parts/controls/icon.tsx'
import { IconButton } from '../../parts/controls/icon-button.tsx'
import { PlainText, RichText } from '../../parts/text/rich-text.tsx'
import { ProfileMenu } from './profile-menu.tsx'
import css from './profile.module.css'

export function ProfileHead({ account }: { account: Account }) {
  const isOwn = account.id === self.value.data?.id
  return (
    <section class={css['profile']} aria-label={nameOf(account)}>
      <div data-plays>
        <Banner account={account} />
        <div class={css['top']}>
          <Avatar account={account} size={88} />
          <div class={css['actions']}>
            {isOwn ? (
              <a class={css['edit']} href="/settings/profile">
                {t.profile.edit}
              </a>
            ) : (
              <>
                <Bell account={account} />
                <FollowButton account={account} />
                <ProfileMenu account={account} />
              </>
            )}
          </div>
        </div>
      </div>
      <h2>
        <DisplayName account={account} />
      </h2>
      <p class={css['acct']}>
        <bdi>@{account.acct}</bdi>
        {account.locked && <Badge>{t.profile.locked}</Badge>}
        {account.bot && <Badge>{t.profile.bot}</Badge>}
        {account.group && <Badge>{t.profile.group}</Badge>}
        {account.memorial === true && <Badge>{t.profile.memorial}</Badge>}
        {account.roles?.map((role) => (
          <Badge key={role.id}>{role.name}</Badge>
        ))}
        <Standing account={account} />
      </p>
      {account.moved && (
        <p class={css['moved']}>
          {t.profile.moved} <a href={`/@${account.moved.acct}`}>@{account.moved.acct}</a>
        </p>
      )}
      {account.limited === true && <p class={css['moved']}>{t.profile.limited}</p>}
      <RichText html={account.note} emojis={account.emojis} />
      <Fields account={account} />
      <p class={css['counts']}>
        <a href={`/@${account.acct}`}>{say(t.profile.postCount, account.statuses_count)}</a>
        <a href={`/@${account.acct}/following`}>{say(t.profile.followingCount, account.following_count)}</a>
        <a href={`/@${account.acct}/followers`}>{say(t.profile.followerCount, account.followers_count)}</a>
      </p>
      <p class={css['soft']}>{t.profile.since({ day: formatDay(account.created_at) })}</p>
      {!isOwn && <Familiar account={account} />}
      {!isOwn && <Note account={account} />}
    </section>
  )
}

function Banner({ account }: { account: Account }) {
  const picture = pictureOf(account.header, account.header_static, movesByItself())
  const { isMissing, onError } = useMissing(picture.src)
  return (
    <img
      class={css['banner']}
      {...(isMissing ? { src: '/headers/original/missing.png' } : picture)}
      onError={onError}
      alt={account.header_description}
      loading="lazy"
    />
  )
}

type Counted = (values: { count: number; shown: string }) => string

const say = (words: Counted, count: number) => words({ count, shown: formatNumber(count) })

function Badge({ children }: { children: string }) {
  return <span class={css['badge']}>{children}</span>
}

/** Whether they follow back, are muted, or asked to follow. */
function Standing({ account }: { account: Account }) {
  const relationship = relationshipOf(account.id).value
  if (!relationship) return null
  return (
    <>
      {relationship.followed_by && <Badge>{t.profile.followsYou}</Badge>}
      {relationship.requested_by && <Badge>{t.profile.asksToFollow}</Badge>}
      {relationship.muting && <Badge>{t.profile.muted}</Badge>}
      {relationship.domain_blocking && <Badge>{t.profile.domainBlocked}</Badge>}
    </>
  )
}

/** A notification for each of their posts. */
function Bell({ account }: { account: Account }) {
  const relationship = relationshipOf(account.id).value
  if (!relationship?.following) return null
  const notify = !relationship.notifying
  return (
    <IconButton
      icon="bell"
      label={t.profile.notify}
      pressed={relationship.notifying}
      onClick={() =>
        void changeRelationship(account.id, 'follow', { show: { notifying: notify }, body: { notify } })
      }
    />
  )
}

function Fields({ account }: { account: Account }) {
  if (account.fields.length === 0) return null
  return (
    <dl class={css['fields']}>
      {account.fields.map((field) => (
        <OneField key={field.name} field={field} account={account} />
      ))}
    </dl>
  )
}

function OneField({ field, account }: { field: Field; account: Account }) {
  const verified = field.verified_at
  return (
    <div class={verified === null ? '' : css['verified']}>
      <dt data-plays dir="auto">
        <PlainText text={field.name} emojis={account.emojis} />
      </dt>
      <dd>
        {verified !== null && (
          <span
            role="img"
            aria-label={t.profile.verified({ day: formatDay(verified) })}
            title={t.profile.verified({ day: formatDay(verified) })}
          >
            <Icon name="check" size={16} />
          </span>
        )}
        <RichText html={field.value} emojis={account.emojis} />
      </dd>
    </div>
  )
}

interface FamiliarFollowers {
  id: string
  accounts: Account[]
}

/** Whom of those one follows they are followed by. */
function Familiar({ account }: { account: Account }) {
  const { data } = useQuery<FamiliarFollowers[]>(`/api/v1/accounts/familiar_followers?id[]=${account.id}`)
  const people = data?.[0]?.accounts ?? []
  if (people.length === 0) return null
  return (
    <p class={css['familiar']}>
      {t.profile.familiar}{' '}
      {people.slice(0, 4).map((one) => (
        <a key={one.id} href={`/@${one.acct}`}>
          <Avatar account={one} size={20} />
          <DisplayName account={one} />
        </a>
      ))}
      {people.length > 4 && t.profile.andMore({ count: people.length - 4 })}
    </p>
  )
}

/** For oneself alone. */
function Note({ account }: { account: Account }) {
  const note = relationshipOf(account.id).value?.note ?? ''
  const [draft, setDraft] = useState<string | null>(null)
  if (draft === null)
    return (
      <p class={css['note']}>
        {note !== '' && <span dir="auto">{note}</span>}
        <Button look="plain" onClick={() => setDraft(note)}>
          {note === '' ? t.profile.addNote : t.profile.changeNote}
        </Button>
      </p>
    )
  return (
    <form
      class={css['note']}
      onSubmit={(event) => {
        event.preventDefault()
        setDraft(null)
        void changeRelationship(account.id, 'note', { show: { note: draft }, body: { comment: draft } })
      }}
    >
      <TextArea
        label={t.profile.note}
        hint={t.profile.noteHint}
        value={draft}
        rows={2}
        onInput={(event) => setDraft(event.currentTarget.value)}
      />
      <span class={css['row']}>
        <Button look="main" type="submit">
          {t.profile.save}
        </Button>
        <Button onClick={() => setDraft(null)}>{t.common.cancel}</Button>
      </span>
    </form>
  )
}
