/** Paths that programs ask for every few seconds to learn whether this server is well. */
const probes = new Set(['/health', '/api/v1/streaming/health', '/metrics'])

export const isProbe = (path: string): boolean => probes.has(path)
