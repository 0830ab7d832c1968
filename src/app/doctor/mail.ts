import { access, constants } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import tls from 'node:tls'
import type { Config } from '#config/config.ts'
import { ok, patience, problem, warning, whenItFails, type Result } from './finding.ts'

/** Whether the mail server greets, or the folder for mails can be written. */
export async function checkMail(config: Config): Promise<Result> {
  if (config.smtp) {
    const greeting = await smtpGreeting(config.smtp)
    const line = `${config.smtp.host}:${config.smtp.port} says ${JSON.stringify(greeting)}`
    return greeting.startsWith('220') ? ok(line) : problem(line, whenItFails.mail)
  }
  const folder = path.join(config.dataDir, 'outbox')
  await access(folder, constants.W_OK).catch((error: NodeJS.ErrnoException) => {
    // The first mail makes it.
    if (error.code !== 'ENOENT') throw error
  })
  return warning(`mails are written to ${folder}`, 'set SMTP_SERVER to have them sent')
}

/** The first line a mail server says (RFC 5321 section 4.2). */
function smtpGreeting(smtp: NonNullable<Config['smtp']>): Promise<string> {
  return new Promise((resolve, reject) => {
    const { host, port } = smtp
    const socket = smtp.implicitTls
      ? tls.connect({ host, port, servername: host, rejectUnauthorized: smtp.verifyCertificate })
      : net.connect({ host, port })
    const end = (act: () => void) => {
      socket.destroy()
      act()
    }
    socket.setTimeout(patience, () => end(() => reject(new Error(`${host}:${port} does not answer`))))
    socket.once('error', (error) => end(() => reject(new Error(`${host}:${port}: ${error.message}`))))
    socket.once('data', (data) => end(() => resolve(data.toString('latin1').split('\r\n')[0] ?? '')))
  })
}
