export interface Station {
  servers: number
  /** One for all servers; one for each, which a job keeps, by turns; or one whose server takes all that wait at once. */
  queue: 'shared' | 'own' | 'together'
}

/** Those who wait for the same servers. */
export interface Line<Job> {
  station: string
  add(job: Job): void
  /** Who is served now, together; undefined when nobody waits or no server is free. They are busy until `free`. */
  take(): Job[] | undefined
  free(): void
}

/** Returns what gives each job the line at a station that it stays in. */
export function createSeats<Job>(
  stations: Readonly<Record<string, Station>>,
): (station: string) => Line<Job> {
  const all = new Map(Object.entries(stations).map(([name, station]) => [name, linesOf<Job>(name, station)]))
  const turns = new Map<string, number>()
  return (station) => {
    const lines = all.get(station)
    const turn = turns.get(station) ?? 0
    turns.set(station, turn + 1)
    const line = lines?.[turn % lines.length]
    if (!line) throw new Error(`There is no station ${station}`)
    return line
  }
}

function linesOf<Job>(name: string, { servers, queue }: Station): Line<Job>[] {
  const isTogether = queue === 'together'
  return queue === 'own'
    ? Array.from({ length: servers }, () => createLine(name, 1, isTogether))
    : [createLine(name, servers, isTogether)]
}

function createLine<Job>(station: string, servers: number, isTogether: boolean): Line<Job> {
  let free = servers
  let waiting: Job[] = []
  let taken = 0
  return {
    station,
    add: (job) => void waiting.push(job),
    take() {
      if (free === 0 || taken === waiting.length) return undefined
      const served = waiting.slice(taken, isTogether ? waiting.length : taken + 1)
      taken += served.length
      // Not each time: moving all who wait costs more than keeping some who are gone.
      if (taken > 1000) [waiting, taken] = [waiting.slice(taken), 0]
      free--
      return served
    },
    free: () => void free++,
  }
}
