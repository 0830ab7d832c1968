// How a post of one's own travelled: by hours, and by servers.
import type { StatusStatistics } from '#entities/personal/statistics.ts'
import { formatDateTime, formatDay } from '../../core/format.ts'
import { t } from '../../core/texts.ts'
import { invalidate, useQuery } from '../../data/query.ts'
import { Bars } from '../../parts/chart/bars.tsx'
import { Problem } from '../../parts/page/problem.tsx'
import type { Params } from '../../router/match.ts'
import { AboutPost } from '../thread/people.tsx'
import { spread, sumOf } from './spread.ts'
import css from './statistics.module.css'
import { Totals } from './totals.tsx'

export function PostStatistics({ params }: { params: Params }) {
  const path = `/api/v1/statuses/${params['id']}/statistics`
  const { data, error } = useQuery<StatusStatistics>(path)
  return (
    <AboutPost params={params} title={t.statistics.ofPost}>
      {error !== null && !data && <Problem text={error} onRetry={() => invalidate(path)} />}
      {data && <Numbers numbers={data} />}
    </AboutPost>
  )
}

function Numbers({
  numbers: { totals, complete, hours, servers, servers_count: count },
}: {
  numbers: StatusStatistics
}) {
  return (
    <div class={css['month']}>
      <Totals
        totals={[
          [t.statistics.favourites, totals.favourites],
          [t.statistics.boosts, totals.reblogs],
          [t.statistics.replies, totals.replies],
          [t.statistics.quotes, totals.quotes],
        ]}
      />
      {!complete && <p class={css['note']}>{t.statistics.incomplete}</p>}
      <Course hours={hours} />
      {servers.length > 0 && (
        <section aria-label={t.statistics.servers}>
          <h2>{t.statistics.servers}</h2>
          <p class={css['note']}>{t.statistics.serverCount({ count })}</p>
          <ul class={css['servers']}>
            {servers.map((server) => (
              <li key={server.domain}>
                <bdi>{server.domain}</bdi> <span>{sumOf(server)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

/** When it came, hour by hour or day by day. */
function Course({ hours }: Pick<StatusStatistics, 'hours'>) {
  const found = spread(hours)
  if (!found) return <p class={css['note']}>{t.statistics.nothing}</p>
  const { isByHour, steps } = found
  const say = isByHour ? formatDateTime : formatDay
  const [first, last] = [steps[0], steps.at(-1)].map((step) => (step ? say(step.time) : ''))
  return (
    <Bars
      label={isByHour ? t.statistics.hours : t.statistics.days}
      bars={steps.map(({ time, count }) => ({
        key: time.toISOString(),
        value: count,
        words: t.statistics.ofDay({ day: say(time), count }),
      }))}
      ends={[first ?? '', steps.length > 1 ? (last ?? '') : '']}
    />
  )
}
