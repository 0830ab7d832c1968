export interface Mail {
  /** One address. Neither it nor the subject may hold line breaks. */
  to: string
  subject: string
  text: string
  html: string
  /** More headers, such as List-Unsubscribe. */
  headers?: Record<string, string>
}

export interface Mailer {
  /**
   * Hands the mail over. Rejects when it was not accepted, with `UndeliverableMail` when the recipient was refused
   * for good; the job that sends it tries again.
   */
  send(mail: Mail): Promise<void>
}

/** The mail server says that there is no such mailbox, or that it does not deliver there (RFC 5321 section 4.2.1). */
export class UndeliverableMail extends Error {}
