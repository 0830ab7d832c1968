/** What the domain name system says of where mail goes. Nothing is connected to. */
export interface Dns {
  /**
   * The hosts that take mail for a domain, best first (RFC 5321 section 5.1). Empty when it names none; a domain that
   * takes no mail at all (RFC 7505) names `.`. Rejects when no name server answers.
   */
  findMailHosts(domain: string): Promise<string[]>
  /** All addresses of a host. Empty when there is no such host or it has none. Rejects when no name server answers. */
  findAddresses(host: string): Promise<string[]>
}
