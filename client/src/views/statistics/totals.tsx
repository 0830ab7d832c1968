import { formatNumber } from '../../core/format.ts'
import css from './statistics.module.css'

/** Numbers with their names, the large ones first to be seen. */
export const Totals = ({ totals }: { totals: readonly (readonly [string, number])[] }) => (
  <dl class={css['totals']}>
    {totals.map(([name, count]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{formatNumber(count)}</dd>
      </div>
    ))}
  </dl>
)
