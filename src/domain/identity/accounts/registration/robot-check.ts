// Whether somebody who confirms their address is a robot: by a proof of work (ALTCHA), or by hCaptcha.
import { createHmac } from 'node:crypto'
import { createChallenge, extractParams, verifySolution } from 'altcha-lib/v1'
import { unavailable } from '#lib/errors.ts'
import type { Ctx } from '#ports/ctx.ts'

const lifetime = 1_200_000
const maxAnswer = 4096
const verifyUrl = 'https://api.hcaptcha.com/siteverify'

/** A piece of work in ALTCHA's form, as JSON. It is of use to whoever confirms with this token alone. */
export async function makeProofOfWork(ctx: Ctx, token: string, maxNumber: number): Promise<string> {
  const challenge = await createChallenge({
    hmacKey: keyOf(ctx, token),
    maxnumber: maxNumber,
    expires: new Date(ctx.clock.now() + lifetime),
  })
  return JSON.stringify(challenge)
}

/** Whether this answer shows that whoever confirms with the token is no robot. Throws `unavailable`. */
export async function isHuman(
  ctx: Ctx,
  token: string,
  given: { answer: string; address: string },
): Promise<boolean> {
  const { robotCheck } = ctx.config
  const { answer } = given
  if (robotCheck === null) return true
  if (answer === '' || answer.length > maxAnswer) return false
  if (robotCheck.kind === 'hcaptcha') return askHcaptcha(ctx, robotCheck, given)
  // The library would look at the clock of the machine.
  const right = await verifySolution(answer, keyOf(ctx, token), false).catch(() => false)
  return right && Number(extractParams(answer)['expires']) * 1000 > ctx.clock.now()
}

/** The token goes into the key: an answer is good for nothing else. */
const keyOf = (ctx: Ctx, token: string): string =>
  createHmac('sha256', ctx.secrets.secretKeyBase).update(`proof-of-work\0${token}`).digest('hex')

async function askHcaptcha(
  ctx: Ctx,
  { siteKey, secretKey }: { siteKey: string; secretKey: string },
  { answer, address }: { answer: string; address: string },
): Promise<boolean> {
  try {
    const { status, body } = await ctx.http.send({
      url: verifyUrl,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        secret: secretKey,
        response: answer,
        sitekey: siteKey,
        remoteip: address,
      }).toString(),
      maxBytes: 64 * 1024,
      types: ['application/json'],
      redirects: 0,
    })
    if (status !== 200) throw new Error(`hCaptcha answers ${status}`)
    return (JSON.parse(body.toString('utf8')) as { success?: unknown }).success === true
  } catch (error) {
    throw unavailable('robot_check_unavailable', undefined, { cause: error })
  }
}
