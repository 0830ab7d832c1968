// How a post of one's own travelled: by hours, and by servers.
import type { StatusStatistics } from '#entities/personal/statistics.ts'
import { formatDateTime } from '../../core/format.ts'
import { t } from '../../core/texts.ts'
import { invalidate, useQuery } from '../../data/query.ts'
import { Bars } from '../../parts/chart/bars.tsx'
import { Problem } from '../../parts/page/problem.tsx'
import type { Params } from '../../router/match.ts'
import { AboutPost } from '../thread/people.tsx'
import css from './statistics.module.css'
import { Totals } from './totals.tsx'

type Counts = StatusStatistics['totals']

const sumOf = ({ favourites, reblogs, replies, quotes }: Counts) => favourites + reblogs + replies + quotes

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
  const [first, last] = [hours[0], hours.at(-1)]
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
      {first && last ? (
        <Bars
          label={t.statistics.hours}
          bars={hours.map((one) => ({
            key: one.hour,
            value: sumOf(one),
            words: t.statistics.ofDay({ day: formatDateTime(one.hour), count: sumOf(one) }),
          }))}
          ends={[formatDateTime(first.hour), formatDateTime(last.hour)]}
        />
      ) : (
        <p class={css['note']}>{t.statistics.nothing}</p>
      )}
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
