/** The part of aws4 that is used here. */
declare module 'aws4' {
  interface SignedRequest {
    service: 's3'
    region: string
    method: string
    /** With the port, when it is not the scheme's own. */
    host: string
    path: string
    headers: Record<string, string>
  }

  const aws4: {
    /** Adds `Host`, `X-Amz-Date` and `Authorization` to the headers, in a copy. */
    sign(
      request: SignedRequest,
      credentials: { accessKeyId: string; secretAccessKey: string },
    ): { headers: Record<string, string> }
  }
  export = aws4
}
