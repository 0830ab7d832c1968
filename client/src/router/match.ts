// Addresses: `/tags/:tag`, `/@:acct/:id(\d+)`, `/links/*url`.

export type Params = Readonly<Record<string, string>>

/** Returns what reads the parameters of an address; null for one that does not fit. */
export function compilePath(pattern: string): (path: string) => Params | null {
  const source = pattern.replaceAll(/:(\w+)(?:\(([^)]+)\))?|\*(\w+)/g, (_, name, form, rest) =>
    rest ? `(?<${rest}>.+)` : `(?<${name}>${form ?? '[^/]+'})`,
  )
  const expression = new RegExp(`^${source}$`)
  return (path) => {
    const found = expression.exec(path)
    return found && decodeAll(found.groups ?? {})
  }
}

function decodeAll(groups: Readonly<Record<string, string>>): Params | null {
  try {
    return Object.fromEntries(
      Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]),
    )
  } catch {
    return null
  }
}
