// How one's own posts travelled in a month: counts alone, of what the server knows anyway.
import type { MonthStatistics, StatisticsSetting } from '#entities/personal/statistics.ts'
import { put } from '../../api/client.ts'
import { formatDay, formatMonth } from '../../core/format.ts'
import { t } from '../../core/texts.ts'
import { act } from '../../data/act.ts'
import { change, invalidate, useQuery } from '../../data/query.ts'
import { isDeleted, keepStatuses } from '../../data/statuses.ts'
import { Bars } from '../../parts/chart/bars.tsx'
import { Check } from '../../parts/controls/field.tsx'
import { Icon } from '../../parts/controls/icon.tsx'
import { PageHeading } from '../../parts/page/heading.tsx'
import { Problem } from '../../parts/page/problem.tsx'
import { PostOf } from '../../parts/post/post.tsx'
import { address } from '../../router/router.ts'
import { sumOf } from './spread.ts'
import css from './statistics.module.css'
import { Totals } from './totals.tsx'

const setting = '/api/v1/statistics'

const monthOf = (time: Date) => time.toISOString().slice(0, 7)

/** The month so many after another one. */
function shift(month: string, by: number): string {
  const time = new Date(`${month}-01T00:00:00Z`)
  time.setUTCMonth(time.getUTCMonth() + by)
  return monthOf(time)
}

export function StatisticsView() {
  const asked = address.peek().searchParams.get('month') ?? ''
  const month = /^\d{4}-(?:0[1-9]|1[0-2])$/.test(asked) ? asked : monthOf(new Date())
  const { data, error } = useQuery<StatisticsSetting>(setting)
  return (
    <>
      <PageHeading title={t.statistics.title} />
      <div class={css['setting']}>
        <p>{t.statistics.about}</p>
        {data && <Check label={t.statistics.count} checked={data.enabled} onChange={toggle} />}
      </div>
      {error !== null && !data && <Problem text={error} onRetry={() => invalidate(setting)} />}
      {data?.enabled === true && (
        <>
          <Months month={month} />
          <Month month={month} />
        </>
      )}
    </>
  )
}

function toggle(event: Event): void {
  const enabled = (event.currentTarget as HTMLInputElement).checked
  void act({
    show: () => change<StatisticsSetting>(setting, () => ({ enabled })),
    ask: () => put<StatisticsSetting>(setting, { body: { enabled } }),
  })
}

function Months({ month }: { month: string }) {
  const before = shift(month, -1)
  const after = shift(month, 1)
  return (
    <nav class={css['months']} aria-label={t.statistics.months}>
      <a href={`/statistics?month=${before}`}>
        <Icon name="back" size={16} /> {formatMonth(before)}
      </a>
      <h2>{formatMonth(month)}</h2>
      {after <= monthOf(new Date()) ? (
        <a href={`/statistics?month=${after}`}>
          {formatMonth(after)} <Icon name="forward" size={16} />
        </a>
      ) : (
        <span />
      )}
    </nav>
  )
}

function Month({ month }: { month: string }) {
  const path = `${setting}/${month}`
  const { data, error } = useQuery<MonthStatistics>(path)
  if (error !== null && !data) return <Problem text={error} onRetry={() => invalidate(path)} />
  if (!data) return <p class={css['note']}>{t.common.loading}</p>
  const { totals, days, complete, top_statuses } = data
  const top = keepStatuses(top_statuses).filter((id) => !isDeleted(id))
  const ends = [formatDay(days[0]?.day ?? month), formatDay(days.at(-1)?.day ?? month)] as const
  return (
    <div class={css['month']}>
      <Totals
        totals={[
          [t.statistics.posts, totals.statuses],
          [t.statistics.favourites, totals.favourites],
          [t.statistics.boosts, totals.reblogs],
          [t.statistics.replies, totals.replies],
          [t.statistics.quotes, totals.quotes],
          [t.statistics.followers, totals.followers],
        ]}
      />
      {!complete && <p class={css['note']}>{t.statistics.incomplete}</p>}
      <Bars
        label={t.statistics.written}
        bars={days.map((one) => ({
          key: one.day,
          value: one.statuses,
          words: t.statistics.onDay({ day: formatDay(one.day), count: one.statuses }),
        }))}
        ends={ends}
      />
      <Bars
        label={t.statistics.came}
        bars={days.map((one) => ({
          key: one.day,
          value: sumOf(one),
          words: t.statistics.ofDay({ day: formatDay(one.day), count: sumOf(one) }),
        }))}
        ends={ends}
      />
      {top.length > 0 && (
        <section class={css['top']} aria-label={t.statistics.top}>
          <h2>{t.statistics.top}</h2>
          {top.map((id) => (
            <PostOf key={id} id={id} />
          ))}
        </section>
      )}
    </div>
  )
}
