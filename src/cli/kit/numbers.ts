import { UsageError, type Input, type Option } from './command.ts'

/** An option that takes a whole number; `usual` when it is not given. Throws UsageError outside of `least` to `max`. */
export function numberOf(
  { text }: Pick<Input, 'text'>,
  name: string,
  { usual, least = 0, max = 99_999 }: { usual: number; least?: number; max?: number },
): number {
  const given = text(name)
  if (given === undefined) return usual
  if (/^\d{1,9}$/.test(given) && Number(given) >= least && Number(given) <= max) return Number(given)
  throw new UsageError(
    `--${name} is ${JSON.stringify(given)}, not a number${least > 0 || max < 99_999 ? ` from ${least} to ${max}` : ''}`,
  )
}

const usualConcurrency = 5

export const concurrencyOption: Option = {
  value: 'N',
  help: `Other servers asked at a time (${usualConcurrency})`,
}

export const concurrencyOf = (input: Pick<Input, 'text'>) =>
  numberOf(input, 'concurrency', { usual: usualConcurrency, least: 1, max: 50 })
