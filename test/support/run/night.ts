// What the nightly run does more of.

export const isNight = Boolean(process.env['NIGHTLY'])

/** How often a property is tried, with other values each time: a quarter as often by day. */
export const runs = (atNight: number): number => (isNight ? atNight : Math.ceil(atNight / 4))

/** Variants of one thing: all of them at night, by day the first ones, which differ most from each other. */
export const variants = <T>(all: readonly T[], byDay: number): readonly T[] =>
  isNight ? all : all.slice(0, byDay)
