// What the nightly run does more of.

export const isNight = Boolean(process.env['NIGHTLY'])

/** How often a property is tried, with other values each time: a quarter as often by day. */
export const runs = (atNight: number): number => (isNight ? atNight : Math.ceil(atNight / 4))
