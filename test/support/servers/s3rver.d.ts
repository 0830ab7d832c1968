/** The part of s3rver that is used here. */
declare module '@20minutes/s3rver' {
  export default class S3rver {
    constructor(options: { address: string; port: number; silent: boolean; directory: string })
    run(): Promise<{ port: number }>
  }
}
