export interface OwnNames {
  /** With a port when it is not the default one, as all of them. */
  localDomain: string
  webDomain: string
  alternateDomains?: readonly string[]
}

/** Returns every name that this server goes by. */
export const ownDomains = ({
  localDomain,
  webDomain,
  alternateDomains = [],
}: OwnNames): readonly string[] => [localDomain, webDomain, ...alternateDomains]
