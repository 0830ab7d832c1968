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
  /** Hands the mail over. Rejects when it was not accepted; the job that sends it tries again. */
  send(mail: Mail): Promise<void>
}
